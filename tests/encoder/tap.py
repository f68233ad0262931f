"""TAP of the tests in Python of make check-encoder."""

import subprocess
import sys

count = failed = 0


def check(name, holds, why=""):
    global count, failed
    count += 1
    failed += not holds
    print("ok" if holds else "not ok", count, "-", name)
    if not holds and why != "":
        print("#", str(why).replace("\n", "\n# "))


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {why}")


def run(*command, **how):
    """A program that has ended, with what it printed."""
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def end():
    print(f"1..{count}")
    sys.exit(failed > 0)
