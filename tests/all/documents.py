#!/usr/bin/env python3
"""Run the commands of documents and compare what they print with what is written.

usage: documents.py ISOGLOSS FILE.md...     prints TAP
       documents.py --update ISOGLOSS FILE.md...   writes what commands print

A block ```console holds lines "$ command", each followed by what it prints; "…" stands for
any lines. Numbers may differ by 2% or two units of their last digit, in percent by 1.5:
processors round differently. A block ```python is a program, a block ```FILE.NAME the
contents of a file. The blocks of a document run one after the other in one empty folder.
Every percentage in the text is one that a command printed.
"""

import os
import re
import subprocess
import sys
import tempfile

NUMBER = re.compile(r"[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")
FENCE = re.compile(r"^```(\S+)\n(.*?)^```\n", re.M | re.S)


def value(text):
    return float(text.replace(",", "").replace("−", "-"))


def close(a, b, percent):
    decimals = len(a.partition(".")[2])
    most = max(2 * 10.0**-decimals, 0.02 * abs(value(a)), 1.5 if percent else 0)
    return abs(value(a) - value(b)) <= most


def same_line(want, got):
    """Words are equal, columns may be wider; numbers are close."""
    shape = [re.sub(r"\s+", " ", NUMBER.sub("0", line)).strip() for line in (want, got)]
    if shape[0] != shape[1]:
        return False
    wanted = [(m.group(), want[m.end():m.end() + 1] == "%") for m in NUMBER.finditer(want)]
    return all(close(a, b, percent) for (a, percent), b in zip(wanted, NUMBER.findall(got)))


def missing(want, got):
    """The first line of `want` that `got` does not have in its place, or None."""
    at, skip = 0, False
    for line in want:
        if line.strip() == "…":
            skip = True
            continue
        while skip and at < len(got) and not same_line(line, got[at]):
            at += 1
        if at == len(got) or not same_line(line, got[at]):
            return line + ("\n# printed: " + got[at] if at < len(got) else "")
        at, skip = at + 1, False
    return None if skip or at == len(got) else "(more) " + got[at]


def run(command, folder, environment):
    done = subprocess.run(command, shell=isinstance(command, str), cwd=folder, env=environment, text=True,
                          executable="/bin/bash" if isinstance(command, str) else None,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]


def commands(block):
    """(command, lines) of a console block."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and (found[-1][0].endswith("\\") or found[-1][0].count("'") % 2):
            found[-1] = (found[-1][0] + "\n" + line, [])
        else:
            found[-1][1].append(line)
    return found


class Document:
    def __init__(self, path, program, update):
        self.path, self.update = path, update
        self.text = open(path, encoding="utf-8").read()
        self.folder = tempfile.mkdtemp()
        self.printed, self.results = [], []
        self.skips = False  # what follows a program that numpy is missing for
        data = os.path.abspath("data")
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="80", ISOGLOSS_DATA=data,
                                XDG_CONFIG_HOME=self.folder, PYTHONPATH=os.path.abspath("assets/python"),
                                PATH=os.path.dirname(os.path.abspath(program)) + ":" + os.environ["PATH"])

    def console(self, block):
        lines = []
        for command, want in commands(block):
            if self.skips:
                self.results.append((command.splitlines()[0] + " # SKIP numpy is absent", None))
                lines += ["$ " + command] + want
                continue
            status, got = run(command, self.folder, self.environment)
            self.printed += got
            wrong = "status %d: %s" % (status, " / ".join(got[-3:])) if status else missing(want, got)
            if self.update and not status and "…" not in [line.strip() for line in want]:
                want, wrong = got, None
            self.results.append((command.replace("\n", " "), wrong))
            lines += ["$ " + command] + want
        return "\n".join(lines) + "\n"

    def python(self, block):
        status, _ = run([sys.executable, "-c", "import numpy"], self.folder, self.environment)
        if status:
            self.skips = True
            self.results.append(("Python # SKIP numpy is absent", None))
            return
        status, got = run([sys.executable, "-c", block], self.folder, self.environment)
        self.printed += got
        self.results.append(("Python: " + block.splitlines()[0], " / ".join(got[-4:]) if status else None))

    def block(self, match):
        kind, block = match.groups()
        if kind == "console":
            block = self.console(block)
        elif kind == "python":
            self.python(block)
        elif "." in kind:
            with open(os.path.join(self.folder, kind), "w", encoding="utf-8") as file:
                file.write(block)
        return "```" + kind + "\n" + block + "```\n"

    def check(self):
        text = FENCE.sub(self.block, self.text)
        if self.update:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(text)
        printed = [value(n) * scale for n in NUMBER.findall("\n".join(self.printed)) for scale in (1, 100)]
        for number in re.findall(r"(\d+(?:\.\d+)?)%", FENCE.sub("", text)):
            if not self.skips and not any(abs(value(number) - p) <= 1.5 for p in printed):
                self.results.append(("its " + number + "% was printed", "by no command"))
        return self.results


def main():
    update = sys.argv[1] == "--update"
    program, *paths = sys.argv[1 + update:]
    count = failed = 0
    for path in paths:
        for name, wrong in Document(path, program, update).check():
            count += 1
            failed += wrong is not None
            print("%sok %d - %s: %s" % ("not " if wrong else "", count, os.path.basename(path), name))
            if wrong:
                print("# " + wrong)
    print("1..%d" % count)
    return failed > 0


sys.exit(main())
