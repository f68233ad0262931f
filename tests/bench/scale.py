"""The program itself on datasets of several sizes, beside what a user would do in numpy,
FAISS, pandas and PyTorch (peers.py, as far as they are installed). CPU time.

    SCALE_ROWS       of the largest dataset (default 48,000; 1,000,000 of 256 dimensions are
                     1 GB); others have a half, a quarter and an eighth
    SCALE_DIMS       (default 256)
    SCALE_LANGUAGES  (default 8)
    SCALE_SECONDS    what takes more by its products alone is left out (default 100)
    TMPDIR           where the datasets are made

Rows are those of some languages: a meaning, in one of 40 clusters, the language, and noise,
each with a spectrum that falls as a power law."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

import numpy

# name, arguments ({set}, {run}, {out}), flops of its products (n rows, d dims, l languages)
TASKS = [
    ("open", "render {set} --keys q --size 80x24", lambda n, d, l: 0),
    ("search", "search {set} --row 5 --k 10 -q", lambda n, d, l: 0),
    ("project", "project {set} --components 10 -q", lambda n, d, l: n * d * d),
    ("eval", "eval {set} --format csv -q", lambda n, d, l: n * n * d),
    # All rows of a meaning with the pivot's, 8 d² a pair, 9 of 10; validation 4 d².
    ("train", "train {set} --epochs 2 --patience 0 -q --overwrite --out {run}",
     lambda n, d, l: 2 * n * (l - 1) / l * (0.9 * 8 + 0.1 * 4) * d * d),
    ("transform", "transform {set} -q --run {run} --out {out}", lambda n, d, l: 2 * n * d * d),
]


def number_of(name, otherwise):
    return int(os.environ.get(name) or otherwise)


def make_set(path, n, d, languages):
    scale = (1 / numpy.sqrt(1 + numpy.arange(d))).astype("f4")
    row = numpy.arange(n)
    rows = numpy.zeros((n, d), "f4")
    parts = [(numpy.zeros(n, int), 1), (row // languages % 40, 0.7), (row // languages, 1),
             (row % languages, 0.6), (row, 0.45)]  # common, cluster, meaning, language, noise
    for kind, (number, by) in enumerate(parts):
        random = numpy.random.default_rng(77 + kind)
        rows += by * random.standard_normal((number.max() + 1, d), "f4")[number] * scale
    numpy.save(path, rows)
    with open(path[:-4] + ".csv", "w", encoding="utf-8") as table:
        table.write("id,lang,text\n")
        for i in range(n):
            m, k = divmod(i, languages)
            table.write(f"m{m},l{k},sentence {m} of language {k}\n")


def product_rate(d):
    """Flops a CPU second of single precision products."""
    a, b, best = numpy.ones((4096, d), "f4"), numpy.ones((d, 1024), "f4"), math.inf
    for _ in range(10):
        start = time.process_time()
        a @ b
        best = min(best, time.process_time() - start)
    return 2 * 4096 * 1024 * d / best


def run(words):
    """CPU seconds, wall seconds and megabytes of a program; None where it fails."""
    start = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        return None
    return used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss / 1024


def main():
    rows, d = number_of("SCALE_ROWS", 48000), number_of("SCALE_DIMS", 256)
    languages, most = number_of("SCALE_LANGUAGES", 8), number_of("SCALE_SECONDS", 100)
    folder = tempfile.mkdtemp(prefix="isogloss-scale.")
    os.environ["XDG_CONFIG_HOME"] = folder
    names = {"set": f"{folder}/set.npy", "run": f"{folder}/run", "out": f"{folder}/split"}
    program, rate = os.environ.get("ISOGLOSS", "build/isogloss"), product_rate(d)
    took = {name: [] for name, _, _ in TASKS}
    try:
        for shift in (3, 2, 1, 0):
            n = (rows >> shift) // languages * languages
            make_set(names["set"], n, d, languages)
            print(f"{n} rows of {d} dimensions, {languages} languages")
            for name, line, work in TASKS:
                floor = work(n, d, languages) / rate
                if floor > most:
                    print(f"  {name:10} left out: its products alone take {floor:.0f} s")
                    continue
                shutil.rmtree(names["out"], ignore_errors=True)
                cost = run([program] + line.format(**names).split())
                if not cost:
                    print(f"  {name:10} failed")
                    continue
                took[name].append((n, cost[0]))
                ratio = (f"   products alone {floor:8.2f} s   ratio {cost[0] / floor:5.2f}"
                         if floor else "")
                print(f"  {name:10} {cost[0]:8.2f} CPU-s  {cost[1]:8.2f} s  {cost[2]:6.0f} MB"
                      f"{ratio}", flush=True)
                if shift == 0:
                    subprocess.run([sys.executable, "tests/bench/peers.py", name, names["set"],
                                    folder, str(languages)], stderr=subprocess.DEVNULL)
        print("CPU-s grow with the rows to the power of")
        for name, points in took.items():
            if len(points) > 1:
                x, y = numpy.log(numpy.array(points)).T
                print(f"  {name:10} {numpy.polyfit(x, y, 1)[0]:.2f}")
    finally:
        shutil.rmtree(folder)


main()
