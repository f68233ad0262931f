"""The program on a dataset that is made for it: commands, and keys while it trains.

    ROWS, DIMS, LANGUAGES   of the dataset (default 12,000, 256, 8)
    TMPDIR                  where it is made

CPU and wall time of each command, its memory, the CPU time of its matrix products alone, and
what a user would do in numpy, FAISS, pandas or PyTorch instead (peers.py, as far as they are
installed). Rows are those of some languages: a meaning, in one of 40 clusters, the language,
and noise, each with a spectrum that falls as a power law."""
import fcntl
import math
import os
import pty
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
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
PROGRAM = os.environ.get("ISOGLOSS", "build/isogloss")


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


def explorer(path):
    """The explorer on a terminal; read(seconds, until) of what it draws."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(PROGRAM, [PROGRAM, path, "--method", "seed", "--no-mouse"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))

    def read(seconds, until=None):
        end, seen = time.monotonic() + seconds, b""
        while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            seen += os.read(terminal, 65536)
            if until and until in seen:
                return True
        return False
    return child, terminal, read


def idle_ticks(path):
    """Clock ticks of 10 seconds without a key, once all is measured."""
    child, _, read = explorer(path)
    used = [-2, -1]
    while used[-1] != used[-2] and len(used) < 30:
        read(10)
        with open(f"/proc/{child}/stat", encoding="utf-8") as stat:
            used.append(sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13])))
    os.kill(child, 9)
    os.waitpid(child, 0)
    return used[-1] - used[-2]


def key_to_screen(path):
    """Milliseconds until a key is seen, 25 times while the dataset is trained on."""
    child, terminal, read = explorer(path)
    took = []
    read(10)
    os.write(terminal, b" ")
    read(10)
    for _ in range(25):
        start = time.monotonic()
        os.write(terminal, b":")
        read(5, b"Tab complete")
        took.append(1e3 * (time.monotonic() - start))
        read(0.3)
        os.write(terminal, b"\x1b")
        read(0.9)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return took


def main():
    n, d, languages = (int(os.environ.get(name) or otherwise) for name, otherwise
                       in (("ROWS", 12000), ("DIMS", 256), ("LANGUAGES", 8)))
    folder = tempfile.mkdtemp(prefix="isogloss-bench.")
    os.environ["XDG_CONFIG_HOME"] = folder
    names = {"set": f"{folder}/set.npy", "run": f"{folder}/run", "out": f"{folder}/split"}
    rate = product_rate(d)
    try:
        make_set(names["set"], n // languages * languages, d, languages)
        print(f"{n} rows of {d} dimensions, {languages} languages")
        for name, line, work in TASKS:
            cost = run([PROGRAM] + line.format(**names).split())
            if not cost:
                sys.exit(f"  {name} failed")
            floor = work(n, d, languages) / rate
            print(f"  {name:10} {cost[0]:8.2f} CPU-s  {cost[1]:8.2f} s  {cost[2]:6.0f} MB"
                  + (f"   products alone {floor:8.2f} s   ratio {cost[0] / floor:5.2f}"
                     if floor else ""), flush=True)
            subprocess.run([sys.executable, "tests/bench/peers.py", name, names["set"],
                            folder, str(languages)], stderr=subprocess.DEVNULL)
        took = key_to_screen(names["set"])
        print(f"  key to screen while it trains: median {statistics.median(took):.1f} ms, "
              f"most {max(took):.1f} ms")
        print(f"  idle for 10 s: {idle_ticks(names['set'])} ticks of CPU time")
    finally:
        shutil.rmtree(folder)


main()
