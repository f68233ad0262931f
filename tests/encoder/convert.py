"""Files as other libraries write them: isogloss refuses each with a command, the command converts it, isogloss opens
what comes out. Prints TAP."""

import csv
import importlib
import json
import os
import pickle
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from tap import check, end, skip

try:
    import numpy as np
except ImportError as error:
    print(f"1..0 # skipped: {error}")
    sys.exit()

ISOGLOSS = os.path.abspath(os.environ["ISOGLOSS"])
N, D = 5000, 8  # more rows than a chunk
VECTORS = np.random.default_rng(1).standard_normal((N, D)).astype("float32")
LANG = ["en" if i % 2 == 0 else "de" for i in range(N)]
TEXT = [f"sentence {i}, \"so\" ü" for i in range(N)]
ID = [str(i // 2) for i in range(N)]


def run(*command, shell=False):
    done = subprocess.run(command[0] if shell else command, capture_output=True, text=True, shell=shell)
    return done.returncode, done.stdout + done.stderr


def convert(name, path, columns, more=""):
    """The command of the refusal, run; then the rows, the table, and that the explorer's reader takes them."""
    for out in "set.npy", "set.csv":
        if os.path.exists(out):
            os.remove(out)
    status, said = run(ISOGLOSS, "info", path)
    command = re.search(r"(?:convert it|of save_to_disk): (.* set\.npy(?: --trust)?)", said)
    if status != 1 or not command:
        return check(name, False, said)
    status, said = run(command[1] + more, shell=True)
    if status != 0:
        return check(name, False, said)
    rows = np.load("set.npy")
    if not np.array_equal(rows, VECTORS):
        return check(name, False, f"other vectors: {rows.shape} {rows.dtype}")
    wanted = {"lang": LANG, "id": ID, "text": TEXT}
    with open("set.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    for column in columns:
        if [row.get(column) for row in table] != wanted[column]:
            return check(name, False, f"column {column}: {table[:2]}")
    lang = [] if "lang" in columns or "=" in more else ["--lang", "xx"]
    status, said = run(ISOGLOSS, "info", "set.npy", *lang)
    check(name, status == 0 and "5,000" in said, said)


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        skip(name, error)


here = os.getcwd()
scratch = tempfile.mkdtemp()
shutil.copy("assets/convert.py", scratch)
os.chdir(scratch)
ALL = "lang", "id", "text"

pandas, pyarrow = library("pandas"), library("pyarrow")
if pandas and pyarrow:
    frame = pandas.DataFrame({"language": LANG, "pair_id": ID, "sentence": TEXT, "embedding": list(VECTORS)})
    frame.to_parquet("frame.parquet")
    convert("Parquet by pandas", "frame.parquet", ALL)
    frame.to_feather("frame.feather")
    convert("Feather by pandas", "frame.feather", ALL)
    frame.to_pickle("frame.pkl")
    convert("a pickle by pandas", "frame.pkl", ALL)
    wide = pandas.concat([frame.drop(columns="embedding"),
                          pandas.DataFrame(VECTORS, columns=[f"v{i}" for i in range(D)])], axis=1)
    wide.to_parquet("wide.parquet")
    convert("a column for each number", "wide.parquet", ALL)
if pyarrow:
    table = pyarrow.table({"lang": LANG, "id": ID, "text": TEXT, "v": pyarrow.FixedSizeListArray.from_arrays(
        VECTORS.ravel(), D)})
    from pyarrow import feather, ipc
    with ipc.new_file("file.arrow", table.schema) as file:
        file.write_table(table, 1234)
    convert("an Arrow file", "file.arrow", ALL)
    with ipc.new_stream("stream.arrow", table.schema) as file:
        file.write_table(table)
    convert("an Arrow stream", "stream.arrow", ALL)
    uneven = pyarrow.table({"v": [[1.0, 2.0], [3.0]]})
    from pyarrow import parquet
    parquet.write_table(uneven, "uneven.parquet")
    status, said = run("python3", "convert.py", "uneven.parquet", "uneven.npy")
    check("vectors of two lengths are refused", status == 1 and "row 1 has 1 numbers" in said, said)
    check("and leave nothing", not [f for f in os.listdir() if f.startswith("uneven.npy")])
datasets = library("datasets")
if datasets:
    datasets.disable_progress_bars()
    data = datasets.Dataset.from_dict({"locale": LANG, "id": ID, "content": TEXT, "embedding": list(VECTORS)})
    data.save_to_disk("saved")
    convert("a folder of save_to_disk", "saved", ALL)
    datasets.DatasetDict({"train": data.select(range(3000)), "test": data.select(range(3000, N))}).save_to_disk("two")
    convert("one of two splits", "two", ALL)
h5py = library("h5py")
if h5py:
    with h5py.File("set.h5", "w") as file:
        group = file.create_group("group")
        group["embeddings"], group["lang"], group["text"], group["id"] = VECTORS, LANG, TEXT, ID
    convert("HDF5", "set.h5", ALL)
faiss = library("faiss")
if faiss:
    flat = faiss.IndexFlatIP(D)
    flat.add(VECTORS)
    faiss.write_index(flat, "flat.faiss")
    convert("a flat index of FAISS", "flat.faiss", (), " --lang =en")
    mapped = faiss.IndexIDMap2(faiss.IndexFlatL2(D))
    mapped.add_with_ids(VECTORS, np.arange(N) + 7)
    faiss.write_index(mapped, "mapped.faiss")
    convert("one with ids", "mapped.faiss", ())
    lists = faiss.index_factory(D, "IVF16,Flat")
    lists.train(VECTORS)
    lists.add(VECTORS)
    faiss.write_index(lists, "lists.faiss")
    convert("one of inverted lists", "lists.faiss", (), " --lang =en")
    lists.reset()
    lists.add_with_ids(VECTORS, np.arange(N) + 7)
    faiss.write_index(lists, "numbered.faiss")
    convert("one of inverted lists with ids", "numbered.faiss", ())
    with open("set.csv", encoding="utf-8") as file:
        check("which are its ids", file.read().split() == ["id", *map(str, range(7, N + 7))])
    codes = faiss.index_factory(D, "SQ8")
    codes.train(VECTORS)
    codes.add(VECTORS)
    faiss.write_index(codes, "codes.faiss")
    status, said = run("python3", "convert.py", "codes.faiss", "codes.npy")
    check("codes are approximations", status == 0 and "does not keep vectors: these are approximations" in said, said)
gensim = library("gensim")
if gensim:
    words = gensim.models.KeyedVectors(D)
    words.add_vectors([f"word{i}" for i in range(N)], VECTORS)
    TEXT, kept = [f"word{i}" for i in range(N)], TEXT
    words.save_word2vec_format("words.bin", binary=True)
    convert("word2vec's binary file", "words.bin", ("text",))
    TEXT = kept
    from gensim.models import FastText
    from gensim.models.fasttext import save_facebook_model
    model = FastText([["one", "two", "three"]] * 5, vector_size=D, min_count=1, workers=1, seed=1, bucket=50)
    save_facebook_model(model, "fast.bin")
    status, said = run(ISOGLOSS, "info", "fast.bin")
    check("fastText's binary file is recognised", status == 1 and "fastText's binary file" in said, said)
    status, said = run("python3", "convert.py", "fast.bin", "fast.npy")
    check("and converted", status == 0 and np.allclose(
        np.load("fast.npy"), model.wv[[row["text"] for row in csv.DictReader(open("fast.csv"))]]), said)
database = sqlite3.connect("set.db")
database.execute("create table rows (lang text, id text, text text, vector blob)")
database.executemany("insert into rows values (?, ?, ?, ?)", [
    (LANG[i], ID[i], TEXT[i], VECTORS[i].tobytes()) for i in range(N)])
database.commit()
database.close()
convert("SQLite", "set.db", ALL)
with open("set.pkl", "wb") as file:
    pickle.dump({"sentences": TEXT, "embeddings": VECTORS, "language": LANG}, file)
convert("a pickle", "set.pkl", ("lang",))
with open("plural.pkl", "wb") as file:
    pickle.dump({"texts": TEXT, "vectors": VECTORS, "langs": LANG, "ids": ID}, file)
convert("one with plurals", "plural.pkl", ALL)
with open("dict.pkl", "wb") as file:
    pickle.dump(dict(zip(TEXT, VECTORS)), file)
convert("one of texts with their vectors", "dict.pkl", ("text",))
with open("set.pkl", "rb") as file, open("cut.pkl", "wb") as cut:
    cut.write(file.read()[:999])
with open("short.pkl", "wb") as file:
    pickle.dump({"text": TEXT[1:], "embedding": VECTORS}, file)
with open("broken.db", "wb") as file:
    file.write(b"SQLite format 3\0" + b"x" * 200)
for name, text in (("cut.pkl", "cannot be read: UnpicklingError: pickle data was truncated"),
                   ("short.pkl", "text has 4999 values, but embedding 5000 rows"),
                   ("broken.db", "cannot be read: DatabaseError: file is not a database"),
                   ("nowhere.db", "No such file or directory")):
    status, said = run("python3", "convert.py", name, "other.npy", "--trust")
    check(f"{name}: one sentence", status == 1 and said == f"convert.py: {name}: {text}\n", said)
for name, text in (("good", "sentence1\tsentence2\tscore\na\tb\t1\n"), ("bad", "one column\n")):
    with open(name + ".tsv", "w", encoding="utf-8") as file:
        file.write(text)
status, said = run("python3", "convert.py", "--scores", "en-de=good.tsv", "--scores", "en-fr=bad.tsv", "qe.csv")
check("of several files the one at fault is named", status == 1 and "en-fr=bad.tsv: has no columns" in said, said)
status, said = run("python3", "convert.py", "set.pkl", "other.npy")
check("without --trust it is not opened", status == 1 and "can run any code" in said, said)
status, said = run("python3", "convert.py", "set.db", "set.npy")
check("files that are there are not replaced", status == 1 and "--overwrite" in said, said)
VECTORS.tofile("tensor.bytes")
with open("metadata.tsv", "w", encoding="utf-8") as file:
    file.write("lang\ttext\n" + "".join(f"{LANG[i]}\t{TEXT[i]}\n" for i in range(N)))
with open("projector.json", "w") as file:
    json.dump({"embeddings": [{"tensorName": "x", "tensorShape": [N, D], "tensorPath": "tensor.bytes",
                               "metadataPath": "metadata.tsv"}]}, file)
convert("a configuration of the projector", "projector.json", ("lang", "text"))
torch = library("torch")
if torch:
    torch.save({"embeddings": torch.from_numpy(VECTORS), "lang": LANG, "text": TEXT, "id": ID}, "set.pt")
    convert("torch.save", "set.pt", ALL)
    torch.save(torch.from_numpy(VECTORS), "tensor.pt", _use_new_zipfile_serialization=False)
    convert("one of old", "tensor.pt", (), " --lang =en")

os.chdir(here)
shutil.rmtree(scratch)
end()
