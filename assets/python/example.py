"""Figures and a map of a sentence-transformers model, before and after SEED:

    python3 example.py intfloat/multilingual-e5-small ../../data/demo.csv map.png

The table has the columns lang, id and text; translations share an id.
"""

import csv
import sys

from matplotlib import pyplot
from sentence_transformers import SentenceTransformer

import isogloss

model, table, picture = sys.argv[1:]
with open(table, encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
lang, ids, text = ([row[name] for row in rows] for name in ("lang", "id", "text"))
vectors = SentenceTransformer(model).encode(text)

# A fifth of the ids is not trained on; figures are of that fifth.
seed = isogloss.Extractor("seed", lr=1e-3, epochs=60, holdout=0.2).fit(vectors, lang, ids)
of = {"extractor": seed, "split": "holdout", "ci": True}
before = isogloss.evaluate(vectors, lang, ids, space="original", **of)
after = isogloss.evaluate(vectors, lang, ids, **of)
print(isogloss.Evaluations({"original": before, "meaning": after}))
for key in ("top1", "pool_translation", "probe"):
    print(key, before.interval(key), "to", after.interval(key))

figure, axes = pyplot.subplots(1, 2, figsize=(12, 6))
isogloss.plot.map(vectors, lang, axes[0]).set_title("original")
isogloss.plot.map(vectors, lang, axes[1], extractor=seed).set_title("meaning")
figure.savefig(picture, dpi=150)
