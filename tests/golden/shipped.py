#!/usr/bin/env python3
"""shipped.py >shipped.csv: losses of the presets of ORACLE as they are shipped.

A second implementation, in float64 and without the program: on the golden batch, five steps of
Adam at rate 1e-2 from the golden initial weights, the partner of a row the next one of its
language. Derivatives by complex steps: f'(w) = Im f(w + ih) / h, exact for tiny h.
"""
import os
import re

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
LR, STEPS, H = 1e-2, 5, 1e-30
PARTS = ['meaning', 'language', 'classifier']


def read(name):
    return np.load(os.path.join(HERE, name + '.npy')).astype(float)


ROWS = {side: read(side) for side in 'xy'}
LANG = {side: read('lang_' + side).astype(int).ravel() for side in 'xy'}
NEXT = {side: [next(j % 24 for j in range(i + 1, i + 25) if lang[j % 24] == lang[i])
               for i in range(24)] for side, lang in LANG.items()}


def linear(rows, w, part):
    return rows @ w[part + '.weight'].T + w[part + '.bias'].ravel()


def operand(text, w):
    """x, m(x'), or the sum of two."""
    total = 0
    for space, side, partner in re.findall(r"(?:([ml])\()?([xy])('?)", text):
        rows = ROWS[side]
        if space:
            rows = linear(rows, w, 'meaning' if space == 'm' else 'language')
        total = total + (rows[NEXT[side]] if partner else rows)
    return total


def cos(a, b):
    return (a * b).sum(-1) / np.sqrt(((a * a).sum(-1) + 1e-12) * ((b * b).sum(-1) + 1e-12))


def term(kind, operands, w, discriminates=False):
    a, b = (operand(text, w) for text in (operands * 2)[:2])
    lang = LANG['x' if 'x' in operands[0] else 'y']
    if kind == 'pull':
        return (1 - cos(a, b)).mean()
    if kind == 'push':
        return np.where(cos(a, b).real >= 0, cos(a, b), 0).mean()
    if kind == 'mse':
        return ((a - b) ** 2).mean()
    if kind == 'cluster':
        i, j = np.nonzero((lang[:, None] == lang) & ~np.eye(24, dtype=bool))
        return (1 - cos(a[i], a[j])).mean()
    z = linear(a, w, 'classifier')
    z = z - np.log(np.exp(z).sum(-1, keepdims=True))
    return -(z[np.arange(24), lang] if kind == 'identify' or discriminates else z).mean()


def derivative(loss, w, name, at):
    moved = w[name].astype(complex)
    moved[at] += 1j * H
    return loss(dict(w, **{name: moved})).imag / H


def step(loss, w, state, t, parts):
    """One step of Adam."""
    names = [part + kind for part in parts for kind in ('.weight', '.bias')]
    slopes = [np.reshape([derivative(loss, w, name, at) for at in np.ndindex(w[name].shape)],
                         w[name].shape) for name in names]
    for name, g in zip(names, slopes):
        m, v = state.get(name, (0, 0))
        m, v = state[name] = .9 * m + .1 * g, .999 * v + .001 * g * g
        w[name] = w[name] - LR / (1 - .9 ** t) * m / (np.sqrt(v / (1 - .999 ** t)) + 1e-8)


print('method,step,loss')
for method in ['oracle', 'dream+oracle', 'meat+oracle']:
    with open(os.path.join(HERE, '../../assets/objectives', method + '.objective')) as file:
        lines = [line.split('#')[0].split() for line in file]
    terms = [(words[0], float(words[1]), [word for word in words[2:] if '=' not in word])
             for words in lines if len(words) > 2]
    weights = {part + kind: read('init.' + part + kind)
               for part in PARTS for kind in ('.weight', '.bias')}
    fooled = [(kind, on) for kind, _, on in terms if kind == 'confuse']
    adam = {}
    for at in range(1, STEPS + 2):
        if fooled:
            step(lambda w: sum(term(kind, on, w, True) for kind, on in fooled), weights, adam, at,
                 PARTS[2:])
        total = lambda w: sum(weight * term(kind, on, w) for kind, weight, on in terms)
        print('%s,%d,%.12g' % (method, at, total(weights)))
        step(total, weights, adam, at, PARTS[:2] if fooled or method == 'oracle' else PARTS)
