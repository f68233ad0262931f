#!/usr/bin/env python3
"""Writes incomplete.npy, .csv, -scores.csv and -queries.npy: parallel data with gaps.

Five languages of 40 to 400 rows; in each, a third of its ids is missing, and the first two
have several rows for some ids. Components are multiples of 1/4, so that cosines tie without
equal rows. Every 29th row equals another one of its language or of another one, every 53rd
is twice one, every 47th is zero. Run once; the files are kept: recorded figures belong to
them.
"""
import csv
import os
import random
import struct

DIMS = 16
# language, ids, rows of an id at most
LANGUAGES = [('en', 330, 3), ('de', 210, 2), ('fr', 210, 1), ('ja', 120, 1), ('sw', 60, 1)]
TOPICS = ['food', 'travel', 'work']
folder = os.path.dirname(os.path.abspath(__file__))


def write_npy(name, rows):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (len(rows), DIMS)
    head = head.ljust(117) + '\n'
    with open(os.path.join(folder, name), 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head.encode())
        for row in rows:
            file.write(struct.pack('<%df' % DIMS, *row))


def write_csv(name, head, rows):
    with open(os.path.join(folder, name), 'w', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([head] + rows)


def draw(rng, step, reach):
    return [step * rng.randint(-reach, reach) for _ in range(DIMS)]


def add(*rows):
    return [sum(values) for values in zip(*rows)]


def main():
    rng = random.Random(20)
    ids = max(count for _, count, _ in LANGUAGES)
    meaning = [draw(rng, .5, 2) for _ in range(ids)]
    offset = {name: draw(rng, .5, 1) for name, _, _ in LANGUAGES}
    table = []  # language, id
    for name, count, most in LANGUAGES:
        for number in sorted(rng.sample(range(count), count * 2 // 3)):
            table += [(name, number)] * (1 if rng.random() < .6 else rng.randint(1, most))
    vectors = []
    for at, (name, number) in enumerate(table):
        row = add(meaning[number], offset[name], draw(rng, .25, 2))
        if at % 47 == 46:
            row = [0.] * DIMS
        elif at % 29 == 28:
            row = vectors[rng.randrange(at)]
        elif at % 53 == 52:
            row = add(*[vectors[rng.randrange(at)]] * 2)
        vectors.append(row)
    write_npy('incomplete.npy', vectors)
    write_csv('incomplete.csv', ['lang', 'id', 'topic'],
              [[name, number, TOPICS[number % 7 % 3]] for name, number in table])
    # Human scores, mostly of translations; a few are tied with others.
    rows = {number: [at for at, (_, n) in enumerate(table) if n == number] for number in range(ids)}
    scores = []
    for number in range(0, 60):
        for left, right in zip(rows[number], rows[number][1:] + rows[number + 1][:1]):
            same = table[left][1] == table[right][1]
            scores.append([left, right, rng.randint(2, 5) if same else rng.randint(0, 3)])
    write_csv('incomplete-scores.csv', ['left', 'right', 'score'], scores)
    # An ordinary row, a zero row, an equal row, a doubled row, and rows that are not in it.
    write_npy('incomplete-queries.npy', [vectors[at] for at in (0, 46, 28, 52)] +
              [draw(rng, .25, 6) for _ in range(4)])


main()
