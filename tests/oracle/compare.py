#!/usr/bin/env python3
"""Compares the figures of the program with those that commit a3fcb3d wrote.

    compare.py [CASE...|short|long] print TAP, one test a case; exit 1 on a difference
    compare.py --record [CASE...]   write records/CASE.csv (only by record.sh)

$ISOGLOSS is the program. A line of a failed case reads

    KEY COLUMN: RECORDED, now FOUND     a figure that differs
    KEY: missing, KEY: new              a row of the record alone, of the output alone

Each test is followed by the largest difference of each measure, relative for values above
1. Differences below 1e-7 are not printed: records are rounded.
"""
import ast
import csv
import fnmatch
import functools
import json
import math
import os
import shlex
import struct
import subprocess
import sys
import tempfile

LIMIT = 60  # of offences of a case that are printed
HERE = os.path.dirname(os.path.abspath(__file__))
FIGURE = ['run', 'version', 'space', 'measure', 'from', 'to']
ALL = '--measures all --ci --format csv'


def runs(dataset, methods='seed centre leace dream'):
    return ' '.join('--run tests/oracle/runs/%s/%s' % (dataset, method)
                    for method in methods.split())


# name, columns that identify a row, arguments, file that is read instead of standard output
# ({} is a scratch directory), and which rows are kept: every Nth.
CASES = [
    ('demo', FIGURE, 'eval data/demo.npy ' + ALL, None, 1),
    ('demo-runs', FIGURE, 'eval data/demo.npy --dims 64 %s %s' % (runs('demo', 'seed leace'), ALL), None, 1),
    ('mixed', FIGURE, 'eval tests/golden/mixed.npy ' + ALL, None, 1),
    ('mixed-runs', FIGURE,
     'eval tests/golden/mixed.npy --dims 64 %s %s' % (runs('mixed', 'seed dream'), ALL), None, 1),
    ('several', FIGURE, 'eval tests/golden/several.npy %s %s' % (runs('several'), ALL), None, 1),
    ('incomplete', FIGURE,
     'eval tests/oracle/incomplete.npy --scores tests/oracle/incomplete-scores.csv --positive 4'
     ' %s %s' % (runs('incomplete'), ALL), None, 1),
    ('incomplete-holdout', FIGURE,
     'eval tests/oracle/incomplete.npy --split holdout %s %s' %
     (runs('incomplete', 'seed leace'), ALL), None, 1),
    # Golden values of independent implementations; changed.csv lists the measures without one here.
    ('preference', FIGURE,
     'eval tests/golden/mixed.npy --format csv', None, 1),
    ('several-values', FIGURE,
     'eval tests/golden/several.npy --format csv', None, 1),
    ('definitions', FIGURE,
     'eval tests/oracle/definitions.npy --format csv', None, 1),
    ('shares', FIGURE,
     'eval tests/oracle/definitions.npy --ci --format csv', None, 1),
    ('search', ['query', 'row'], 'search data/demo.npy --row 5 --json', None, 1),
    ('search-run', ['query', 'row'],
     'search data/demo.npy --dims 64 --run tests/oracle/runs/demo/dream --row 2345 --k 20 --json',
     None, 1),
    ('search-ties', ['query', 'row'],
     'search tests/oracle/incomplete.npy --queries tests/oracle/incomplete-queries.npy --json',
     None, 1),
    ('project', ['row', 'space'],
     'project data/demo.npy --dims 64 --run tests/oracle/runs/demo/seed --components 3 --raw', None, 40),
    ('project-axis', ['row', 'space'], 'project data/demo.npy --raw --axis "en de"', None, 40),
    ('transform-meaning', ['row'],
     'transform data/demo.npy --dims 64 --run tests/oracle/runs/demo/dream --out {}/t',
     't/meaning.npy', 100),
    ('transform-language', ['row'],
     'transform data/demo.npy --dims 64 --run tests/oracle/runs/demo/centre --out {}/t',
     't/language.npy', 100),
    ('sweep', ['method', 'dims', 'seed'],
     'sweep data/demo.npy --dims 64 --method seed,dream --seed 1,2 --epochs 2 --out {}/s'
     ' --format csv', None, 1),
]

# The others are short.
LONG = ['demo-runs', 'mixed-runs', 'incomplete', 'preference']

# Values that were not recorded; they cover only some figures.
GOLDEN = ['preference', 'definitions', 'shares', 'several-values']

# How far a number may be off: relative above 1, absolute below. A bound of an interval may
# be off by a tenth of its width, too.
TOLERANCE = 1e-6
BOUND = 1e-5  # bounds are recorded in six digits


def decisions(per):
    """Figures that count rows: rounding may change a few of n decisions."""
    return lambda n: (1 + n ** .5 / per) / max(n, 1)


# Tolerances above TOLERANCE: case, space, measure, column and tolerance for n rows. Found by
# running other BLAS kernels (OPENBLAS_CORETYPE=Haswell, Prescott), row kernels without AVX
# and another compiler. Original spaces are exact in all of them, but for fitted probes.
LOOSE = [
    # Cosines of mapped rows differ by 1e-7, which changes ties and the order of near ties.
    ('*-runs', '[lm]*', 'tied', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'mean_rank', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'overlap5', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'pool_*', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'hubness10', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'ratio_margin_top1*', 'value', decisions(10)),
    ('*-runs', '[lm]*', 'mining_[fpr]*', 'value', decisions(10)),
    # n is the number of pairs above the threshold, the value a ratio that divides by little.
    ('*', '[lm]*', 'mining_threshold', 'n', lambda n: .05),
    ('*', '[lm]*', 'mining_threshold', 'value', lambda n: 1e-5),
    # Golden values of doubles: rows of floats decide one near tie of 48,000 otherwise.
    ('preference', 'm*', 'purity10', 'value', lambda n: 5e-5),
    ('preference', 'm*', 'pool_last_rank', 'value', lambda n: 1e-5),
    # Rows that were equal may differ in the last bit when mapped in different blocks.
    ('incomplete', '[lm]*', 'hubness10', 'value', decisions(3)),
    ('incomplete', '[lm]*', 'overlap5', 'value', decisions(3)),
    ('incomplete', '[lm]*', 'pool_*', 'value', decisions(3)),
    ('incomplete', '[lm]*', 'purity10', 'value', decisions(3)),
    ('incomplete', '[lm]*', 'xsim', 'value', decisions(3)),
    ('incomplete', '[lm]*', 'mining_[fpr]*', 'value', decisions(3)),
    # Trained anew; golden gradients and losses test the training.
    ('sweep', '', '', '*', lambda n: 1e-3),
    ('sweep', '', '', 'seconds', lambda n: float('inf')),
]


def read_npy(path):
    """The rows of a matrix of floats."""
    with open(path, 'rb') as file:
        head = file.read(10)
        head = ast.literal_eval(file.read(struct.unpack('<H', head[8:])[0]).decode())
        rows, dims = head['shape']
        assert head['descr'] == '<f4' and not head['fortran_order'], path
        for row in range(rows):
            values = struct.unpack('<%df' % dims, file.read(4 * dims))
            yield dict({'row': str(row)}, **{'v%d' % i: '%.9g' % v for i, v in enumerate(values)})


def read_search(document):
    """The neighbours of a query, or rows with the number of theirs."""
    for row in document['neighbours']:
        query = row.get('query', document.get('query', {}).get('row'))
        yield dict({key: '' if value is None else str(value)
                    for key, value in row.items() if key != 'text'}, query=str(query))


def golden_output(arguments, record):
    """The recorded measures of the original space and of the methods of a golden case, "centre
    strength 0.5" and objective files among them, each fitted to all rows (of no method: centre)."""
    measures = ','.join(dict.fromkeys(row['measure'] for row in record.values()))
    data = shlex.split(arguments)[1]
    with tempfile.TemporaryDirectory() as scratch:
        for run in dict.fromkeys(row['run'] for row in record.values() if row['run']) or ['centre']:
            file = os.path.join(HERE, run + '.objective')
            method = file if os.path.exists(file) else run.replace(' strength', ' --strength')
            # A strength is part of the title of a run, so not of the name of its folder.
            folder = os.path.join(scratch, run.replace(' ', '/'), run.split()[0])
            output('train %s --valid 0 --out %s --method %s' % (data, folder, method), None, 1)
            arguments += ' --run ' + folder
        return [dict(row, run=os.path.basename(row['run']))
                for row in output('%s --measures pool,%s' % (arguments, measures), None, 1)]


def output(arguments, path, every):
    """What the program prints, or the file that it writes, as rows."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [os.environ.get('ISOGLOSS', 'build/isogloss')] +
            shlex.split(arguments.replace('{}', scratch)) + ['-q'],
            cwd=os.path.join(HERE, '..', '..'), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL, encoding='utf-8')
        if done.returncode:
            raise SystemExit('%s: exit status %d\n%s' % (arguments, done.returncode, done.stderr))
        if path:
            rows = list(read_npy(os.path.join(scratch, path)))
        elif arguments.endswith('--json'):
            rows = list(read_search(json.loads(done.stdout)))
        else:
            rows = list(csv.DictReader(done.stdout.splitlines()))
    return rows[::every]


def number(text):
    """A finite number, or None: other cells are compared as text."""
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def brief(column, text):
    """A number in the digits that its tolerance needs, which halves the records."""
    value, digits = number(text), 6 if column in ('low', 'high') else 8
    return text if value is None or len(text) <= digits else '%.*g' % (digits, value)


def read_csv(path):
    with open(path, newline='', encoding='utf-8') as file:
        return list(csv.DictReader(file))


def write_record(name, rows):
    with open(os.path.join(HERE, 'records', name + '.csv'), 'w', newline='',
              encoding='utf-8') as file:
        out = csv.DictWriter(file, list(rows[0]), lineterminator='\n')
        out.writeheader()
        out.writerows({key: brief(key, value) for key, value in row.items()} for row in rows)


def by_key(rows, keys):
    found = {}
    for row in rows:
        key = tuple(row.get(name, '') for name in keys)
        assert key not in found, 'two rows %s' % '/'.join(key)
        found[key] = row
    return found


def effects(changes, case, row):
    """What changed.csv lists for a row."""
    cell = dict(row, case=case)
    return {effect for change in changes
            if all(fnmatch.fnmatchcase(cell.get(name, ''), change[name])
                   for name in ('case', 'run', 'space', 'measure'))
            for effect in change['effect'].split()}


@functools.lru_cache(None)
def looser(*cell):
    """The tolerances above TOLERANCE of a case, space, measure and column."""
    return [much for *patterns, much in LOOSE if all(map(fnmatch.fnmatchcase, cell, patterns))]


def tolerated(case, row, column):
    """The tolerance of a cell of the record."""
    much = looser(case, row.get('space', ''), row.get('measure', ''), column)
    return max([TOLERANCE] + [limit(float(row.get('n') or 0)) for limit in much])


def differs(case, row, now, column):
    """(whether a cell differs, by how much)."""
    a, b = number(row[column]), number(now[column])
    if column == 'reason' and row.get('value') and not row[column]:
        return False, 0  # of figures that have a value, too, since then
    if a is None or b is None:
        return row[column] != now[column], 0
    off = abs(a - b) / max(1, abs(a))
    if column in ('low', 'high'):
        width = float(row['high']) - float(row['low'])
        return abs(a - b) > width / 10 + tolerated(case, row, 'value') and off > BOUND, 0
    return off > tolerated(case, row, column), off


def compare(case, keys, want, found, changes):
    """(offences, largest difference by measure)."""
    offences, largest = [], {}
    for key, row in want.items():
        now, name = found.get(key), '/'.join(key)
        changed = effects(changes, case, row)
        if now is None:
            if 'absent' not in changed:
                offences.append(name + ': missing')
            continue
        for column in row:
            if column in keys or column in changed:
                continue
            if column not in now:
                offences.append('%s %s: no such column' % (name, column))
                continue
            bad, off = differs(case, row, now, column)
            measure = row.get('measure', column)
            largest[measure] = max(off, largest.get(measure, 0))
            if bad:
                offences.append('%s %s: %s, now %s' % (name, column, row[column], now[column]))
    for key, now in found.items():
        if key not in want and case not in GOLDEN and 'new' not in effects(changes, case, now):
            offences.append('/'.join(key) + ': new')
    return offences, largest


def unused(changes, cases):
    """The lines of changed.csv that match no recorded row."""
    for change in changes:
        if change['effect'] != 'new' and not any(
                effects([change], case, row)
                for case, rows in cases.items() if fnmatch.fnmatchcase(case, change['case'])
                for row in rows.values()):
            yield ','.join(change.values())


def main():
    names = sys.argv[1:]
    record = names[:1] == ['--record']
    cases = [case for case in CASES if not names[record:] or case[0] in names or
             ('long' if case[0] in LONG else 'short') in names]
    if record:
        for name, _, arguments, path, every in cases:
            if name not in GOLDEN:
                write_record(name, output(arguments, path, every))
        return 0
    changes = read_csv(os.path.join(HERE, 'changed.csv'))
    records = {name: by_key(read_csv(os.path.join(HERE, 'records', name + '.csv')), keys)
               for name, keys, _, _, _ in CASES}
    failed = 0
    for at, (name, keys, arguments, path, every) in enumerate(cases):
        try:
            rows = (golden_output(arguments, records[name]) if name in GOLDEN
                    else output(arguments, path, every))
            found = by_key(rows, keys)
            concerned = [change for change in changes if fnmatch.fnmatchcase(name, change['case'])]
            offences, largest = compare(name, keys, records[name], found, concerned)
        except (SystemExit, OSError, KeyError, ValueError, AssertionError) as error:
            offences, largest = [str(error)], {}
        failed += bool(offences)
        print('%s %d - %s: %d rows' % ('not ok' if offences else 'ok', at + 1, name,
                                       len(records[name])))
        for measure, off in sorted(largest.items(), key=lambda item: -item[1]):
            if off > 1e-7:
                print('# %-28s %.1e' % (measure, off))
        for offence in offences[:LIMIT]:
            print('# ' + offence)
        if len(offences) > LIMIT:
            print('# and %d more' % (len(offences) - LIMIT))
    stale = list(unused(changes, records))
    failed += bool(stale)
    print('%s %d - each line of changed.csv matches a recorded row' %
          ('not ok' if stale else 'ok', len(cases) + 1))
    for line in stale:
        print('# ' + line)
    print('1..%d' % (len(cases) + 1))
    return failed > 0


sys.exit(main())
