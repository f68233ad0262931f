"""What the Python package does, over the demo set. Prints TAP."""

import os
import tempfile

import isogloss
import numpy

count = failed = 0


def check(name, holds, why=""):
    global count, failed
    count += 1
    failed += not holds
    print("ok" if holds else "not ok", count, "-", name)
    if not holds and why:
        print("#", why)


def refused(name, call, text):
    try:
        call()
    except isogloss.Error as error:
        check(name, text in str(error), str(error))
    else:
        check(name, False, "nothing was raised")


demo = isogloss.open(os.environ["ISOGLOSS_DEMO"], limit=100, seed=1)
rows = [demo.row(i) for i in range(len(demo))]
lang, text, ids = zip(*rows)
vectors = demo.transform(space="original")
check("a set is opened", vectors.shape == (len(demo), 384) and len(set(lang)) == 8)

own = isogloss.Set.of(vectors, lang, text, ids)
check("an array is not copied", own._held is vectors)
check("its rows are the same", own.row(5) == rows[5])
check("a list of lists is converted",
      isogloss.Set.of([[1.0, 0.0], [0.0, 1.0]], "en").row(1) == ("en", "", None))

seen = []
x = own.train("seed", epochs=3, lr="1e-3", progress=seen.append)
check("training tells of its epochs", [e["number"] for e in seen] == [0, 1, 2, 3])
check("and lowers the loss", seen[-1]["train_loss"] < seen[1]["train_loss"])
meaning = own.transform(x)
part = numpy.empty((7, meaning.shape[1]), numpy.float32)
check("rows are written where they are wanted", own.transform(x, first=3, count=7, out=part) is part)
check("and are the same", numpy.abs(part - meaning[3:10]).max() < 1e-6)

with tempfile.TemporaryDirectory() as folder:
    x.save(folder + "/run")
    again = own.extractor(folder + "/run")
    check("a run is saved and read", (own.transform(again) == meaning).all())

before, after = own.evaluate(ci=True), own.evaluate(x, ci=True)
low, high = after.interval("top1")
check("an interval holds its figure", low <= after["top1"] <= high)
check("none without asking", own.evaluate().interval("top1") is None)
difference = after.compare(before, "top1")
check("what they differ by", abs(difference["value"] - after["top1"] + before["top1"]) < 1e-9
      and difference["low"] <= difference["value"] <= difference["high"]
      and difference["stands"] == (difference["low"] > 0 or difference["high"] < 0))
check("figures", set(before) == set(isogloss.figures()) and 0 < before["top1"] <= 1)
closed = own.train("centre")
check("a closed form trains, too", own.evaluate(closed)["top1"] > before["top1"])

unit = vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)
cosine = unit[:3] @ unit.T
cosine[numpy.arange(3), numpy.arange(3)] = -2
found, cosines = own.search([0, 1, 2], k=4)
check("neighbours are numpy's", (found == numpy.argsort(-cosine, axis=1)[:, :4]).all())
check("with their cosines",
      numpy.abs(cosines - numpy.take_along_axis(cosine, found, 1)).max() < 1e-5)
found, _ = own.search([0], k=4, extractor=x, language="de")
check("of one language", all(own.row(int(row))[0] == "de" for row in found[0]))

again, _ = own.search(vectors=vectors[:3], k=5)
check("vectors find the rows they are of", (again[:, 0] == [0, 1, 2]).all()
      and (again[:, 1:] == own.search([0, 1, 2], k=4)[0]).all())
again, near = own.search(vectors=vectors[7], k=2, extractor=x, lang=lang[7])
check("in another space, too", again[0, 0] == 7 and abs(near[0, 0] - 1) < 1e-5)
with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/set.jsonl", "w", encoding="utf-8") as lines:
        lines.write('{"language": "en", "sentence": "one", "embedding": [1, 2]}\n')
    names = {"lang": "language", "text": "sentence"}
    check("columns of other names",
          isogloss.open(folder + "/set.jsonl", column=names).row(0) == ("en", "one", None))
    check("a language for all",
          isogloss.open(folder + "/set.jsonl", lang="fr").row(0)[0] == "fr")
check("an array is opened", isogloss.open(vectors, lang, text).row(3)[:2] == rows[3][:2])

xy, share = own.project(2, extractor=x)
check("a map", xy.shape == (len(own), 2) and share[0] >= share[1] > 0)

with tempfile.TemporaryDirectory() as folder:
    program = folder + "/isogloss"
    with open(program, "w", encoding="utf-8") as script:
        script.write('#!/bin/sh\ncp "$5" ' + folder + "/set.csv\n"
                     'echo "$3" >' + folder + '/path; cp "$3" ' + folder + "/set.npy\n")
    os.chmod(program, 0o755)
    code = isogloss.explore(vectors, lang, text, ids, "--method", "seed", program=program)
    given = isogloss.open(folder + "/set.npy")
    check("the explorer is given the array", code == 0 and given.row(9) == rows[9]
          and (given.transform(space="original") == vectors).all())
    numpy.save(folder + "/own.npy", vectors)
    mapped = numpy.load(folder + "/own.npy", mmap_mode="r")
    isogloss.explore(mapped, lang, text, ids, "--method", "seed", program=program)
    with open(folder + "/path", encoding="utf-8") as path:
        check("a mapped array is opened where it lies", path.read() == folder + "/own.npy\n")
    isogloss.explore(mapped[1:], lang[1:], text[1:], ids[1:], "--method", "seed", program=program)
    with open(folder + "/path", encoding="utf-8") as path:
        check("but not a part of it", path.read() != folder + "/own.npy\n")

refused("a file that is not there", lambda: isogloss.open("nowhere.npy"), "nowhere.npy: No such")
refused("a method that is not there", lambda: own.train("nope"), "there is no method 'nope'")
refused("a setting that is not there", lambda: own.train("seed", epoch=1), "epoch")
refused("too few languages", lambda: isogloss.Set.of(vectors, ["en"]), "but 1 languages")
refused("vectors of another length", lambda: own.search(vectors=vectors[:2, :5]), "not (n, 256)")
refused("nothing to search for", lambda: own.search(), "rows or vectors")
refused("a column that there is not", lambda: isogloss.open("x.csv", column={"a": "b"}), "lang=NAME")
refused("a vector for a matrix", lambda: isogloss.Set.of(vectors[0], "en"), "not two")
refused("a space without an extractor", lambda: own.transform(), "there is no meaning space")
refused("an output of another shape", lambda: own.transform(x, out=part), "out is not")
print(f"1..{count}")
raise SystemExit(failed > 0)
