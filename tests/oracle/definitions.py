#!/usr/bin/env python3
"""Writes definitions.npy, definitions.csv, records/definitions.csv and records/shares.csv: 60
rows, and what the newer definitions of assets/docs/methods.md give for them, in float64 with
numpy, and quantiles with SciPy.

It shares nothing with the program: every figure is written down from its definition, row by
row. The rows have what definitions differ by: several rows of an id, ids that languages lack,
rows without an id, an exact copy in another language, a zero row, negative cosines.
"""
import csv
import itertools
import os

import numpy
from scipy import stats

DIMS = 6
EQUAL = 2. ** -23  # cosines nearer than this are equal
MINING = 'mining_f1', 'mining_precision', 'mining_recall'
FOLDER = os.path.dirname(os.path.abspath(__file__))


def make():
    """Rows (60, DIMS), their languages, and their ids ('' where there is none)."""
    rng = numpy.random.default_rng(7)
    meaning = rng.standard_normal((30, DIMS))
    offset = {'en': rng.standard_normal(DIMS), 'de': rng.standard_normal(DIMS)}
    offset['sw'] = -3 * offset['en']  # most cosines of the two are negative
    table = [('en', i) for i in range(20)] + [('en', 3), ('en', 8)]
    table += [('de', i) for i in range(22)]
    table += [('sw', i) for i in range(2, 28, 2)] + [('sw', ''), ('sw', ''), ('de', '')]
    rows = []
    for lang, i in table:
        rows.append((rng.standard_normal(DIMS) if i == '' else meaning[i])
                    + .6 * offset[lang] + .5 * rng.standard_normal(DIMS))
    rows = numpy.array(rows, 'float32')
    rows[30] = rows[5]  # de 8 is a copy of en 5
    rows[47] = 0        # sw 8
    return rows, [lang for lang, _ in table], [str(i) for _, i in table]


class Space:
    """The rows of a space, and what definitions ask for."""

    def __init__(self, rows, lang, ids):
        self.rows, self.lang, self.id = rows, lang, ids
        length = numpy.linalg.norm(rows, axis=1)
        self.unit = rows / numpy.where(length > 0, length, 1)[:, None]
        self.cosine = self.unit @ self.unit.T
        self.n = range(len(rows))
        self.languages = sorted(set(lang), key=lang.index)

    def alike(self, i):
        """The other rows with the id of row i."""
        return [j for j in self.n if j != i and self.id[i] and self.id[j] == self.id[i]]

    def translations(self, i, to=None):
        found = [j for j in self.alike(i) if self.lang[j] != self.lang[i]]
        return found if to is None else [j for j in found if self.lang[j] == to]

    def nearer(self, i, j, among):
        """How many rows are strictly nearer to row i than row j."""
        return sum(self.cosine[i, k] > self.cosine[i, j] + EQUAL for k in among)

    def order(self, i, among):
        """Rows by their distance from row i, those as far by their number."""
        return sorted(among, key=lambda j: (-round(self.cosine[i, j] / EQUAL), j))

    def nearest(self, i, near):
        """Of rows in order those that tie for the nearest."""
        return [j for j in near if self.cosine[i, near[0]] - self.cosine[i, j] <= EQUAL]

    def share(self, i, right, ties):
        """Of translations in ties, without other rows of the id in the language."""
        some = [j for j in ties if j in right or j not in self.alike(i)]
        return sum(j in right for j in some) / max(1, len(some))


def purity10(s):
    own, chance = [], []
    for i in s.n:
        others = [j for j in s.n if j != i and j not in s.alike(i)]
        own.append(numpy.mean([s.lang[j] == s.lang[i] for j in s.order(i, others)[:10]]))
        chance.append(numpy.mean([s.lang[j] == s.lang[i] for j in others]))
    yield 'purity10', '', '', numpy.mean(own), numpy.mean(chance)


def last_rank(s):
    rank, chance = [], []
    for i in s.n:
        found = s.translations(i)
        if found:
            farthest = min(found, key=lambda j: s.cosine[i, j])
            rank.append(1 + s.nearer(i, farthest, [j for j in s.n if j != i]))
            chance.append(len(found) * len(s.n) / (len(found) + 1))
    yield 'pool_last_rank', '', '', numpy.mean(rank), numpy.mean(chance)


def first_translation(s):
    asked = {i: sorted({s.lang[j] for j in s.translations(i)}) for i in s.n}
    asked = {i: languages for i, languages in asked.items() if len(languages) > 1}
    near = {i: max(s.cosine[i, j] for j in s.translations(i)) for i in asked}
    first = {i: [s.lang[j] for j in s.translations(i) if near[i] - s.cosine[i, j] < 1e-7] for i in asked}
    moved = 0
    for lang in s.languages:
        of = [i for i in asked if lang in asked[i]]
        observed = sum(first[i].count(lang) / len(first[i]) for i in of)
        expected = sum(1 / len(asked[i]) for i in of)
        moved += abs(observed - expected) / 2
        yield 'first_translation', '', lang, observed / len(of), expected / len(of)
    yield 'preference', '', '', moved / len(asked)


def language_pairs(s):
    return list(itertools.combinations(s.languages, 2))


def mutual_top1(s):
    values = []
    for a, b in language_pairs(s):
        left = [i for i in s.n if s.lang[i] == a and s.translations(i, b)]
        right = [j for j in s.n if s.lang[j] == b and s.translations(j, a)]
        if len({s.id[i] for i in left}) < len(left) or len({s.id[j] for j in right}) < len(right):
            continue
        pairs = [(i, s.translations(i, b)[0]) for i in left]
        value = numpy.mean([
            all(s.cosine[i, j] > s.cosine[i, k] + EQUAL for k in right if k != j) and
            all(s.cosine[i, j] > s.cosine[k, j] + EQUAL for k in left if k != i) for i, j in pairs])
        values.append(value)
        yield 'mutual_top1', a, b, value
    yield 'mutual_top1', '', '', numpy.mean(values)


def geometry(s):
    """Alignment, uniformity and relative alignment of the pairs of different languages."""
    pairs = [(i, j) for i in s.n for j in s.translations(i) if i < j]
    unit, far = s.unit, 0
    distance = {p: ((unit[p[0]] - unit[p[1]]) ** 2).sum() for p in pairs}
    rows = sorted({i for pair in pairs for i in pair})
    yield 'alignment', '', '', numpy.mean(list(distance.values()))
    yield 'uniformity', '', '', numpy.log(numpy.mean(
        [numpy.exp(-2 * ((unit[i] - unit[j]) ** 2).sum())
         for i, j in itertools.combinations(rows, 2)]))
    for a, b in language_pairs(s):
        own = [p for p in pairs if {s.lang[p[0]], s.lang[p[1]]} == {a, b}]
        here = {i for pair in own for i in pair}
        others = [((unit[i] - unit[j]) ** 2).sum() for i in here for j in here
                  if s.lang[i] == a and s.lang[j] == b and s.id[i] != s.id[j]]
        far += len(own) * numpy.mean(others)
    yield 'relative_alignment', '', '', sum(distance.values()) / far, 1


def isotropy(s):
    values = numpy.maximum(numpy.linalg.eigvalsh(numpy.cov(s.unit.T, bias=True))[::-1], 0)
    score = (values.sum() ** 2 / (values ** 2).sum() - 1) / (DIMS - 1)
    some = [i for i in s.n if s.unit[i].any()]
    mean = {lang: s.rows[[k == lang for k in s.lang]].mean(axis=0) for lang in s.languages}
    total = ((s.rows - s.rows.mean(axis=0)) ** 2).sum()
    rest = sum(((s.rows[i] - mean[s.lang[i]]) ** 2).sum() for i in s.n)
    yield 'isoscore', '', '', score
    yield 'mean_cosine', '', '', numpy.mean(
        [s.cosine[i, j] for i in some for j in some if i != j])
    yield 'language_share', '', '', 1 - rest / total, (len(mean) - 1) / (len(s.n) - 1)
    for k, value in enumerate(values):
        yield 'eigenvalue', str(k + 1), '', value / values.sum()


def pool(s):
    found, own, mrr, ndcg = [], [], [], []
    hub = [0] * len(s.n)
    for i in s.n:
        others = [j for j in s.n if j != i]
        near, right = s.order(i, others)[:10], s.translations(i)
        ties = s.nearest(i, near)
        own.append(numpy.mean([s.lang[j] == s.lang[i] for j in ties]))
        for j in near:
            hub[j] += 1
        if right:
            gain = [1 / numpy.log2(r + 2) for r in range(10)]
            best = max(right, key=lambda j: s.cosine[i, j])
            found.append(s.share(i, right, ties))
            mrr.append(1 / (1 + s.nearer(i, best, others)))
            ndcg.append(sum(g for g, j in zip(gain, near) if j in right) / sum(gain[:len(right)]))
    hub = numpy.array(hub) - 10.
    yield 'pool_translation', '', '', numpy.mean(found)
    yield 'pool_same_language', '', '', numpy.mean(own)
    yield 'pool_mrr', '', '', numpy.mean(mrr)
    yield 'pool_ndcg10', '', '', numpy.mean(ndcg)
    yield 'hubness10', '', '', (hub ** 3).mean() / (hub ** 2).mean() ** 1.5


def retrieval(s):
    """Of each direction; means over those with 20 candidates or more."""
    means = {}
    for a, b in itertools.permutations(s.languages, 2):
        asked = [i for i in s.n if s.lang[i] == a and s.translations(i, b)]
        offered = [j for j in s.n if s.lang[j] == b and s.translations(j, a)]
        half = {i: numpy.mean(sorted((s.cosine[i, j] for j in among), reverse=True)[:10]) / 2
                for of, among in ((asked, offered), (offered, asked)) for i in of}
        rank, gap, csls, tied, common = [], [], [], [], []
        for i in asked:
            right = s.translations(i, b)
            others = [j for j in offered if j not in right]
            best = max(right, key=lambda j: s.cosine[i, j])
            score = max(s.cosine[i, j] - half[j] for j in right)
            rank.append(1 + s.nearer(i, best, others))
            gap.append(s.cosine[i, best] - max(s.cosine[i, j] for j in others))
            tied.append(any(abs(s.cosine[i, best] - s.cosine[i, j]) <= EQUAL for j in others))
            csls.append(all(s.cosine[i, j] - half[j] <= score + EQUAL for j in others))
            five = [[s.id[j] for j in s.order(k, [j for j in of if j != k])[:5]]
                    for k, of in ((i, asked), (best, offered))]
            common.append(sum(min(five[0].count(k), five[1].count(k)) for k in set(five[0])) / 5)
        for name, values in (('top1', numpy.equal(rank, 1)), ('top5', numpy.less_equal(rank, 5)),
                             ('mean_rank', rank), ('csls_top1', csls), ('tied', tied),
                             ('similarity_gap', gap), ('overlap5', common)):
            yield name, a, b, numpy.mean(values)
            means.setdefault(name, []).append((len(offered) >= 20, numpy.mean(values)))
        yield 'median_rank', a, b, numpy.median(rank)
    for name, of in means.items():
        yield name, '', '', numpy.mean([v for many, v in of if many] or [v for _, v in of])


def mining(s):
    """F1 of the pairs above a ratio margin that is chosen on every other shared id."""
    scores = []
    for a, b in language_pairs(s):
        side = [[i for i in s.n if s.lang[i] == lang] for lang in (a, b)]
        known = [[s.id[i] or (i,) for i in of] for of in side]
        order = list(dict.fromkeys(s.id[i] or (i,) for i in s.n))
        shared = [k for k in order if k in known[0] and k in known[1]]
        half = {}
        for of in side:
            alone = itertools.count()
            for i in of:
                key = s.id[i] or (i,)
                half[i] = shared.index(key) % 2 if key in shared else next(alone) % 2
        gold = [sum(min(known[0].count(k), known[1].count(k)) for k in shared[h::2]) for h in (0, 1)]

        def mean(i, of):
            return numpy.mean(sorted((s.cosine[i, j] for j in of), reverse=True)[:4])

        proposed, taken, pairs = [], set(), []
        for k in (0, 1):
            for i in side[k]:
                ratio = {j: 0 if s.cosine[i, j] == 0 else
                         s.cosine[i, j] / ((mean(i, side[1 - k]) + mean(j, side[k])) / 2)
                         for j in s.order(i, side[1 - k])[:4]}
                pick = max(ratio, key=lambda j: ratio[j])
                proposed.append((-ratio[pick], *((i, pick) if k == 0 else (pick, i))))
        for ratio, i, j in sorted(proposed):
            if i not in taken and j not in taken:
                taken |= {i, j}
                pairs.append((-ratio, half[i], bool(s.id[i]) and s.id[i] == s.id[j]))
        learned = [pair for pair in pairs if pair[1] == 0]
        f1 = [2 * sum(p[2] for p in learned[:n + 1]) / (n + 1 + gold[0]) for n in range(len(learned))]
        at = int(numpy.argmax(f1))
        least = numpy.inf  # no pair is right
        if f1[at] > 0:
            least = numpy.mean([ratio for ratio, _, _ in learned[at:at + 2]])
        mined = [pair[2] for pair in pairs if pair[1] == 1 and pair[0] >= least]
        scores.append((2 * sum(mined) / (len(mined) + gold[1]),
                       sum(mined) / len(mined) if mined else numpy.nan, sum(mined) / gold[1]))
        for name, value in zip(MINING, scores[-1]):
            yield name, a, b, value
        yield 'mining_threshold', a, b, least
    for name, value in zip(MINING, numpy.nanmean(scores, axis=0)):
        yield name, '', '', value


def hsic(k, l):
    n = len(k)
    k, l = k - numpy.diag(numpy.diag(k)), l - numpy.diag(numpy.diag(l))
    return (numpy.trace(k @ l) + k.sum() * l.sum() / ((n - 1) * (n - 2))
            - 2 / (n - 2) * (k.sum(0) @ l.sum(0))) / (n * (n - 3))


def cka(s):
    weight, plain, debiased = [], [], []
    for a, b in language_pairs(s):
        of = [{i: numpy.mean([s.rows[r] for r in s.n if s.lang[r] == lang and s.id[r] == i], axis=0)
               for i in {s.id[r] for r in s.n if s.lang[r] == lang and s.id[r]}} for lang in (a, b)]
        shared = sorted(set(of[0]) & set(of[1]))
        if len(shared) < 20:
            continue
        x, y = ([side[i] for i in shared] for side in of)
        x, y = x - numpy.mean(x, axis=0), y - numpy.mean(y, axis=0)
        k, l = x @ x.T, y @ y.T
        weight.append(len(shared))
        plain.append((k * l).sum() / numpy.sqrt((k * k).sum() * (l * l).sum()))
        debiased.append(hsic(k, l) / numpy.sqrt(hsic(k, k) * hsic(l, l)))
        yield 'cka', a, b, plain[-1]
        yield 'cka_debiased', a, b, debiased[-1]
    yield 'cka', '', '', numpy.average(plain, weights=weight)
    yield 'cka_debiased', '', '', numpy.average(debiased, weights=weight)


def ratio_margin(s):
    """xsim and top-1 by the ratio margin; queries whose denominator is not positive are out."""
    wrong, first = [], []
    for a in s.languages:
        for b in s.languages:
            asked = [i for i in s.n if s.lang[i] == a and s.translations(i, b)]
            offered = [j for j in s.n if s.lang[j] == b and s.translations(j, a)]
            if not asked:
                continue

            def mean(i, among, k):
                return numpy.mean(sorted((s.cosine[i, j] for j in among), reverse=True)[:k])

            def ratio(i, j, k):
                below = (mean(i, offered, k) + mean(j, asked, k)) / 2
                return s.cosine[i, j] / below if below > 0 else None

            picks, firsts = [], []
            for i in asked:
                scores = [(ratio(i, j, 4), j) for j in s.order(i, offered)[:4]]
                if all(score is not None for score, _ in scores):
                    pick = max(scores, key=lambda pair: pair[0])[1]
                    picks.append(s.id[pick] != s.id[i])
                scores = {j: ratio(i, j, 10) for j in offered}
                if all(score is not None for score in scores.values()):
                    best = max(scores[j] for j in s.translations(i, b))
                    firsts.append(all(scores[j] <= best + EQUAL for j in offered
                                      if j not in s.translations(i, b)))
            guess = numpy.mean([len(s.translations(i, b)) for i in asked]) / len(offered)
            if picks:
                wrong.append((numpy.mean(picks), 1 - guess, len(offered)))
                yield 'xsim', a, b, *wrong[-1][:2]
            if firsts:
                first.append((numpy.mean(firsts), guess, len(offered)))
                yield 'ratio_margin_top1', a, b, *first[-1][:2]
    for name, of in ('xsim', wrong), ('ratio_margin_top1', first):
        many = [direction for direction in of if direction[2] >= 20]
        yield name, '', '', *numpy.mean(many or of, axis=0)[:2]


def draws(seed, stream):
    """Numbers below 2⁶⁴ of xoshiro256** that SplitMix64 seeds."""
    mask = 2 ** 64 - 1

    def splitmix(x):
        z = x = (x + 0x9e3779b97f4a7c15) & mask
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9 & mask
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb & mask
        return x, z ^ (z >> 31)

    def rotate(x, k):
        return (x << k | x >> (64 - k)) & mask

    x = splitmix(seed)[1] ^ (stream * 0xd1342543de82ef95 & mask)
    state = []
    for _ in range(4):
        x, z = splitmix(x)
        state.append(z)
    while True:
        yield rotate(state[1] * 5 & mask, 7) * 9 & mask
        t = state[1] << 17 & mask
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= t
        state[3] = rotate(state[3], 45)


def shuffled(n, seed, stream):
    """0 … n − 1 by Fisher and Yates."""
    items, draw = list(range(n)), draws(seed, stream)
    for i in range(n, 1, -1):  # draws below 2⁶⁴ mod i would bias the low remainders
        at = next(x for x in draw if x >= 2 ** 64 % i) % i
        items[i - 1], items[at] = items[at], items[i - 1]
    return items


def interval(p, variance, units):
    """Korn and Graubard's interval of a share."""
    n = p * (1 - p) / variance * (1.96 / stats.t.ppf(.975, units - 1)) ** 2
    return stats.beta.ppf(.025, p * n, n - p * n + 1), stats.beta.ppf(.975, p * n + 1, n - p * n)


def shares(s):
    """Shares and their intervals: the variance is that of 100,000 draws, Poisson, of ids."""
    weight = numpy.random.default_rng(3).poisson(1, (100000, len(s.n)))
    unit = [s.id.index(s.id[i]) if s.id[i] else i for i in s.n]

    def close(name, a, b, value, more={}):
        drawn = weight[:, [unit[i] for i in value]]
        sums = drawn @ [value[i] + more.get(i, 0) for i in value] / drawn.sum(axis=1)
        return (name, a, b), numpy.mean(list(value.values())), sums, {unit[i] for i in value}

    asked = [i for i in s.n if s.translations(i)]
    others = {i: [j for j in s.n if j != i] for i in asked}
    ties = {i: s.nearest(i, s.order(i, others[i])[:10]) for i in asked}
    first = {i: s.share(i, s.translations(i), ties[i]) for i in asked}
    found = [close('pool_translation', '', '', first), close('pool_mrr', '', '', {
        i: 1 / min(1 + s.nearer(i, j, others[i]) for j in s.translations(i)) for i in asked})]
    top = []
    for a, b in itertools.permutations(s.languages, 2):
        offered = [j for j in s.n if s.lang[j] == b and s.translations(j, a)]
        near = {i: s.order(i, set(offered) - set(right))
                for i in asked if s.lang[i] == a and (right := s.translations(i, b))}
        nearer = {i: min(s.nearer(i, j, near[i]) for j in s.translations(i, b)) for i in near}
        lead = {i: s.cosine[i, near[i][0]] - s.cosine[i, near[i][1]] for i in near}
        share = .75 * sum(n == 1 for n in nearer.values()) / sum(lead.values())
        more = {i: share * sum(lead.values()) / len(near) for i in near}
        for i in near:  # what the meaning of the nearest takes is that of its first row here
            more[next(j for j in near if unit[j] == unit[near[i][0]])] -= share * lead[i]
        value = {i: float(n == 0) for i, n in nearer.items()}
        top.append((len(offered), close('top1', a, b, value, more)))
    found += [share for _, share in top]
    top = [share for many, share in top if many >= 20]
    found.append((('top1', '', ''), numpy.mean([value for _, value, _, _ in top]),
                  numpy.mean([drawn for _, _, drawn, _ in top], axis=0),
                  set.union(*(units for _, _, _, units in top))))
    for key, value, drawn, units in found:
        yield *key, value, *interval(value, numpy.var(drawn[numpy.isfinite(drawn)]), len(units))


def ridge(rows, labels, languages, power):
    """What reads a row: scores of ridge regression to one-hot labels."""
    x = rows - rows.mean(axis=0)
    y = numpy.array([[label == lang for lang in languages] for label in labels], float)
    s = x.T @ x / len(x)
    penalty = 10. ** power * numpy.trace(s) / len(s) * numpy.eye(len(s))
    w = numpy.linalg.solve(s + penalty, x.T @ (y - y.mean(axis=0)) / len(x))
    return lambda row: languages[int(numpy.argmax((row - rows.mean(axis=0)) @ w + y.mean(axis=0)))]


def learn(rows, lang, number, languages):
    """A probe: lambda reads most of every tenth meaning, of equal ones the smallest."""
    held = number // 2 % 10 == 9
    best, most, power = -1, 0, -6
    while power <= -1 or power <= 4 and best == power - 1:
        read = ridge(rows[~held], lang[~held], languages, power)
        right = sum(read(row) == label for row, label in zip(rows[held], lang[held]))
        if right > most:
            best, most = power, right
        power += 1
    return ridge(rows, lang, languages, best if most else -3)


def probe(s):
    meanings = {}
    for i in s.n:
        meanings.setdefault(s.id[i] or (i,), len(meanings))
    order = shuffled(len(meanings), 1, 0x68616c66)
    number = numpy.array([order[meanings[s.id[i] or (i,)]] for i in s.n])
    lang = numpy.array(s.lang)
    for name, rows in ('probe', s.unit), ('probe_raw', s.rows):
        answer = lang.copy()
        for half in number % 2 == 0, number % 2 == 1:
            read = learn(rows[half], lang[half], number[half], s.languages)
            answer[~half] = [read(row) for row in rows[~half]]
        # Chance: any answer is that of any row.
        yield name, '', '', numpy.mean(answer == lang), numpy.mean(answer[:, None] == lang)


def centre(rows, lang, ids):
    """Less the mean of the training rows of a language: those with the id of a pair with the
    pivot, the first language."""
    pivot = {i for i, k in zip(ids, lang) if k == lang[0] and i}
    return rows - [rows[[k == of and i in pivot for i, k in zip(ids, lang)]].mean(axis=0)
                   for of in lang]


def shift(rows, lang, ids):
    """Less the mean difference from the translations in the pivot, the first language."""
    delta = {}
    for l in set(lang):
        mine, pivot = ({i for i, k in zip(ids, lang) if k == of and i} for of in (l, lang[0]))
        means = [rows[[k == of and i in mine & pivot for i, k in zip(ids, lang)]].mean(axis=0)
                 for of in (l, lang[0])]
        delta[l] = means[0] - means[1]
    return rows - [delta[l] for l in lang]


def without(rows, lang, ids, count):
    """Less the mean of the training rows, and without random directions by seed 1."""
    pivot = {i for i, k in zip(ids, lang) if k == lang[0] and i}
    unit = [(x >> 11) * 2. ** -53 for x in itertools.islice(draws(1, 0x52414e44), 2 * count * DIMS)]
    normal = [numpy.sqrt(-2 * numpy.log(1 - u)) * numpy.cos(2 * numpy.pi * v)
              for u, v in zip(unit[::2], unit[1::2])]
    q, _ = numpy.linalg.qr(numpy.reshape(normal, (count, DIMS)).T)
    centred = rows - rows[[i in pivot for i in ids]].mean(axis=0)
    return centred - centred @ q @ q.T


def main():
    rows, lang, ids = make()
    with open(os.path.join(FOLDER, 'definitions.npy'), 'wb') as file:
        numpy.save(file, rows)
    with open(os.path.join(FOLDER, 'definitions.csv'), 'w', newline='') as file:
        csv.writer(file, lineterminator='\n').writerows([('lang', 'id'), *zip(lang, ids)])
    e = rows.astype('float64')
    spaces = [('', 'original', e), ('centre', 'meaning', centre(e, lang, ids)),
              ('shift', 'meaning', shift(e, lang, ids)),
              ('random-2', 'meaning', without(e, lang, ids, 2)),
              ('centre strength 1.5', 'meaning', e + 1.5 * (centre(e, lang, ids) - e))]
    with open(os.path.join(FOLDER, 'records', 'definitions.csv'), 'w', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['run', 'space', 'measure', 'from', 'to', 'value', 'chance'])
        for run, space, vectors in spaces:
            s = Space(vectors, lang, ids)
            for measure in (geometry, isotropy, pool, purity10, last_rank, first_translation, retrieval,
                            mutual_top1, ratio_margin, mining, cka, probe):
                for name, a, b, *numbers in measure(s):
                    out.writerow([run, space, name, a, b] + [
                        '%.9g' % x if numpy.isfinite(x) else '' for x in [*numbers, numpy.nan][:2]])
    with open(os.path.join(FOLDER, 'records', 'shares.csv'), 'w', newline='') as file:
        out = csv.writer(file, lineterminator='\n')
        out.writerow(['run', 'space', 'measure', 'from', 'to', 'value', 'low', 'high'])
        for run, space, vectors in spaces:
            for name, a, b, *numbers in shares(Space(vectors, lang, ids)):
                out.writerow([run, space, name, a, b] + ['%.9g' % x for x in numbers])


main()
