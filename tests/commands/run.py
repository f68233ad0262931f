#!/usr/bin/env python3
"""Runs a table of commands: each row runs isogloss in a scratch folder and checks its exit
status, what it printed and the files that it wrote. Prints TAP.

    run.py TABLE.commands           $ISOGLOSS is the program (build/isogloss)

A table is read from top to bottom; its rows share the folder, so that a row can use what
earlier rows wrote. Lines that are indented belong to the line above them.

    # A comment.
    file NAME                       a file; its lines are indented
    npy NAME TYPE SHAPE: VALUES     a .npy file, as in: npy set.npy <f4 3,2: 1 0 0 1 1 1
    demo NAME N [L]                 the first N sentences of (the first L of) 8 languages of
                                    the demo set, as NAME.npy and NAME.csv
    $ COMMANDS                      of the shell, that must succeed; python3 is without site packages

    the name of the row: [VARIABLE=VALUE] ARGUMENTS [<FILE] [>FILE]
    the name of the row: $ COMMAND LINE of the shell
        STATUS [TEXT]               exit status (0 without this line), and a text in stderr;
                                    of a failure nothing may be on stdout but what `out` says
        out CHECK, err CHECK, file NAME CHECK
        keep NAME                   save stdout as a file
        json CHECK, csv CHECK       short for: out json CHECK

$root is the repository, {@FILE PATH:FORMAT} in a check a number from a file, below 0 with −. A CHECK is one of:

    TEXT, /REGEX/, not ...          is in it; in TEXT a run of blanks is any run of blanks
    empty, absent, exists
    same FILE                       byte by byte
    npy VALUES                      the values of a .npy file
    json PATH OP VALUE              OP is == != < <= > >= or ~ (equal to 1e-6, ~0.1 to 0.1); VALUE a number, a
    csv PATH OP VALUE               text, a list (of all that PATH selects) or @FILE PATH;
                                    PATH as in figures[measure=top1,from=en].value, [0].lang,
                                    or count PATH, distinct PATH. All that it selects must
                                    satisfy OP, and there must be something.
    json PATH absent
    csv columns OP VALUE
    csv like FILE [TOLERANCE] [FILTER] [but COLUMN,...]
                                    the same table, numbers within TOLERANCE, but for what
                                    it is of (data, source); `json like` compares its figures
    holds EXPRESSION                Python, with rows (of a CSV file, or the figures of JSON),
                                    document, text, mean(list) and read(FILE)
"""
import csv, io, json, math, os, re, shlex, struct, subprocess, sys, tempfile

root = os.getcwd()
program = os.path.abspath(os.environ.get("ISOGLOSS", "build/isogloss"))
LETTER = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "u1": "B", "i4": "i", "b1": "?", "V2": "H"}


class Wrong(Exception):
    pass


def read(name):
    with open(name, "rb") as file:
        return file.read()


# --- set-up ---------------------------------------------------------------------------

def npy(type, shape, values):
    shape = tuple(map(int, shape.split(",")))
    head = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (type, shape)
    head = head.ljust((len(head) + 74) // 64 * 64 - 11) + "\n"
    letter = LETTER[type[-2:]]
    numbers = [int(v, 0) if letter in "bBiH?" else float(v) for v in values.split()]
    return (b"\x93NUMPY\x01\0" + struct.pack("<H", len(head)) + head.encode()
            + struct.pack("<%d%s" % (len(numbers), letter), *numbers))


def npy_values(data):
    head = data[10:10 + struct.unpack("<H", data[8:10])[0]].decode()
    letter = LETTER[re.search(r"'descr': '.(..)'", head)[1]]
    body = data[10 + len(head):]
    return struct.unpack("<%d%s" % (len(body) // struct.calcsize(letter), letter), body)


def demo(name, sentences, languages):
    vectors = read(root + "/tests/golden/mixed.npy")[128:]
    lines = read(root + "/data/demo.csv").decode().splitlines(True)
    keep = [600 * l + i for l in range(languages) for i in range(sentences)]
    with open(name + ".npy", "wb") as file:
        file.write(npy("<f2", "%d,256" % len(keep), ""))
        for row in keep:
            file.write(vectors[512 * row:512 * row + 512])
    with open(name + ".csv", "w", encoding="utf-8") as file:
        file.writelines([lines[0]] + [lines[row + 1] for row in keep])


def set_up(line, block):
    if m := re.fullmatch(r"file (\S+)", line):
        with open(m[1], "w", encoding="utf-8") as file:
            file.write("\n".join(text[4:] for text in block).rstrip("\n") + "\n")
    elif m := re.fullmatch(r"npy (\S+) (\S+) ([\d,]+):(.*)", line):
        with open(m[1], "wb") as file:
            file.write(npy(m[2], m[3], m[4]))
    elif m := re.fullmatch(r"demo (\S+) (\d+) ?(\d*)", line):
        demo(m[1], int(m[2]), int(m[3] or 8))
    elif line.startswith("$ "):
        if subprocess.call(["sh", "-euc", "\n".join([line[2:]] + block)], stdin=subprocess.DEVNULL):
            sys.exit("Bail out! a step failed: " + line)
    else:
        if not re.match(r"[^:]+: ", line):
            sys.exit("Bail out! neither a row nor a step: " + line)
        return False
    return True


# --- values of JSON and CSV -----------------------------------------------------------

def number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def table(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def document(data):
    return json.loads(data) if data[:1] in (b"{", b"[") else table(data)


def matches(row, condition):
    for part in condition.split(","):
        key, _, value = part.partition("=")
        if ("" if row[key] is None else str(row[key])) != value:
            return False
    return True


def select(value, path):
    """All values of a path, as a list."""
    found = [value]
    for name, inside in re.findall(r'\.?([^.\[\]]+)|\[([^\]]*)\]', path):
        if name or inside.startswith('"'):
            key = name or inside.strip('"')
            found = [d for f in found for d in (f if isinstance(f, list) else [f])]
            found = [d[key] for d in found if key in d]
        elif re.fullmatch(r"-?\d+", inside):
            found = [f[int(inside)] for f in found if len(f) > int(inside)]
        else:
            found = [d for f in found for d in f if matches(d, inside)]
    if len(found) == 1 and isinstance(found[0], list):
        found = found[0]
    return found


def select_column(rows, path):
    """The column of a path [FILTER].NAME; NAME may have dots."""
    condition, name = re.fullmatch(r"(\[[^\]]*\])?\.?(.*)", path).groups()
    rows = select(rows, condition) if condition else rows
    return [row[name] for row in rows] if name else rows


def evaluate(data, kind, path):
    value, pick = (table(data), select_column) if kind == "csv" else (json.loads(data), select)
    what, _, rest = path.partition(" ")
    if kind == "csv" and path == "columns":
        return [",".join(next(csv.reader(io.StringIO(data.decode()))))]
    if what == "count":
        return [len(pick(value, rest))]
    if what == "distinct":
        return [sorted({str(v) for v in pick(value, rest)})]
    return pick(value, path)


def wanted(text):
    if text.startswith("@"):
        name, path = text[1:].split(" ", 1)
        data = read(name)
        values = evaluate(data, "json" if data[:1] == b"{" else "csv", path)
        return values[0] if len(values) == 1 else values
    try:
        return json.loads(text)
    except ValueError:
        return text


def compare(a, op, b):
    if isinstance(b, list):
        return isinstance(a, list) and len(a) == len(b) and all(map(compare, a, [op] * len(b), b))
    x, y = number(a), number(b)
    if op in ("==", "!="):
        same = x == y if x is not None and y is not None else (a if a != "" else None) == (b if b != "" else None)
        return same == (op == "==")
    if x is None or y is None:
        return False
    if op[0] == "~":
        return abs(x - y) <= float(op[1:] or 1e-6) * (1 + abs(y))
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def like(data, words):
    m = re.fullmatch(r"(\S+)(?: ([\d.e-]+))?(?: (\[.*?\]))?(?: but (\S+))?", words)
    other, tolerance, but = document(read(m[1])), float(m[2] or 0), (m[4] or "").split(",")
    but += ["data", "rows", "sample", "source"]
    mine = document(data)
    mine, other = (d["figures"] if isinstance(d, dict) else d for d in (mine, other))
    if m[3]:
        keys = [part.split("=")[0] for part in m[3][1:-1].split(",")]
        mine = [row for row in mine if matches(row, m[3][1:-1])]
        if other and all(key in other[0] for key in keys):
            other = [row for row in other if matches(row, m[3][1:-1])]
    if not other or len(mine) != len(other):
        raise Wrong("%d rows, %s has %d" % (len(mine), m[1], len(other)))
    for i, row in enumerate(other):
        for key in row:
            a, b = mine[i].get(key), row[key]
            x, y = number(a), number(b)
            if key not in but and not ((a or None) == (b or None) if x is None or y is None
                                       else abs(x - y) <= tolerance * (1 + abs(y))):
                raise Wrong("row %d, %s: %s, not %s of %s" % (i, key, a, b, row))


# --- checks ---------------------------------------------------------------------------

def check_values(data, kind, rest):
    if rest.startswith("like "):
        return like(data, rest[5:])
    if rest.endswith(" absent"):
        if evaluate(data, kind, rest[:-7]):
            raise Wrong("it is there")
        return
    path, op, value = re.fullmatch(r"(.*?) (==|!=|<=|>=|<|>|~[\d.e-]*) ?(.*)", rest).groups()
    found, value = evaluate(data, kind, path), wanted(value)
    if isinstance(value, list) and not (found and isinstance(found[0], list)):
        found = [found]
    if not found or not all(compare(f, op, value) for f in found):
        raise Wrong("found %s%s" % (found[:5], "" if isinstance(value, list) else ", not %s" % value))


def check(name, data, rest):
    word = rest.split(" ", 1)[0]
    rest_of = rest[len(word) + 1:]
    if rest in ("absent", "exists"):
        if os.path.lexists(name) != (rest == "exists"):
            raise Wrong("it is there" if rest == "absent" else "it is not there")
        return
    data = read(name) if data is None else data
    text = data.decode("utf-8", "replace")
    plain = " ".join(text.split())
    if rest == "empty":
        wrong = data
    elif word == "same":
        wrong = data != read(rest_of)
    elif word == "npy":
        values, want = npy_values(data), [float(v) for v in rest_of.split()]
        wrong = len(values) != len(want) or any(abs(a - b) > 1e-6 for a, b in zip(values, want))
    elif word in ("json", "csv"):
        return check_values(data, word, rest_of)
    elif word == "holds":
        value = document(data)
        rows = value.get("figures", []) if isinstance(value, dict) else value
        rows = [{k: v if number(v) is None else number(v) for k, v in row.items()} for row in rows]
        wrong = not eval(rest_of, {
            "rows": rows, "document": value, "text": text, "math": math, "mean": lambda list: math.fsum(list) / len(list),
            "read": lambda name: document(read(name))})
    else:
        negated, rest = (True, rest_of) if word == "not" else (False, rest)
        if len(rest) > 1 and rest[0] == rest[-1] == "/":
            wrong = negated == bool(re.search(rest[1:-1], text, re.M))
        else:
            wrong = negated == (" ".join(rest.split()) in plain)
    if wrong:
        raise Wrong("it is:\n" + text[:1500])


def perform(arguments):
    environment = dict(os.environ)
    if arguments.startswith("$ "):
        words, streams = ["sh", "-c", arguments[2:]], {}
    else:
        words, streams = [program], {}
        for word in shlex.split(arguments.replace("$root", root)):
            if len(words) == 1 and (m := re.fullmatch(r"([A-Z_]+)=(.*)", word)):
                environment[m[1]] = m[2]
            elif re.fullmatch(r"[<>][^<>]+", word):
                streams[word[0]] = open(word[1:], "rb" if word[0] == "<" else "wb")
            else:
                words.append(word)
    done = subprocess.run(words, env=environment, stdin=streams.get("<", subprocess.DEVNULL),
                          stdout=streams.get(">", subprocess.PIPE), stderr=subprocess.PIPE)
    return done.returncode, done.stdout or b"", done.stderr


def run_row(arguments, checks):
    """What is wrong, as a list of texts."""
    status, out, err = perform(arguments)
    want, faults = 0, []
    for line in checks:
        line = line.strip().replace("$root", root)
        try:
            line = re.sub(r"\{(@[^{}]+):([^:{}]+)\}", lambda m: format(
                float(wanted(m[1])), m[2]).replace("-", "−"), line)
            word, _, rest = line.partition(" ")
            if word.isdigit():
                want = int(word)
                if rest:
                    check("stderr", err, rest)
            elif word == "keep":
                with open(rest, "wb") as file:
                    file.write(out)
            elif word == "file":
                check(*(lambda name, _, what: (name, None, what))(*rest.partition(" ")))
            else:
                rest = rest if word in ("out", "err") else line
                check(word, err if word == "err" else out, rest)
        except Exception as fault:
            faults.append("%s\n%s" % (line, fault if isinstance(fault, Wrong) else repr(fault)))
    if status != want:
        faults.append("exit status %d, not %d\n%s" % (status, want, err.decode("utf-8", "replace")[-1500:]))
    if want and out and not any(re.match(r" *(out|json|csv|keep|holds) ", line) for line in checks):
        faults.append("something on stdout:\n%s" % out[:500])
    return faults


# --- a table --------------------------------------------------------------------------

def entries(path):
    """The lines of a table, each with the lines that are indented below it."""
    found = []
    for line in read(path).decode().splitlines():
        if line.startswith(" ") or found and found[-1][0].startswith("file ") and line == "":
            found[-1][1].append(line)
        elif line and not line.startswith("#"):
            found.append((line, []))
    return found


def main():
    rows = entries(os.path.abspath(sys.argv[1]))
    count = failed = 0
    with tempfile.TemporaryDirectory(prefix="commands.") as scratch:
        os.chdir(scratch)
        os.mkdir(".bin")
        with open(".bin/python3", "w", opener=lambda name, flags: os.open(name, flags, 0o755)) as file:
            file.write('#!/bin/sh\nexec "%s" -S "$@"\n' % sys.executable)
        os.environ.update(XDG_CONFIG_HOME=scratch + "/config", root=root, ISOGLOSS=program,
                          PATH=":".join([os.path.dirname(program), scratch + "/.bin", os.environ["PATH"]]))
        for line, block in rows:
            if set_up(line, block):
                continue
            name, _, arguments = line.partition(": ")
            while block and arguments.endswith("\\"):
                arguments = arguments[:-1] + block.pop(0).strip()
            faults = run_row(arguments, block)
            count += 1
            failed += bool(faults)
            print("%s %d - %s" % ("not ok" if faults else "ok", count, name))
            for fault in faults and ["isogloss " + arguments] + faults:
                print("\n".join("# " + part for part in fault.splitlines()))
            sys.stdout.flush()
        os.chdir(root)
    print("1..%d" % count)
    sys.exit(failed > 0)


main()
