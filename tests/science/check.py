"""Checks of the science, by numpy alone: figures against independent code, coverage of intervals,
type I error of differences by seed alone, and that held-out rows do not leak into training.
Prints a table with the goal beside each figure, and "N passed, N failed".

    check.py PROGRAM DEMO [DRAWS]     DRAWS of the coverage (default 1000)
"""
import collections
import csv
import io
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM, DEMO = sys.argv[1:3]
DRAWS = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
LANGUAGES, IDS, DIMS = 3, 150, 16
METHODS = ("seed intra inter dream meat oracle structure centre centre+whiten abtt lir lsar "
           "leace").split()
scratch = tempfile.TemporaryDirectory()
passed = failed = 0


def path(name):
    return os.path.join(scratch.name, name)


def run(*words):
    done = subprocess.run([PROGRAM, *words, "-q"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def figures(*words):
    return list(csv.DictReader(io.StringIO(run("eval", *words, "--format", "csv"))))


def check(name, value, goal, good):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"{'ok' if good else 'FAILED':7}{name:52}{value:>14}   {goal}", flush=True)


# --- a population: ids with a meaning, languages with an offset, rows with noise ------------

plan = np.random.default_rng(7)
OFFSET = plan.normal(size=(LANGUAGES, DIMS)) * .45
SPECTRUM = np.linspace(1.3, .5, DIMS)


def draw_rows(random, offset=1.0, ids=IDS):
    """Rows by id, then language, and scores of pairs of ids, in each pair of languages."""
    meaning = random.normal(size=(ids, DIMS)) * SPECTRUM
    rows = meaning[:, None] + offset * OFFSET + .55 * random.normal(size=(ids, LANGUAGES, DIMS))
    unit = meaning / np.linalg.norm(meaning, axis=1, keepdims=True)
    scores = []
    for left in range(0, ids - 1, 2):
        gold = unit[left] @ unit[left + 1] + .15 * random.normal()
        for a in range(LANGUAGES):
            for b in range(a + 1, LANGUAGES):
                scores.append((left * LANGUAGES + a, (left + 1) * LANGUAGES + b, round(gold, 4)))
    return rows.reshape(-1, DIMS).astype(np.float32), scores


def write(name, rows, scores=None):
    np.save(path(name + ".npy"), rows)
    with open(path(name + ".csv"), "w") as out:
        out.write("lang,text,id\n")
        for i in range(len(rows)):
            out.write(f"{('en', 'de', 'fr')[i % LANGUAGES]},s{i // LANGUAGES},{i // LANGUAGES}\n")
    if scores:
        with open(path("scores.csv"), "w") as out:
            out.write("left,right,score\n")
            out.writelines("%d,%d,%s\n" % one for one in scores)
    return path(name + ".npy")


# --- agreement --------------------------------------------------------------------------------


def expected(rows, lang, ids):
    """Figures by their definitions, in double precision, all rows of all languages."""
    unit = rows.astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    cosine = unit @ unit.T
    np.fill_diagonal(cosine, -np.inf)
    order = np.argsort(-cosine, axis=1, kind="stable")[:, :10]
    same = lang[order] == lang[:, None]
    others = np.where(ids[:, None] == ids, -np.inf, cosine)
    near = np.argsort(-others, axis=1, kind="stable")[:, :10]
    squares, top, n = [], [], len(rows)
    for a in np.unique(lang):
        for b in np.unique(lang):
            if a == b:
                continue
            x, y = np.where(lang == a)[0], np.where(lang == b)[0]
            best = y[np.argmax(cosine[np.ix_(x, y)], axis=1)]
            top.append(np.mean(ids[best] == ids[x]))
            if a < b:
                at = {ids[j]: j for j in y}
                squares += [np.sum((unit[i] - unit[at[ids[i]]]) ** 2) for i in x]
    gram = np.exp(4 * (unit @ unit.T) - 4)
    centred = unit - unit.mean(0)
    values = np.linalg.eigvalsh(centred.T @ centred / n)
    score = (values.sum() ** 2 / (values ** 2).sum() - 1) / (rows.shape[1] - 1)
    return {
        "alignment": np.mean(squares),
        "uniformity": np.log((gram.sum() - np.trace(gram)) / (n * (n - 1))),
        "pool_translation": np.mean((ids[order[:, 0]] == ids) & ~same[:, 0]),
        "pool_same_language": np.mean(same[:, 0]),
        "purity10": np.mean(lang[near] == lang[:, None]),
        "top1": np.mean(top),
        "isoscore": score,
    }


def check_agreement():
    meta = list(csv.DictReader(open(os.path.splitext(DEMO)[0] + ".csv")))
    sets = {"demo": (np.load(DEMO), np.array([m["lang"] for m in meta]),
                     np.array([m["id"] for m in meta]), [DEMO])}
    for name, offset in (("weak clusters", .4), ("clusters", 1), ("strong clusters", 2.5)):
        rows, _ = draw_rows(np.random.default_rng(3), offset)
        number = np.arange(len(rows))
        sets[name] = (rows, number % LANGUAGES, number // LANGUAGES,
                      [write("agreement", rows), "--meta", path("agreement.csv")])
        want = expected(*sets[name][:3])
        report_agreement(name, want, figures(*sets[name][3], "--measures", "all"))
    report_agreement("demo", expected(*sets["demo"][:3]), figures(DEMO, "--measures", "all"))


def report_agreement(name, want, found):
    value = {f["measure"]: float(f["value"]) for f in found
             if not f["from"] and not f["to"] and f["value"]}
    for key, right in want.items():
        error = abs(value[key] - right)
        check(f"agreement with numpy, {name}: {key}", f"{error:.1e}", "at most 1e-5", error <= 1e-5)


# --- coverage ---------------------------------------------------------------------------------


def check_coverage():
    found = collections.defaultdict(list)
    for seed in range(DRAWS):
        data = write("coverage", *draw_rows(np.random.default_rng(1000 + seed)))
        for f in figures(data, "--meta", path("coverage.csv"), "--scores", path("scores.csv"),
                         "--ci", "--threads", "1", "--measures", "all"):
            if f["low"] and not f["from"] and not f["to"]:
                found[f["measure"]].append([float(f[k]) for k in ("value", "low", "high")])
    noise = 2 * np.sqrt(.95 * .05 / DRAWS) if DRAWS < 1000 else 0
    for key, rows in found.items():
        value, low, high = np.array(rows).T
        share = np.mean((low <= value.mean()) & (value.mean() <= high))
        check(f"coverage of {key}", f"{share:.3f}", ".93 to .97",
              .93 - noise <= share <= .97 + noise)


# --- seeds ------------------------------------------------------------------------------------


def check_seeds(replicates=10, seeds=3):
    """Two groups that train alike (patience is never reached) differ by the seed alone."""
    import json
    rejected = compared = 0
    for replicate in range(replicates):
        data = write("seeds", draw_rows(np.random.default_rng(50 + replicate))[0])
        words = [data, "--meta", path("seeds.csv")]
        runs = []
        for k in range(2 * seeds):
            out = path(f"run-{replicate}-{k}")
            run("train", *words, "--method", "seed", "--lr", "1e-3", "--epochs", "4", "--seed",
                str(k + 1), "--patience", str(50 + k % 2), "--out", out)
            runs += ["--run", out]
        document = json.loads(run("eval", *words, *runs, "--split", "valid", "--ci", "--json"))
        for d in document["differences"]:
            if d["less"]:
                compared += 1
                rejected += d["significant"]
    share = rejected / max(compared, 1)
    check(f"type I error, seeds alone ({compared} differences)", f"{share:.3f}", "at most .06",
          compared and share <= .06)


# --- leaks ------------------------------------------------------------------------------------


def check_leaks():
    """Vectors of test ids are replaced by noise: what is trained must be the same."""
    rows, _ = draw_rows(np.random.default_rng(9))
    for method in METHODS:
        data = write("leak", rows)
        words = [data, "--meta", path("leak.csv"), "--method", method, "--epochs", "2",
                 "--holdout", "0.3"]
        one, two = path(f"{method}-1"), path(f"{method}-2")
        run("train", *words, "--out", one)
        held = {line.strip() for line in open(os.path.join(one, "holdout.csv"))}
        other = rows.copy()
        changed = [i for i in range(len(rows)) if str(i // LANGUAGES) in held]
        other[changed] = np.random.default_rng(1).normal(size=(len(changed), DIMS)) * 5
        write("leak", other)
        run("train", *words, "--out", two)
        weights = [f for f in os.listdir(one) if f.endswith(".npy")]
        same = all(open(os.path.join(one, f), "rb").read() == open(os.path.join(two, f), "rb").read()
                   for f in weights)
        check(f"test rows leak nothing into {method}", f"{len(weights)} files", "the same bytes",
              same and weights and changed)


print(f"{'':7}{'':52}{'figure':>14}   goal")
check_agreement()
check_leaks()
check_seeds()
check_coverage()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
