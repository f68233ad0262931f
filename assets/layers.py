# Hidden states of an encoder of Hugging Face as versions of one dataset: layer 00 (after the
# embedding layer) to layer N.
#     python3 layers.py intfloat/multilingual-e5-small demo.csv versions/e5 --prefix "query: "
#     isogloss versions/e5
import argparse, csv, os, sys

try:
    import isogloss
    from isogloss.callbacks import hidden_states
    import torch
    from transformers import AutoModel, AutoTokenizer
except ImportError as missing:
    sys.exit(f"layers.py: {missing}: pip install torch transformers ./assets/python")

p = argparse.ArgumentParser(description="Write the pooled hidden states of an encoder.")
p.add_argument("model", help="name or directory")
p.add_argument("table", help="CSV with the columns lang, text and, of translations, id")
p.add_argument("folder", help="for set.csv and layer NN.npy")
p.add_argument("--pool", choices=("mean", "cls", "last", "mask"), default="mean",
               help="mask: the token [MASK] of --template")
p.add_argument("--template", default="{}",
               help='a prompt around each text, such as \'"{}" means [MASK].\'')
p.add_argument("--prefix", default="", help='before each text, such as "query: "')
p.add_argument("--batch", type=int, default=32, help="texts at a time")
p.add_argument("--dtype", choices=("float16", "float32"), default="float16")
o = p.parse_args()
if o.template.count("{}") != 1 or (o.pool == "mask") != ("[MASK]" in o.template):
    p.error("--template has one {}, and with --pool mask alone one [MASK]")

with open(o.table, encoding="utf-8-sig", newline="") as table:
    rows = list(csv.DictReader(table))
for column in ("lang", "text"):
    if not rows or rows[0].get(column) is None:
        sys.exit(f"layers.py: {o.table}: no column {column}, or no rows")
text = [row["text"] for row in rows]
ids = [row["id"] for row in rows] if "id" in rows[0] else None
if os.path.isdir(o.folder) and os.listdir(o.folder) and not os.path.exists(os.path.join(o.folder, "set.csv")):
    sys.exit(f"layers.py: {o.folder}: exists and is no folder of versions (no set.csv in it)")
try:
    log = isogloss.VersionLog(o.folder, lang=[row["lang"] for row in rows], text=text, ids=ids,
                              dtype=o.dtype)
except isogloss.Error as wrong:
    sys.exit(f"layers.py: {wrong}")
model = AutoModel.from_pretrained(o.model).eval()
model.to("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained(o.model)
before, _, after = o.template.replace("[MASK]", tokenizer.mask_token or "[MASK]").partition("{}")
states = hidden_states(model, tokenizer, [before + o.prefix + each + after for each in text], o.pool,
                       o.batch)
for number, state in enumerate(states):
    log.add(f"layer {number:02}", state)
print(f"{o.folder}: {len(states)} layers, {len(text):,} rows of {states[0].shape[1]} dimensions")
