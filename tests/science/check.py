"""Checks of the science, by numpy alone: that held-out rows do not leak into training; and, on drawn
datasets, how often intervals cover and differences reject. (tests/oracle compares the figures.)
Prints a table with the goal of each line, and "N passed, N failed"; exits with 1 if any failed.

    check.py PROGRAM [DRAWS]     DRAWS of a population (default 1000)

A dataset is drawn from a population: ids with a meaning, languages with an offset, rows with noise.
Its vectors have two parts that are drawn alike and one that differs, and the runs A and B read more of
one part each: what is true of A is true of B, so that a difference is an error (type I). The truth that an
interval is to cover is the mean of the figure over the draws: its expected value for as many ids. Draws
are fixed, so the table is the same each time. A line fails if its share is beyond the goal by the exact
binomial test: if the 99% interval of the share (Clopper, Pearson) has nothing in common with the goal. Of
1000 draws that is at .896 or .991 for coverage of .92 to .98, at .081 for a type I error of at most .06.
It takes 6 to 10 minutes on two cores.

  ids        every id has one row in each language; scored pairs are items by twos
  clusters   an id has one to three rows in a language; scored pairs are items by threes
  hidden     as ids, for the probe with a hidden layer, which takes longest: fewer draws
  unseen     half of the ids are held out, and the others, from which fitted probes learn, are the same
  seeds      A and B are three runs each, whose weights vary by the seed
  power      the same, but that B has less noise: differences are to be found
"""
import collections
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = sys.argv[1]
DRAWS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
LANGUAGES, IDS, PART, OTHER = 3, 100, 10, 6
DIMS = 2 * PART + OTHER
METHODS = ("seed intra inter dream meat oracle structure centre centre+whiten abtt lir lsar "
           "leace").split()
SPACES = "original meaning language".split()
POPULATIONS = (("ids", 1), ("clusters", 1), ("unseen", .5), ("hidden", .5), ("seeds", .5), ("power", .1))
CHEAP = "geometry,pool,retrieval,similarity,reversibility,isotropy,cka,space_cka,probe"
scratch = tempfile.TemporaryDirectory()
passed = failed = 0


def path(name):
    return os.path.join(scratch.name, name)


def run(*words):
    done = subprocess.run([PROGRAM, *words, "-q"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def check(name, value, goal, good, truth="", draws=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"{'ok' if good else 'FAILED':7}{name:50}{truth:>9}{draws:>7}{value:>23}   {goal}", flush=True)


def beyond(share, draws, least, most):
    """Whether the 99% interval of a share of so many draws lies outside of a goal."""
    def tail(p, counts):
        return sum(math.exp(math.lgamma(draws + 1) - math.lgamma(k + 1) - math.lgamma(draws - k + 1)
                            + k * math.log(p) + (draws - k) * math.log(1 - p)) for k in counts)

    k = round(share * draws)
    return (least > 0 and tail(least, range(k + 1)) < .005) or (most < 1 and tail(most, range(k, draws + 1)) < .005)


# --- populations ----------------------------------------------------------------------------

plan = np.random.default_rng(7)
OFFSET = np.tile(plan.normal(size=(LANGUAGES, 1, PART)) * .45, (1, 2, 1))
STRONG = plan.normal(size=(LANGUAGES, OTHER)) * .8
SPECTRUM = np.linspace(1.3, .5, PART)


def draw_rows(random, ids=IDS, copies=None):
    """Vectors, languages, ids, and scores of pairs of rows. copies: of each id and language."""
    meaning = random.normal(size=(ids, PART)) * SPECTRUM
    copies = np.ones((ids, LANGUAGES), int) if copies is None else copies
    parts = .55 * random.normal(size=(ids, LANGUAGES, 2, PART)) + OFFSET + meaning[:, None, None]
    other = .8 * random.normal(size=(ids, LANGUAGES, OTHER)) + STRONG + .5 * meaning[:, None, :OTHER]
    rows = np.concatenate([parts.reshape(ids, LANGUAGES, -1), other], axis=2).reshape(-1, DIMS)
    rows = np.repeat(rows, copies.ravel(), axis=0)
    number = np.repeat(np.arange(ids * LANGUAGES), copies.ravel())
    if len(number) > ids * LANGUAGES:
        rows = rows + .25 * random.normal(size=rows.shape)
    first = np.searchsorted(number, np.arange(ids * LANGUAGES)).reshape(ids, LANGUAGES)
    unit = meaning / np.linalg.norm(meaning, axis=1, keepdims=True)
    together = 3 if len(number) > ids * LANGUAGES else 2
    scores = []
    for i in range(0, ids - together + 1, together):
        for left in range(i, i + together):
            for right in range(left + 1, i + together):
                gold = round(unit[left] @ unit[right] + .15 * random.normal(), 4)
                scores += [(first[left, a], first[right, b], gold)
                           for a in range(LANGUAGES) for b in range(a + 1, LANGUAGES)]
    return rows.astype(np.float32), number % LANGUAGES, number // LANGUAGES, scores


def write(name, rows, lang, ids, scores=()):
    np.save(path(name + ".npy"), rows)
    with open(path(name + ".csv"), "w") as out:
        out.write("lang,text,id\n")
        out.writelines(f"{('en', 'de', 'fr')[a]},s{b},{b}\n" for a, b in zip(lang, ids))
    with open(path(name + ".scores"), "w") as out:
        out.write("left,right,score\n")
        out.writelines("%d,%d,%s\n" % one for one in scores)
    return [path(name + ".npy"), "--meta", path(name + ".csv")]


def weights(which, other=0.0):
    """The map to meaning embeddings of a run that reads more of one part, and `other` of the second."""
    own = np.full(DIMS, .3)
    own[which * PART:(which + 1) * PART], own[(1 - which) * PART:(2 - which) * PART] = .85 - other, .1
    map = np.diag(own)
    map[which * PART:(which + 1) * PART, (1 - which) * PART:(2 - which) * PART] += other * np.eye(PART)
    return map


def make_run(words, name, patience, map, *options):
    """A run directory with these weights. Runs of one patience are one method."""
    if not os.path.exists(path(name)):
        run("train", *words, "--method", "seed", "--epochs", "1", "--batch", "32", "--patience", str(patience),
            "--seed", name.rpartition("-")[2], *options, "--out", path(name))
    np.save(os.path.join(path(name), "meaning.weight.npy"), map.astype(np.float32))
    np.save(os.path.join(path(name), "meaning.bias.npy"), np.zeros(DIMS, np.float32))
    return ["--run", path(name)]


# --- coverage and type I error ----------------------------------------------------------------


def draw(task):
    """Measure a drawn dataset. Returns figures with intervals, and the differences of B from A."""
    population, seed = task
    random = np.random.default_rng(1000 + seed)
    name, options = f"{population}{os.getpid()}", ["--measures", CHEAP, "--scores", ""]
    copies = random.choice([1, 2, 3], p=[.6, .25, .15], size=(IDS, LANGUAGES))
    if population == "ids":
        data = write(name, *draw_rows(random))
    elif population == "clusters":
        data = write(name, *draw_rows(random, ids=60, copies=copies[:60]))
    elif population == "unseen":
        rows, lang, ids, scores = draw_rows(random)
        train = ~np.isin(ids, HELD)
        rows[train] = draw_rows(np.random.default_rng(5))[0][train]
        data = write(name, rows, lang, ids, scores)
        options = ["--measures", "probe,hidden_probe", "--method", "baseline", "--valid", "0.5", "--split", "valid"]
    else:
        data = write(name, *draw_rows(random, ids=60))
        options = ["--measures", "hidden_probe" if population == "hidden" else "geometry,pool,isotropy,cka"]
    if "--scores" in options:
        options[-1] = path(name + ".scores")
    runs = [] if population == "unseen" else ["--run", path("A-1"), "--run", path("B-1")]
    if population in ("seeds", "power"):
        runs = []
        for k in range(6):
            map = weights(*((k // 3, 0) if population == "seeds" else (0, .12 * (k // 3))))
            runs += make_run(data, f"{population}{os.getpid()}-{k}", 5 + k // 3,
                             map + .02 * random.normal(size=map.shape))
    document = json.loads(run("eval", *data, *options, *runs, "--ci", "--json", "--threads", "1"))
    return ([(f["space"], f["measure"], f["run"], f["from"], f["to"], f["value"], f["low"], f["high"])
             for f in document["figures"] if f["low"] is not None and not (population in ("seeds", "power"))],
            [(d["space"], d["measure"], not d["low"] <= 0 <= d["high"], d["significant"])
             for d in document["differences"] if d["less"] and d["low"] is not None])


def simulate(pool, population, draws):
    """Print how often each figure is covered, in the original, the meaning and the language space, and how
    often A and B are found to differ, in the latter two."""
    found, rejected, any_of = collections.defaultdict(list), collections.defaultdict(list), []
    for values, differences in pool.imap_unordered(draw, [(population, i) for i in range(draws)]):
        for space, measure, which, source, target, *numbers in values:
            part = ", parts" if source or target else ""
            found[measure + part, space, (which, source, target)].append(numbers)
        for space, measure, apart, _ in differences:
            rejected[measure, space].append(apart)
        any_of += [any(d[3] for d in differences if d[0] == "meaning")] if differences else []
    lines = collections.defaultdict(lambda: collections.defaultdict(list))
    for (measure, space, _), numbers in found.items():
        value, low, high = np.array(numbers, float).T
        lines[measure][space].append((np.mean((low <= value.mean()) & (value.mean() <= high)), value.mean()))
    for measure, spaces in lines.items():
        covers = [np.mean(spaces[space], axis=0)[0] for space in SPACES if space in spaces]
        check(f"{population}: {measure} covers", "  ".join(f"{c:.3f}" for c in covers), ".92 to .98",
              not any(beyond(c, draws, .92, .98) for c in covers), f"{list(spaces.values())[0][0][1]:.3f}", str(draws))
    for measure in dict.fromkeys(measure for measure, _ in rejected):
        rates = [np.mean(rejected[measure, space]) for space in SPACES if (measure, space) in rejected]
        null = population != "power"
        check(f"{population}: {measure} differs", "  ".join(f"{r:.3f}" for r in rates),
              "at most .06" if null else "power", not (null and beyond(max(rates), draws, 0, .06)),
              "no" if null else "yes", str(draws))
    if any_of:
        share, null = np.mean(any_of), population != "power"
        check(f"{population}: any figure differs (Holm)", f"{share:.3f}", "at most .06" if null else "at least .50",
              not beyond(share, draws, *((0, .06) if null else (.5, 1))), "no" if null else "yes", str(draws))


def check_draws():
    global HELD
    data = write("base", *draw_rows(np.random.default_rng(5)))
    for which in range(2):
        make_run(data, f"{'AB'[which]}-1", 5 + which, weights(which))
    run("train", *data, "--method", "baseline", "--valid", "0.5", "--out", path("unseen"))
    HELD = np.loadtxt(path("unseen/valid.csv"), skiprows=1)
    with multiprocessing.Pool() as pool:
        for population, share in POPULATIONS:
            simulate(pool, population, max(1, int(share * DRAWS)))


# --- leaks ------------------------------------------------------------------------------------


def check_leaks():
    """Vectors of test ids are replaced by noise: what is trained must be the same."""
    rows, lang, ids, _ = draw_rows(np.random.default_rng(9))
    for method in METHODS:
        words = [*write("leak", rows, lang, ids), "--method", method, "--epochs", "2",
                 "--holdout", "0.3"]
        one, two = path(f"{method}-1"), path(f"{method}-2")
        run("train", *words, "--out", one)
        held = {line.strip() for line in open(os.path.join(one, "holdout.csv"))}
        other = rows.copy()
        changed = [i for i in range(len(rows)) if str(i // LANGUAGES) in held]
        other[changed] = np.random.default_rng(1).normal(size=(len(changed), DIMS)) * 5
        write("leak", other, lang, ids)
        run("train", *words, "--out", two)
        weights = [f for f in os.listdir(one) if f.endswith(".npy")]
        same = all(open(os.path.join(one, f), "rb").read() == open(os.path.join(two, f), "rb").read()
                   for f in weights)
        check(f"test rows leak nothing into {method}", f"{len(weights)} files", "the same bytes",
              same and weights and changed)


if __name__ == "__main__":
    print(f"{'':7}{'':50}{'truth':>9}{'draws':>7}{'figure':>23}   goal")
    check_leaks()
    check_draws()
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
