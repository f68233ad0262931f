"""What the Python package does, over the demo set. Prints TAP."""

import csv
import os
import pickle
import pydoc
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from copy import copy
from decimal import Decimal
from importlib import metadata

import isogloss
import matplotlib.figure
import numpy
import pandas
from sklearn.base import clone
from tap import check, end, run


def refused(name, call, text, kind=isogloss.InputError):
    try:
        call()
    except kind as error:
        check(name, text in str(error) and isinstance(error, isogloss.Error), str(error))
    except Exception as error:
        check(name, False, repr(error))
    else:
        check(name, False, "nothing was raised")


installed = os.environ.get("ISOGLOSS_INSTALLED")
if installed is not None:
    check("pip builds and installs it, and leaves nothing behind", installed == "0", installed)
    library = isogloss._library._lib._name
    check("with a library of its own",
          os.path.dirname(library) == os.path.dirname(isogloss.__file__), library)
    if shutil.which("ldd"):
        linked = run("ldd", library)
        check("that needs no libcurl or cairo",
              linked.returncode == 0 and not any(name in linked.stdout for name in
                                                 ("curl", "cairo")),
              linked.stdout)

demo = isogloss.open(os.environ["ISOGLOSS_DEMO"])
rows = [demo.row(i) for i in range(len(demo))]
lang, text, ids = zip(*rows)
vectors = demo.transform(space="original")
check("a set is opened", vectors.shape == (len(demo), 384) and len(set(lang)) == 8)
# Of each language the first 100 sentences: fewer rows than this show the same.
few = [i for i in range(len(demo)) if i % 600 < 100]
vectors, rows = vectors[few], [rows[i] for i in few]
lang, text, ids = zip(*rows)

own = isogloss.Set.of(vectors, lang, text, ids)
check("an array is not copied", own._held is vectors)
check("its rows are the same", own.row(5) == rows[5])
check("a list of lists is converted",
      isogloss.Set.of([[1.0, 0.0], [0.0, 1.0]], "en").row(1) == ("en", "", None))

seen = []
x = own.train("seed", epochs=3, lr="1e-3", progress=seen.append)
check("training reports its epochs", [e["number"] for e in seen] == [0, 1, 2, 3])
check("and lowers the loss", seen[-1]["train_loss"] < seen[1]["train_loss"])
meaning = own.transform(x)
part = numpy.empty((7, meaning.shape[1]), numpy.float32)
check("rows are written where they are wanted", own.transform(x, first=3, count=7, out=part) is part)
check("and are the same", numpy.abs(part - meaning[3:10]).max() < 1e-6)

with tempfile.TemporaryDirectory() as folder:
    x.save(folder + "/runs/seed/")
    again = own.extractor(folder + "/runs/seed")
    check("a run is saved and read", (own.transform(again) == meaning).all())

before, after = own.evaluate(ci=True), own.evaluate(x, ci=True)
low, high = after.interval("top1")
check("an interval holds its figure", low <= after["top1"] <= high)
check("none without asking", own.evaluate().interval("top1") is None)
difference = after.compare(before, "top1")
check("what they differ by", abs(difference["value"] - after["top1"] + before["top1"]) < 1e-9
      and difference["low"] <= difference["value"] <= difference["high"]
      and difference["significant"] == (difference["low"] > 0 or difference["high"] < 0))
check("a figure by its label", before["retrieval top-1"] == before["top1"]
      and before.interval("retrieval top-1") == before.interval("top1")
      and (before.matrix("retrieval top-1") == before.matrix("top1"))[0, 1]
      and after.compare(before, "retrieval top-1") == difference
      and {row["label"] for row in before.rows() if row["measure"] == "top1"} == {"retrieval top-1"})
short = own.evaluate()
del short["top1"]
refused("a figure that was removed", lambda: short["retrieval top-1"], "unknown figure 'top1'")
check("why there is none", "needs scores" in before.reason("pearson")
      and before.reason("pearson") == before.reason("Pearson, pooled"))
check("figures", set(before) == set(isogloss.figures()) and 0 < before["top1"] <= 1)
other = isogloss.evaluate(vectors, lang, ids, extractor=own.train("seed", epochs=1), space="meaning",
                          text=text, ci=True)
group = isogloss.compare(before, [after, other], "top1")
check("two seeds against one run", abs(group["value"] + before["top1"]
                                       - (after["top1"] + other["top1"]) / 2) < 1e-9
      and isogloss.compare(before, after, "top1") == difference)
refused("a group of none", lambda: isogloss.compare(before, [], "top1"), "0 evaluations in a group")
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
found, cosines = own.search(vectors=vectors[:1], k=len(own) + 2)
check("more than there are", (found[0, -3:] == -1).tolist() == [False, True, True]
      and numpy.isnan(cosines[0, -3:]).tolist() == [False, True, True])
for kind, call in (("open", lambda **one: isogloss.open(os.environ["ISOGLOSS_DEMO"], **one)),
                   ("train", own.train), ("evaluate", own.evaluate)):
    said = []
    for name in isogloss._library.SETTINGS[kind]:
        try:  # a value that no setting has
            call(**{name: {"?": "?"} if name == "column" else "?\n?"})
        except isogloss.Error as error:
            said.append(f"{name}: {error}")
    check(f"the settings of {kind} are the library's, and documented",
          said and not any("unknown" in each for each in said)
          and f"\n    {said[-1].split(':')[0]}: " in getattr(isogloss.Set, kind).__doc__, said)
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
    numpy.lib.format.open_memmap(folder + "/large.npy", "w+", "f4", (68000, 256))[:] = 1  # is mapped
    mapped = isogloss.open(folder + "/large.npy", lang="en")
    os.truncate(folder + "/large.npy", 4096)
    refused("a mapped file that was cut", lambda: mapped.search([67999]), "changed after it was opened",
            isogloss.FileError)
check("a list of files", len(isogloss.open([os.environ["ISOGLOSS_DEMO"]])) == len(demo))
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
        check("a mapped array is opened from its file", path.read() == folder + "/own.npy\n")
    isogloss.explore(mapped[1:], lang[1:], text[1:], ids[1:], "--method", "seed", program=program)
    with open(folder + "/path", encoding="utf-8") as path:
        check("but not a part of it", path.read() != folder + "/own.npy\n")

# Values that are missing, by row, and none becomes data.
two = numpy.eye(2, 3, dtype=numpy.float32)
for name, bad, text in (("None", None, "row 1: the {} is missing (None)"),
                        ("NaN", float("nan"), "row 1: the {} is missing (nan)"),
                        ("a masked value", numpy.ma.masked, "row 1: the {} is missing"),
                        ("a decimal NaN", Decimal("NaN"), "row 1: the {} is missing"),
                        ("no time", numpy.datetime64("NaT"), "row 1: the {} is missing"),
                        ("numpy's NaN", numpy.float32("nan"), "row 1: the {} is missing"),
                        ("NUL", "e\0n", "row 1: the {} holds a NUL"),
                        ("nothing", "", "row 1: the {} is empty"),
                        ("bytes", b"en", "row 1: the {} is bytes"),
                        ("half a character", "\ud800", "row 1: the {} is no text")):
    refused(f"{name} as a language", lambda: isogloss.Set.of(two, ["en", bad]),
            text.format("language"))
    if "missing" in text or bad == "":
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            kept = [isogloss.Set.of(two, "en", ids=["1", bad]).row(row)[2] for row in (0, 1)]
            isogloss.Set.of(two, "en", ids=[bad, bad])
        check(f"{name} as an id", kept == ["1", None] and [str(one.message) for one in said] ==
              2 * ["1 row without id, such as row 1"] + ["no row has an id, from which pairs follow"])
    else:
        refused(f"{name} as an id", lambda: isogloss.Set.of(two, "en", ids=["1", bad]),
                text.format("id"))
        refused(f"{name} for the explorer",
                lambda: isogloss.explore(two, "en", ids=["1", bad], program="false"),
                text.format("id"))
    if bad != "":
        refused(f"{name} as a text", lambda: isogloss.Set.of(two, "en", ["a", bad]),
                text.format("text"))
    refused(f"{name} as the language of a vector",
            lambda: own.search(vectors=vectors[:2], lang=["en", bad]), text.format("language"))
for name, call in (("a path", lambda: isogloss.open("x\0y")), ("a folder", lambda: x.save("x\0/y")),
                   ("a method", lambda: own.train("centre\0x")),
                   ("a setting", lambda: own.train("centre", seed="1\0x")),
                   ("a language to search", lambda: own.search([0], language="en\0x"))):
    refused(f"NUL in {name}", call, "holds a NUL")
refused("masked vectors", lambda: isogloss.Set.of(numpy.ma.array(two, mask=two > 0), "en"), "masked")


class Tensor:
    """What a tensor has that is neither an array nor on this processor's side."""

    def __init__(self, values):
        self.values, self.seen = values, []

    def __getattr__(self, name):
        if name not in ("detach", "float", "cpu", "numpy"):
            raise AttributeError(name)
        self.seen.append(name)
        return lambda: self.values if name == "numpy" else self


class Item(Tensor):
    def tolist(self):
        return self.values


rows_of = {"a tensor": Tensor(two), "a list of tensors": [Tensor(row) for row in two],
           "a column of arrays": numpy.array([*two, None], dtype=object)[:-1],
           "a column of pandas": pandas.Series(list(two)), "a frame": pandas.DataFrame(two)}
for name, values in rows_of.items():
    check(f"vectors as {name}", (isogloss.Set.of(values, "en").transform(space="original") == two).all())
check("ids of a tensor", isogloss.Set.of(two, "en", ids=[Item(7), Item(8)]).row(1)[2] == "8")
refused("rows of two lengths", lambda: isogloss.Set.of([[1.0, 2.0], [1.0]], "en"),
        "row 1 has 1 numbers, row 0 has 2")
refused("texts as vectors", lambda: isogloss.Set.of(["a", "b"], "en"), "not real numbers")
refused("a path as the extractor", lambda: own.evaluate("runs/seed"), "Extractor.load")
refused("pairs as a list", lambda: own.evaluate(pairs=[(0, 1)]), "pairs is a list")
refused("a comparison with a name", lambda: isogloss.compare("run", before, "top1"), "not an Evaluation")


class Column:
    """A column of pyarrow, whose elements are not texts of Python."""

    def __iter__(self):
        return iter([0, 1])

    def to_pylist(self):
        return ["en", None]


for text, call in (  # the argument and its value
        ("None is no path", lambda: isogloss.open(None)), ("3 is no path", lambda: isogloss.open(3)),
        ("'cii'; did you mean ci?", lambda: own.evaluate(cii=True)),
        ("'n_jobs'; expected ci, pairing, ", lambda: isogloss.evaluate(two, "en", n_jobs=2)),
        ("'language'; expected lang, column,", lambda: isogloss.open("x.csv", language="en")),
        ("did you mean top1?", lambda: before["top_1"]), ("vectors=…", lambda: own.search(vectors)),
        ("give it without lang", lambda: isogloss.evaluate(own, "en")),
        ("give fit ids", lambda: isogloss.Extractor().fit(vectors, lang)),
        ("k is 1.5", lambda: own.search([0], k=1.5)), ("k is -1", lambda: own.project(-1)),
        (f"k is {10**30}: 1 × {10**30} numbers", lambda: own.search([0], k=10**30)),
        (f"k is {2**62}: ", lambda: own.project(2**62)),
        (f"count is {2**62}: ", lambda: own.transform(space="original", count=2**62)),
        ("first is -1", lambda: own.transform(space="original", first=-1)),
        ("row is 'a'", lambda: own.row("a")), ("row is [3]", lambda: own.row([3])),
        ("language is ['en']", lambda: own.search([0], language=["en"])),
        ("language is array(", lambda: own.search([0], language=numpy.array(["en", "de"]))),
        ("progress is 3", lambda: own.train("centre", progress=3)),
        ("directory is None", lambda: isogloss.Extractor.load(None)),
        ("directory is 3", lambda: x.save(3)),
        ("directory is ''", lambda: x.save("")), ("folder is 3", lambda: isogloss.VersionLog(3, lang=lang)),
        ("keep is '2'", lambda: isogloss.VersionLog("x", lang=lang, keep="2")),
        ("lang is 3", lambda: isogloss.VersionLog("x", lang=3)),
        ("dtype is 'no'", lambda: isogloss.VersionLog("x", lang=lang, dtype="no")),
        ("3 is not an Evaluation", lambda: isogloss.compare(3, before, "top1")),
        ("unknown figure ['top1']", lambda: before.reason(["top1"])),
        ("vectors have shape ()", lambda: isogloss.explore(numpy.float32(3), "en")),
        ("shape (0, 3)", lambda: isogloss.Set.of(two[:0], [])),
        ("not real numbers: None", lambda: isogloss.Set.of(None, "en")),
        ("datetime64[s]", lambda: isogloss.Set.of(numpy.zeros((2, 2), "M8[s]"), "en")),
        ("lang is 3", lambda: isogloss.Set.of(two, 3)),
        ("lang is array('en'", lambda: isogloss.Set.of(two, numpy.array("en"))),
        ("lang is {", lambda: isogloss.Set.of(two, {0: "en", 1: "de"})),
        ("text is 'ab'", lambda: isogloss.Set.of(two, "en", "ab")),
        ("ids is b'ab'", lambda: isogloss.Set.of(two, "en", ids=b"ab")),
        ("row 0: the language is ['en']", lambda: isogloss.Set.of(two, [["en"], ["de"]])),
        ("row 1: the language is missing (None)", lambda: isogloss.Set.of(two, Column()))):
    refused(f"an argument: {text}", call, text)
check("numpy's numbers", len(own.search([0], k=numpy.int64(3))[0][0]) == 3
      and own.evaluate(ci=numpy.True_).interval("top1"))
refused("a program that there is not", lambda: isogloss.explore(two, "en", program="no-such-program"),
        "no program no-such-program", isogloss.FileError)
try:
    isogloss.Set.of(two * float("nan"), "en")
except isogloss.InputError as error:
    check("no hint at an option of the program", "--" not in str(error) and "row 0 (2 in all)" in str(error))
refused("options are keywords", lambda: isogloss.open(os.environ["ISOGLOSS_DEMO"][:-3] + "csv"),
        'column={"vector": "NAME"} or vectors=FIRST-LAST')
check("help lists what can be imported", "second minus first" in pydoc.render_doc(isogloss))
for said, shown in ((b"pairs of a file: its split needs the same --pairs", "pairs of a file: its split needs the same pairs"),
                    (b"an underestimate (baseline: --measures probe)", "an underestimate"),
                    (b"no answer within 3 seconds (--encoder-timeout)", "no answer within 3 seconds"),
                    (b"it is not 'x' (no header: --header none --column lang=1)", "it is not 'x'"),
                    (b"a.csv:1: no end; --quote double reads it; try b.csv", "a.csv:1: no end; try b.csv"),
                    (b"a--b.npy has rows; --split all, one at a time", "a--b.npy has rows")):
    check(f"a message without options: {shown}", isogloss._library._shown(said) == shown)
refused("complex vectors", lambda: isogloss.Set.of(two * 1j, "en"), "complex")
refused("a language of bytes", lambda: isogloss.Set.of(two, b"en"), "lang is bytes")
for name, handle in (("dataset", own), ("evaluation", before)):
    try:  # two copies would free it twice
        check(f"no copy of the handle of a {name}", copy(handle) is None)
    except TypeError as error:
        check(f"no copy of the handle of a {name}", "cannot be copied" in str(error))
refused("no languages", lambda: isogloss.Set.of(two, None), "lang is missing")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    named = isogloss.Set.of(numpy.eye(4, dtype=numpy.float32), "en", ids=[" 2 ", "nan", "<NA>", "  "])
check("an id is that of files: trimmed, none where a word says so",
      named.row(0)[2] == "2" and "3 rows without id, such as row 1, 2, 3" in str(said[0].message))
check("a text may be empty, an id a number",
      isogloss.Set.of(two, "en", ["", "b"], [7, numpy.int64(8)]).row(0) == ("en", "", "7"))

# Where rows are written to.
fixed = numpy.empty_like(meaning)
fixed.flags.writeable = False
refused("a read-only output", lambda: own.transform(x, out=fixed), "out is read-only")
with tempfile.TemporaryDirectory() as folder:
    numpy.save(folder + "/out.npy", meaning)
    mapped = numpy.load(folder + "/out.npy", mmap_mode="r")
    refused("a read-only memory map", lambda: own.transform(x, out=mapped), "out is read-only")
refused("the dataset's own vectors as output", lambda: own.transform(space="original", out=vectors),
        "overlaps the vectors of the dataset")
odd = numpy.zeros(meaning.nbytes + 1, numpy.uint8)[1:].view(numpy.float32).reshape(meaning.shape)
refused("an output that is not aligned", lambda: own.transform(x, out=odd), "aligned")
refused("a list for an output", lambda: own.transform(x, out=[[0.0]]), "out is not an aligned array")
refused("a row below 0", lambda: own.search(numpy.array([-1])), "rows are -1")
refused("a row past the last", lambda: own.search([2**32]), "rows are 4294967296")
refused("rows that are no numbers", lambda: own.search([0.5]), "not whole numbers")

# What an extractor was not trained on, as the command line measures it.
split = own.train("seed", epochs=1, holdout=0.2, pairing="all")
parts = {part: own.evaluate(split, split=part) for part in ("all", "train", "valid", "holdout")}
check("the parts of a split differ", len({e["alignment"] for e in parts.values()}) == 4)
with tempfile.TemporaryDirectory() as folder:
    split.save(folder + "/run")
    check("a stored run knows its split",
          abs(own.evaluate(own.extractor(folder + "/run"), split="holdout")["top1"]
              - parts["holdout"]["top1"]) < 1e-9)
    if "ISOGLOSS" in os.environ:
        numpy.save(folder + "/set.npy", vectors)
        with open(folder + "/set.csv", "w", encoding="utf-8") as table:
            table.write("lang,id\n" + "".join(f"{l},{i}\n" for l, i in zip(lang, ids)))
        of = isogloss.open(folder + "/set.npy")
        of.train("seed", epochs=1, holdout=0.2, pairing="all").save(folder + "/own")
        printed = run(os.environ["ISOGLOSS"], "eval", folder + "/set.npy", "--run", folder + "/own", "--split",
                      "holdout", "--format", "csv", "-q").stdout
        value = of.evaluate(of.extractor(folder + "/own"), split="holdout")["alignment"]
        check("and says what the command line says",
              any(row["space"] == "meaning" and row["measure"] == "alignment" and not row["from"]
                  and abs(float(row["value"]) - value) < 1e-6
                  for row in csv.DictReader(printed.splitlines())), f"{value} in {printed[:2000]}")
if "ISOGLOSS" in os.environ:
    with tempfile.TemporaryDirectory() as folder:
        numpy.save(folder + "/set.npy", vectors[:160])
        with open(folder + "/set.csv", "w", encoding="utf-8", newline="") as table:
            isogloss.versions.write_table(table, list(zip(*rows[:160])))
        of = isogloss.open(folder + "/set.npy")
        trained = of.train("seed", epochs=1)
        trained.save(folder + "/run")
        printed = run(os.environ["ISOGLOSS"], "eval", folder + "/set.npy", "--run", folder + "/run", "--ci",
                      "--format", "csv", "-q").stdout
        for space in "original", "meaning", "language":
            lines = [line for line in csv.DictReader(printed.splitlines()) if line["space"] == space]
            rows_of = of.evaluate(trained, space=space, ci=True).rows()
            same = [all(line[name] == (row[name] or "") for name in ("measure", "from", "to", "reason")) and all(
                abs(float(line[name] or "nan") - row[name]) < 1e-9 or not line[name] and numpy.isnan(row[name])
                for name in ("n", "value", "chance", "low", "high"))
                for line, row in zip(lines, rows_of)]
            check(f"the rows of eval --format csv, {space}", len(lines) == len(rows_of) and all(same),
                  f"{len(lines)} and {len(rows_of)}, {same.index(False) if False in same else ''}")
refused("a part that is empty", lambda: own.evaluate(x, split="holdout"), "without holdout")
refused("a split without an extractor", lambda: own.evaluate(split="valid"), "needs an extractor")
refused("a split that is none", lambda: own.evaluate(x, split="test"), "split")

# Another dataset: languages by their codes.
order = numpy.argsort([{"ja": 0, "en": 1}.get(code, 2) for code in lang], kind="stable")
turned = isogloss.Set.of(vectors[order], [lang[i] for i in order])
check("another order of languages", numpy.abs(
    turned.transform(closed) - own.transform(closed)[order]).max() < 1e-6)
refused("a language that it does not know",
        lambda: isogloss.Set.of(vectors[:2], ["en", "tlh"]).transform(closed), "language tlh")

# Several threads on one dataset.
alone = (own.transform(x), own.search([1, 2], k=3, extractor=x)[0], own.evaluate(x)["top1"])
wrong = []


def ask():
    for _ in range(4):
        got = (own.transform(x), own.search([1, 2], k=3, extractor=x)[0], own.evaluate(x)["top1"])
        if not all(numpy.array_equal(a, b) for a, b in zip(got, alone)):
            wrong.append(got)


threads = [threading.Thread(target=ask) for _ in range(4)]
for thread in threads:
    thread.start()
ask()
for thread in threads:
    thread.join()
check("threads get what one alone gets", not wrong)

# Ctrl-C, while a call is under way: it is cancelled, not waited for.
many = isogloss.Set.of(numpy.random.default_rng(1).standard_normal((24000, 128), numpy.float32),
                       ["en", "de"] * 12000, ids=[i // 2 for i in range(24000)])


def press():
    while not any(t.name == "isogloss call" for t in threading.enumerate()):
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)


presser = threading.Thread(target=press)
try:
    presser.start()
    many.evaluate(ci=True)
    check("Ctrl-C cancels a call", False, "it ended by itself")
except KeyboardInterrupt as interrupt:
    check("Ctrl-C cancels a call", "cancelled" in str(interrupt.__cause__), repr(interrupt))
presser.join()
late = isogloss._library._Call(lambda: wrong.append("ran"), ())
start, threading.Thread.start = threading.Thread.start, lambda thread: os.kill(os.getpid(), signal.SIGINT)
try:
    late.run()
except KeyboardInterrupt:
    pass
threading.Thread.start = start
late._perform()  # by a thread that begins after the interrupt was raised
check("a call that was cancelled before it began never begins", not wrong)
check("and the dataset is as it was", len(many.search([0])[0]) == 1)

# What was not opened, and handles of a parent process, are refused, not used.
for name, call in (("a path", lambda: isogloss.Set("set.npy")), ("nothing", isogloss.Set),
                   ("an array", lambda: isogloss.Set(vectors).evaluate())):
    refused(f"a Set of {name}", call, "call isogloss.open or isogloss.Set.of")
refused("an Evaluation by itself", lambda: isogloss.Evaluation(own), "isogloss.evaluate")
empty, null = isogloss.Set.__new__(isogloss.Set), isogloss.Set._new(None)
for name, method in (("evaluate", lambda of: of.evaluate()), ("train", lambda of: of.train("centre")),
                     ("search", lambda of: of.search(vectors=numpy.ones((1, 0)))),
                     ("project", lambda of: of.project(1)), ("transform", lambda of: of.transform()),
                     ("extractor", lambda of: of.extractor("run"))):
    refused(f"{name} of an object that was not opened", lambda: method(empty), "isogloss.open")
    refused(f"{name} of a NULL handle", lambda: method(null), "" if name == "transform" else "_open or")
refused("a comparison of a NULL handle", lambda: isogloss._library._call(
    "compare", (isogloss._library._P * 1)(), 1, (isogloss._library._P * 1)(), 1, b"top1",
    isogloss._library._Difference()), "isogloss_evaluate")
child = os.fork()
if child == 0:
    try:
        for call in (own.evaluate, lambda: x.transform(vectors[:4])):
            try:
                os._exit(3 + (call() is None))
            except isogloss.InputError as error:
                if "before a fork" not in str(error):
                    os._exit(5)
        alone = isogloss.Set.of(vectors[:4], lang[:4], threads=1)
        os._exit(len(own) != len(few) or len(alone.search([0], k=2)[0][0]) != 2)
    finally:
        os._exit(2)
check("a forked child is refused, and opens its own", os.waitpid(child, 0)[1] == 0)

for name, call in (("read", lambda: before["nope"]), ("interval", lambda: before.interval("nope")),
                   ("error", lambda: before.interval("nope")),
                   ("compared", lambda: after.compare(before, "nope"))):
    refused(f"a figure that is none, {name}", call, "unknown figure 'nope'")
check("errors are Python's, too", issubclass(isogloss.InputError, ValueError)
      and issubclass(isogloss.FileError, OSError))
check("and named as they are caught", all(getattr(isogloss, kind).__module__ == "isogloss"
                                          for kind in ("Error", "InputError", "FileError")))
refused("a file that is not there", lambda: isogloss.open("no\x1b[2J\u202efile.npy"),
        r"no\x1b[2J\u202efile.npy: No such", isogloss.FileError)
refused("a language that is not there", lambda: many.search([0], language="xx"),
        "has no language 'xx'; it has ")
refused("a method that is not there", lambda: own.train("nope"), "there is no method 'nope'")
refused("a setting that is not there", lambda: own.train("seed", epoch=1), "did you mean epochs?")
refused("too few languages", lambda: isogloss.Set.of(vectors, ["en"]), "but 1 languages")
refused("vectors of another length", lambda: own.search(vectors=vectors[:2, :5]), f"not (n, {own.dims})")
refused("nothing to search for", lambda: own.search(), "rows or vectors")
refused("a column that there is not", lambda: isogloss.open("x.csv", column={"a": "b"}), "lang=NAME")
refused("a vector for a matrix", lambda: isogloss.Set.of(vectors[0], "en"), "(expected (rows, dims), both at least 1)")
refused("a space without an extractor", lambda: own.transform(), "without an extractor has no meaning space")
refused("an output of another shape", lambda: own.transform(x, out=part), "out is not")
# The extractor as an estimator.
fitted = isogloss.Extractor("seed", lr=1e-3, epochs=3, holdout=0.2)
check("no work before fit", clone(fitted).get_params() == {
    "method": "seed", "lr": 1e-3, "epochs": 3, "holdout": 0.2} and not fitted.epochs)
refused("an extractor that is not fitted", lambda: fitted.transform(vectors), "is not fitted: call fit")
refused("nor measured with", lambda: own.evaluate(fitted), "is not fitted: call fit")
refused("a setting is checked by fit",
        lambda: isogloss.Extractor("seed", epoch=3).fit(vectors, lang, ids), "epochs?")
with warnings.catch_warnings(record=True) as said:
    check("fit returns the estimator", fitted.fit(vectors, lang, ids) is fitted and len(fitted.epochs) == 4)
check("and warns when it could go on", fitted.best_epoch == 3 and "still improving" in str(said[0].message))
mapped = fitted.transform(vectors[5:9])
weights = fitted.weights
check("its weights are arrays", weights["meaning.weight"].shape == (384, 384) and numpy.abs(
    vectors[5:9] @ weights["meaning.weight"].T + weights["meaning.bias"] - mapped).max() < 1e-5)
check("a clone is fitted anew, to the same", numpy.allclose(clone(fitted).set_params(
    epochs=3).fit_transform(vectors, lang, ids)[5:9], mapped, atol=1e-6))
for name, other in (("pickled", pickle.loads(pickle.dumps(fitted))), ("copied", copy(fitted))):
    check(f"{name}, it maps the same", (other.transform(vectors[5:9]) == mapped).all()
          and other.get_params() == fitted.get_params() and other.epochs == fitted.epochs)
check("unfitted, too", pickle.loads(pickle.dumps(isogloss.Extractor("lir"))).method == "lir")
with tempfile.TemporaryDirectory() as folder:
    pickle.loads(pickle.dumps(fitted)).save(folder + "/run")
    loaded = isogloss.Extractor.load(folder + "/run")
    check("saved from a pickle and loaded", (loaded.transform(vectors[5:9]) == mapped).all()
          and os.listdir(folder) == ["run"])
    check("a clone of what was loaded trains to the same",
          (clone(loaded).fit(vectors, lang, ids).transform(vectors[5:9]) == mapped).all())
    refused("over files that are there", lambda: loaded.save(folder + "/run"), "not empty",
            isogloss.FileError)
    for damaged in ("[]", '{"options": {}, "seed": 1, "method": "seed", "data": {"dims": -1}}'):
        with open(folder + "/run/run.json", "w", encoding="utf-8") as said:
            said.write(damaged)
        refused(f"a damaged run: {damaged:.9}", lambda: isogloss.Extractor.load(folder + "/run"), "run.json")
    refused("a directory without a run", lambda: isogloss.Extractor.load(folder), folder,
            isogloss.Error)
    named = isogloss.Extractor("centre").fit(vectors, lang, ids)
    named.save(folder + "/centre")
    refused("over another run", lambda: fitted.save(folder + "/centre"), "overwrite=True", isogloss.FileError)
    for again in (fitted, named):
        again.save(folder + "/centre", overwrite=True)
    refused("over a folder of others", lambda: fitted.save(folder, overwrite=True), "not empty", isogloss.FileError)
    check("replaced, and nothing is left", sorted(os.listdir(folder)) == ["centre", "run"])
    check("fitted by language", (isogloss.Extractor.load(folder + "/centre").transform(
        vectors[:4], lang[:4], "language") == named.transform(vectors[:4], lang[:4], "language")).all())
    refused("which needs a language", lambda: named.transform(vectors), "give transform lang")
before_fit = fitted.transform(vectors[:2])
try:
    fitted.fit(vectors, lang, ids, progress=lambda epoch: 1 / 0)
except ZeroDivisionError:
    pass
check("an exception keeps it as it was", (fitted.transform(vectors[:2]) == before_fit).all())

# Evaluations as tables.
table = isogloss.evaluate(vectors, lang, ids, extractor=fitted, split="holdout", ci=True)
before = isogloss.evaluate(vectors, lang, ids, extractor=fitted, space="original", split="holdout", ci=True)
check("two calls on the same rows compare", table.compare(before, "top1")["significant"] in (True, False))
check("what it was not trained on, by an equal array",
      table["top1"] == fitted._fitted.set.evaluate(fitted, split="holdout")["top1"])
refused("by other rows", lambda: isogloss.evaluate(vectors[::-1].copy(), lang, ids, extractor=fitted,
                                                   split="holdout"), "trained on other data")
frame = table.to_frame()
check("as a frame", len(frame) == len(table.rows()) and frame.value[
    (frame.measure == "top1") & frame["from"].isna() & frame.to.isna()].item() == table["top1"])
matrix = table.matrix("top1")
german, japanese = table.languages.index("de"), table.languages.index("ja")
check("as a matrix", matrix.shape == (8, 8) and numpy.isnan(numpy.diag(matrix)).all()
      and matrix[german, japanese] == frame.value[
          (frame.measure == "top1") & (frame["from"] == "de") & (frame.to == "ja")].item()
      and abs(numpy.nanmean(matrix) - table["top1"]) < 1e-9)
check("why there is none", table.reason("pearson") and table.reason("top1") is None)
low, high = table.interval("top1")
line = next(line for line in repr(table).splitlines() if line.startswith("top1 "))
check("as text", line.split()[1:4] == [f"{v:.4f}" for v in (table["top1"], low, high)], line)
check("as HTML", f"<tr><td>top1</td><td>{table['top1']:.4f}</td>" in table._repr_html_())
both = isogloss.evaluate({"whole": vectors, "<part>": vectors[:, :64]}, lang, ids)
check("of a Set", isogloss.evaluate(own)["top1"] == isogloss.evaluate({"a": own}, lang=None)["a"]["top1"]
      == both["whole"]["top1"] and fitted.transform(own).shape == vectors.shape)
check("several versions", both["whole"]["top1"] == own.evaluate()["top1"]
      and set(both.to_frame().version) == {"whole", "<part>"}
      and both.matrix("top1")["<part>"].shape == (8, 8) and both.reason("pearson")["whole"])
each = isogloss.evaluate({"one": vectors, "two": vectors}, lang, ids, extractor={"one": fitted})
check("an extractor for one version", each["one"]["top1"] == own.evaluate(fitted)["top1"]
      and each["two"]["top1"] == both["whole"]["top1"] != each["one"]["top1"])
check("in columns", repr(both).split()[:3] == ["figure", "whole", "<part>"]
      and "<th>&lt;part&gt;</th>" in both._repr_html_())
sys.modules["pandas"] = None  # as if it were not installed
try:
    table.to_frame()
    check("no pandas", False)
except ImportError as error:
    check("no pandas", "pip install pandas" in str(error))
del sys.modules["pandas"]

# A map.
matplotlib.use("agg")
axes = matplotlib.figure.Figure().subplots()
check("a map on axes", isogloss.plot.map(vectors, lang, axes, extractor=fitted, s=3) is axes
      and [text.get_text() for text in axes.get_legend().get_texts()] == list(dict.fromkeys(lang)))
xy, share = own.project(2, fitted)
points = numpy.concatenate([dots.get_offsets() for dots in axes.collections])
check("of the principal components", numpy.allclose(
    numpy.sort(points, axis=0), numpy.sort(xy, axis=0), atol=1e-4)
    and f"{share[0]:.0%}" in axes.get_xlabel())

# Versions that a training loop adds.
texts = [row[1] for row in rows]
with tempfile.TemporaryDirectory() as folder:
    def names():
        return sorted(name for name in os.listdir(folder + "/ft"))

    log = isogloss.VersionLog(folder + "/ft", lang=lang, text=texts, ids=ids, keep=2)
    for step in (500, 1000, 1500):
        written = log.add(f"step {step}", vectors * (1 + step))
    check("the newest two are kept", names() == ["set.csv", "step 1000.npy", "step 1500.npy"])
    stored = numpy.load(written)
    check("as float16", stored.dtype == numpy.float16 and numpy.allclose(
        stored, vectors * 1501, rtol=1e-3, atol=1e-3))
    if "ISOGLOSS" in os.environ:
        printed = run(os.environ["ISOGLOSS"], "eval", folder + "/ft", "--format", "csv", "-q")
        value = isogloss.evaluate(stored, lang, ids)["alignment"]
        check("the program opens the folder", any(
            line.startswith(",1500,original,alignment,") and f"{value:.4f}"[:6] in line
            for line in printed.stdout.splitlines()), printed.stdout[:500] + printed.stderr)
    check("set.csv has the rows", isogloss.open(
        str(written), meta=folder + "/ft/set.csv").row(9) == rows[9])
    refused("other rows in the folder", lambda: isogloss.VersionLog(
        folder + "/ft", lang=lang, text=texts), "has other rows")
    again = isogloss.VersionLog(folder + "/ft", lang=lang, text=texts, ids=ids, keep=1, every=2,
                                dtype="float32")
    kept = [again.add(f"more {i}", torch_like) is not None for i, torch_like in
            enumerate([vectors] * 4)]
    check("every second is written, and what was there stays", kept == [True, False, True, False]
          and names() == ["more 2.npy", "set.csv", "step 1000.npy", "step 1500.npy"], str(names()))
    check("as float32", (numpy.load(folder + "/ft/more 2.npy") == vectors).all())
    refused("another number of rows", lambda: log.add("x", vectors[1:]),
            f"is ({len(vectors) - 1}, 384), but the rows of {folder}/ft/set.csv are {len(vectors)}")
    refused("a value that float16 has not", lambda: log.add("x", vectors * 1e7), "row 0: ")
    for name in ("", "a/b", "..", ".x", "a\0b", "a\nb", "x" * 201, "a=b", "-x", 7):
        refused(f"the name {name!r:.20}", lambda: log.add(name, vectors), "version name")
    refused("keep none", lambda: isogloss.VersionLog(folder, lang=lang, keep=0), "keep is 0")
    refused("a type that is none of these",
            lambda: isogloss.VersionLog(folder, lang=lang, dtype="int8"), "int8")
    save, numpy.save = numpy.save, lambda file, array: file.write(b"half") and 1 / 0
    try:
        log.add("broken", vectors)
    except ZeroDivisionError:
        pass
    numpy.save = save
    check("a write that fails leaves nothing", not any("broken" in name for name in names()))
    os.chmod(folder + "/ft", 0o500)
    if os.geteuid():
        refused("a folder that is read-only", lambda: log.add("x", vectors), "Permission denied",
                isogloss.FileError)
    os.chmod(folder + "/ft", 0o700)
check("a version", isogloss.__version__ == isogloss.version() == metadata.version("isogloss")
      if installed is not None else isogloss.__version__ == isogloss.version())
# A library of another minor version has other signatures: it is refused, not called.
if shutil.which("cc"):
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/old.c", "w", encoding="utf-8") as source:
            source.write('const char *isogloss_version(void) { return "0.1.0"; }\n')
        run("cc", "-shared", "-fPIC", "-o", folder + "/old.so", folder + "/old.c")
        code = "import sys; sys.path[:0] = " + repr(sys.path) + "; import isogloss"
        for name, said in (("old.so", f"is libisogloss 0.1.0, but this package needs {isogloss.version()[:-2]}"),
                           ("none.so", "ISOGLOSS_LIBRARY names no library: ")):
            ran = run(sys.executable, "-c", code, env={**os.environ, "ISOGLOSS_LIBRARY": folder + "/" + name})
            check(f"{name} is refused", said in ran.stderr, ran.stderr)
end()
