"""The table of the papers' claims: what comes out on the demo's held-out sentences, with intervals.
Trains every method with `sweep` (three seeds), compares with `eval`, and rewrites what stands
between the two marks in PAGE.

    claims.py PROGRAM DEMO PAGE [FOLDER]     FOLDER keeps the runs, and what is there is not trained again
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, DEMO, PAGE = sys.argv[1:4]
FOLDER = sys.argv[4] if len(sys.argv) > 4 else None
SEEDS = ("1", "2", "3")
MEASURES = "pool_translation,purity10,top1,top5,similarity_gap,alignment,uniformity,isoscore,probe,probe_raw," \
           "probe_raw_fitted,overlap5,reversibility"
SHARES = "pool_translation purity10 top1 top5 probe probe_raw probe_raw_fitted overlap5".split()
BEGIN, END = "<!-- claims:begin -->", "<!-- claims:end -->"

# Methods with their options; the presets' rates are for larger datasets.
LINEAR = ("--lr", "2e-3", "--epochs", "40", "--patience", "0")
SWEEPS = [("baseline,centre,centre+whiten,abtt,lir,lsar,leace,procrustes,inlp", SEEDS[:1], ()),
          ("seed,intra,inter,dream,meat,oracle,dream+oracle,meat+oracle,oracle-code,"
           "dream+oracle-code,meat+oracle-code", SEEDS, LINEAR),
          ("structure,structure-align,structure-geo", SEEDS, ("--lr", "1e-3"))]

# Claim, source, method, compared with ("" for chance), space, measure, direction (0: equal).
CLAIMS = [
    ("More translations than DREAM finds", "seed T1, T4, by scores", "seed", "dream", "meaning", "pool_translation", 1),
    ("More translations than MEAT finds", "seed T1, T4, by scores", "seed", "meat", "meaning", "pool_translation", 1),
    ("More translations than centring finds", "seed T1, T4, by scores", "seed", "centre", "meaning", "pool_translation", 1),
    ("Meaning and language add up to the vector", "seed eq.1-2", "seed", "dream", "meaning", "reversible", 1),
    ("Meanings of translations can be exchanged", "seed eq.6", "seed", "intra", "meaning", "exchanged_meaning", 1),
    ("Constraints within a component improve uniformity", "bias §5", "intra", "baseline", "meaning", "uniformity", -1),
    ("They do so more than those across components", "bias §5", "intra", "inter", "meaning", "uniformity", -1),
    ("Constraints across components improve alignment", "bias §5", "inter", "baseline", "meaning", "alignment", -1),
    ("They do so more than those within a component", "bias §5", "inter", "intra", "meaning", "alignment", -1),
    ("Meanings find translations", "dream", "dream", "baseline", "meaning", "top1", 1),
    ("Meanings find translations", "meat", "meat", "baseline", "meaning", "top1", 1),
    ("A probe does not read the language of meanings", "meat", "meat", "baseline", "meaning", "probe", -1),
    ("Languages gather, each by itself", "oracle eq.5", "oracle", "baseline", "language", "purity10", 1),
    ("Less language in meanings: they find translations", "oracle", "dream+oracle", "dream", "meaning", "top1", 1),
    ("Its indicator: language embeddings find fewer", "oracle", "dream+oracle", "dream", "language", "top1", -1),
    ("Less language in meanings: they find translations", "oracle", "meat+oracle", "meat", "meaning", "top1", 1),
    ("Its indicator: language embeddings find fewer", "oracle", "meat+oracle", "meat", "language", "top1", -1),
    ("Language embeddings find fewer, by the public code", "oracle, code", "dream+oracle-code", "dream", "language",
     "top1", -1),
    ("Language embeddings find fewer, by the public code", "oracle, code", "meat+oracle-code", "meat", "language",
     "top1", -1),
    ("The code gathers languages as eq. 5 does", "oracle, code", "oracle-code", "oracle", "language", "purity10", 0),
    ("Margin: Full above Baseline", "struct T2", "structure", "structure-align", "meaning", "similarity_gap", 1),
    ("Top-1: Full above Baseline", "struct T2", "structure", "structure-align", "meaning", "top1", 1),
    ("Top-5: Full above Baseline", "struct T2", "structure", "structure-align", "meaning", "top5", 1),
    ("Overlap: Full above Baseline", "struct T2", "structure", "structure-align", "meaning", "overlap5", 1),
    ("Overlap: Full above Geo", "struct T2", "structure", "structure-geo", "meaning", "overlap5", 1),
    ("Uniformity: Full below Baseline", "struct T2", "structure", "structure-align", "meaning", "uniformity", -1),
    ("Without its mean a language hides no translations", "seed §3.1", "centre", "baseline", "meaning",
     "pool_translation", 1),
    ("Nor without its first direction", "lir", "lir", "baseline", "meaning", "pool_translation", 1),
    ("Nor without the subspace of the means", "lsar", "lsar", "baseline", "meaning", "pool_translation", 1),
    ("More directions are used without the first", "abtt", "abtt", "baseline", "meaning", "isoscore", 1),
    ("More directions are used after whitening", "whiten", "centre+whiten", "centre", "meaning", "isoscore", 1),
    ("Rotations find translations that means do not", "procrustes", "procrustes", "centre", "meaning", "top1", 1),
    ("No linear probe reads the fitted rows", "leace", "leace (fitted rows)", "", "meaning", "probe_raw", 0),
    ("No probe of the fitted rows reads others", "leace", "leace", "", "meaning", "probe_raw_fitted", 0),
    ("Nor does a probe of others", "leace", "leace (rows unseen by both)", "", "meaning", "probe_raw", 0),
    ("No linear probe reads the rows", "inlp", "inlp", "", "meaning", "probe_raw", 0),
]
# Erasure measured on all rows; and where so much is held out that the probe is fitted to the
# held-out rows themselves.
ERASED = [("leace (fitted rows)", ()), ("leace (rows unseen by both)", ("--valid", "0.7", "--split", "valid"))]

scratch = tempfile.TemporaryDirectory()
folder = FOLDER or scratch.name
table, paths, compared = {}, {}, {}


def run(*words):
    done = subprocess.run([PROGRAM, *words, "-q"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def train():
    for number, (methods, seeds, options) in enumerate(SWEEPS):
        out = os.path.join(folder, str(number))
        if not os.path.exists(out + ".csv"):
            text = run("sweep", DEMO, "--method", methods, "--seed", ",".join(seeds), *options, "--measures",
                       MEASURES, "--ci", "--summary", "--out", out, "--overwrite")
            with open(out + ".csv", "w", encoding="utf-8") as kept:
                kept.write(text)
        for line in csv.DictReader(open(out + ".csv", encoding="utf-8")):
            name = line["method"]
            ends = [""] if len(seeds) == 1 else ["-s" + s for s in seeds]
            paths[name] = [os.path.join(out, name + end) for end in ends]
            for key, value in line.items():
                if key.endswith("_mean") and value:
                    table[name, key[:-5]] = [float(line[k] or "nan") if k in line else float("nan")
                                             for k in (key, key + "_low", key + "_high")]
    for name, options in ERASED:
        for f in json.loads(run("eval", DEMO, "--method", "leace", *options, "--measures", "probe_raw", "--ci",
                                "--format", "json"))["figures"]:
            if f["space"] == "meaning" and f["measure"] == "probe_raw":
                table[name, "probe_raw_meaning"] = [f["value"], f["low"], f["high"]]
                compared["chance"] = f["chance"]


def difference(method, other, space, measure):
    """D, its interval, and whether it is significant; None if the figure has no interval."""
    if (method, other) not in compared:
        words = [w for p in (paths[other] if other != "baseline" else []) + paths[method] for w in ("--run", p)]
        compared[method, other] = json.loads(run("eval", DEMO, "--split", "valid", *words, "--measures", MEASURES,
                                                 "--ci", "--format", "json"))["differences"]
    less = None if other == "baseline" else paths[other][0]
    for d in compared[method, other]:
        if (d["run"], d["less"], d["space"], d["measure"]) == (paths[method][0], less, space, measure):
            return d["value"], d["low"], d["high"], d["significant"]
    return None


def number(measure, value):
    return f"{100 * value:.1f}".replace("-", "−") if measure in SHARES else f"{value:.3f}".replace("-", "−")


def interval(measure, ends):
    if ends[0] is None or any(e != e for e in ends):
        return ""
    return f" [{number(measure, ends[0])}, {number(measure, ends[1])}]"


def judge(claim):
    what, source, method, other, space, measure, direction = claim
    key = f"{measure}_{'meaning' if other == 'baseline' else space}"
    value = table[method, f"{measure}_{space}"]
    label = f"{measure}, {space}" + (" (%)" if measure in SHARES else "")
    if not other:
        verdict = "yes" if value[1] <= compared["chance"] else "**no**"
        against, apart = f"chance {number(measure, compared['chance'])}", ""
    else:
        against = f"{other} {number(measure, table[other, key][0])}{interval(measure, table[other, key][1:])}"
        d = difference(method, other, space, measure)
        before = table[other, key]
        apart = number(measure, d[0] if d else value[0] - before[0]) + interval(measure, d[1:3] if d else [None])
        if not d:  # two spaces are not paired by eval: intervals that do not overlap differ
            above, below = value[1] > before[2], value[2] < before[1]
            verdict = "not tested" if value[1] != value[1] else "not shown" if not (above or below) else \
                "yes" if (above and direction > 0) or (below and direction < 0) else "**no**: the opposite"
        elif direction == 0:
            verdict = "**no**" if d[3] else "not shown otherwise"
        elif not d[3]:
            verdict = "not shown"
        else:
            verdict = "yes" if d[0] * direction > 0 else "**no**: the opposite"
    return (f"| {what} [{source}] | {label} | {method} {number(measure, value[0])}{interval(measure, value[1:])} | "
            f"{against} | {apart} | {verdict} |")


train()
lines = [judge(claim) for claim in CLAIMS]
page = open(PAGE, encoding="utf-8").read()
head, rest = page.split(BEGIN)
tail = rest.split(END)[1]
body = ["| claim | figure | method | compared with | difference | came out |", "|---|---|---|---|---|---|", *lines]
with open(PAGE, "w", encoding="utf-8") as out:
    out.write(f"{head}{BEGIN}\n" + "\n".join(body) + f"\n{END}{tail}")
print("\n".join(body))
print(f"{PAGE}: {len(lines)} claims; {sum(l.endswith('| yes |') for l in lines)} came out")
