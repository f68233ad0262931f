#!/usr/bin/env python3
"""Convert vectors of other programs to set.npy and set.csv for isogloss.

    python3 convert.py FILE set.npy

FILE: Parquet, Arrow, Feather, a folder of datasets.save_to_disk, HDF5, a FAISS index, word2vec's or fastText's
binary file, SQLite, a pickle (--trust), a file of torch.save, a configuration of the TensorBoard projector.
Needs numpy, and the library of the format; reads in chunks wherever that library can.

    python3 convert.py --scores en-de=FILE --scores et-en=FILE qe.csv

Of WMT quality estimation (original, translation, z_mean) and STS (sentence1, sentence2, score; without a header
the texts and the score) writes the texts as qe.csv, for isogloss encode, and qe-scores.csv for --scores."""
import argparse
import csv
import itertools
import json
import os
import sys

CHUNK = 4096  # rows
VECTORS = "embedding", "embeddings", "vector", "vectors", "emb", "features"
COLUMNS = {"lang": ("lang", "language", "locale"),  # or their plurals
           "id": ("id", "pair_id", "translation_id", "translation_group", "sentence_id", "sent_id",
                  "group_id"),
           "text": ("text", "sentence", "content")}


class Problem(Exception):
    """An error in the input."""


def listed(names):
    """The first ten names."""
    return ", ".join(map(str, list(names)[:10])) + (" …" if len(names) > 10 else "")


def library(name):
    """Import a module on demand."""
    import importlib
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = {"faiss": "faiss-cpu"}.get(name.split(".")[0], name.split(".")[0])
        raise Problem(f"needs {package}: pip install {package} ({error})") from None


# Every reader yields chunks (vectors, {name: values}): an array (n, d) and lists of n values; vectors None: they
# are a column, which `split` finds.

def as_rows(values, first=0):
    """Lists, arrays, bytes of float32 or JSON texts as an array (n, d)."""
    np, rows = library("numpy"), []
    for i, value in enumerate(values):
        if value is None:
            raise Problem(f"row {first + i} has no vector")
        try:
            if isinstance(value, (bytes, memoryview)):
                value = np.frombuffer(value, "<f4")
            elif isinstance(value, str):
                value = json.loads(value)
            rows.append(np.asarray(value, "float32").ravel())
        except (ValueError, TypeError) as error:
            raise Problem(f"row {first + i} has no vector of numbers ({error})") from None
        if len(rows[i]) != len(rows[0]):
            raise Problem(f"row {first + i} has {len(rows[i])} numbers, the rows before have {len(rows[0])}")
    if not rows:
        raise Problem("holds no rows")
    return np.stack(rows)


def is_vector(value):
    if isinstance(value, str):
        return value.startswith("[") and value.endswith("]")
    if isinstance(value, bytes):
        return len(value) >= 4 and len(value) % 4 == 0
    return hasattr(value, "__len__") and len(value) > 0 and isinstance(value[0], (int, float)) or \
        getattr(getattr(value, "dtype", None), "kind", "") == "f" and getattr(value, "ndim", 0) > 0


def split(columns, options):
    """The name of the column of vectors, or the names of columns of one number each."""
    name = options.vector
    if name:
        if name not in columns:
            raise Problem(f"has no column {name} (columns: {listed(columns)})")
        return [name]
    first = {c: next((value for value in values if value is not None), None) for c, values in columns.items()}
    lists = [c for c, value in first.items() if is_vector(value)]
    named = [c for c in lists if str(c).lower() in VECTORS]
    if len(named) == 1 or len(lists) == 1:
        return named[:1] or lists
    if lists:
        raise Problem(f"has several columns of vectors, --vector NAME selects one: {listed(lists)}")
    numbers = [c for c in columns if str(c).lstrip("vedim_").isdigit() and isinstance(first[c], (int, float))]
    if numbers:
        return numbers
    raise Problem(f"has no column of vectors, --vector NAME selects one (columns: {listed(columns)})")


def of_arrow(batches, options):
    """Batches of pyarrow; lists of numbers are taken without becoming Python's."""
    np, pa = library("numpy"), library("pyarrow")
    first, name = 0, None
    for batch in batches:
        if not batch.num_rows:
            continue
        if name is None:
            name = split({c: batch.column(c)[:64].to_pylist() for c in batch.schema.names}, options)
        columns = {c: batch.column(c) for c in batch.schema.names if c not in name and c != "__index_level_0__"}
        vectors = batch.column(name[0])
        if isinstance(vectors, pa.ChunkedArray):
            vectors = vectors.combine_chunks()
        kind = vectors.type
        if len(name) > 1:
            rows = np.stack([np.asarray(batch.column(c), "float32") for c in name], axis=1)
        elif not vectors.null_count and (pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind)
                                         or pa.types.is_large_list(kind)):
            flat = vectors.flatten()
            size = len(flat) // len(vectors)
            if not pa.types.is_fixed_size_list(kind):
                for i, length in enumerate(np.diff(np.asarray(vectors.offsets))):
                    if length != size:
                        as_rows(vectors.to_pylist(), first)  # which names the row
                        break
            if flat.null_count:
                raise Problem(f"a vector of rows {first} to {first + len(vectors) - 1} has a missing number")
            rows = flat.to_numpy(zero_copy_only=False).reshape(len(vectors), size)
        else:
            rows = as_rows(vectors.to_pylist(), first)
        yield rows, {c: values.to_pylist() for c, values in columns.items()}
        first += batch.num_rows


def read_parquet(path, options):
    return of_arrow(library("pyarrow.parquet").ParquetFile(path).iter_batches(CHUNK), options)


def read_arrow(path, options):
    pa = library("pyarrow")
    reader = library("pyarrow.ipc").open_file(pa.memory_map(path))
    return of_arrow((part for i in range(reader.num_record_batches) for part in slices(reader.get_batch(i))), options)


def read_arrow_stream(path, options):
    pa = library("pyarrow")
    return of_arrow((part for batch in library("pyarrow.ipc").open_stream(pa.memory_map(path))
                     for part in slices(batch)), options)


def slices(table):
    return (table.slice(i, CHUNK) for i in range(0, table.num_rows, CHUNK))


def read_feather(path, options):
    return of_arrow(slices(library("pyarrow.feather").read_table(path)), options)


def read_folder(path, options):
    datasets, pa = library("datasets"), library("pyarrow")
    data = datasets.load_from_disk(path)
    parts = data.items() if isinstance(data, datasets.DatasetDict) else [(None, data)]

    def batches():
        for split_name, part in parts:
            for table in part.with_format("arrow").iter(CHUNK):
                if split_name and "split" not in table.column_names:
                    table = table.append_column("split", pa.array([split_name] * len(table)))
                yield table
    return of_arrow(batches(), options)


def role_of(name):
    """Which of lang, id and text a name is one of, or None."""
    name = str(name).split("/")[-1].lower()
    return next((role for role, usual in COLUMNS.items() if name in usual or name.rstrip("s") in usual), None)


def text_of(value):
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value


def of_arrays(arrays, options, path):
    """Arrays by name (HDF5, a dictionary): one matrix, and what has a value for each of its rows."""
    matrices = {name: a for name, a in arrays.items() if getattr(a, "ndim", 0) == 2 and a.dtype.kind in "fiu"}
    named = [m for m in matrices if str(m).split("/")[-1].lower() in VECTORS]
    name = options.vector or (named[0] if len(named) == 1 else next(iter(matrices), None))
    if name not in matrices or (len(matrices) > 1 and len(named) != 1 and not options.vector):
        raise Problem(f"--vector NAME selects the matrix (arrays: {', '.join(map(str, arrays))})")
    matrix = matrices[name]
    for c, a in arrays.items():
        if role_of(c) and getattr(a, "ndim", 1) == 1 and hasattr(a, "__len__") and len(a) != len(matrix):
            raise Problem(f"{c} has {len(a)} values, but {name} {len(matrix)} rows")
    columns = {c: a for c, a in arrays.items()
               if c not in matrices and getattr(a, "ndim", 1) == 1 and hasattr(a, "__len__") and len(a) == len(matrix)}
    for i in range(0, len(matrix), CHUNK):
        yield matrix[i:i + CHUNK], {str(c).split("/")[-1]: [text_of(v) for v in a[i:i + CHUNK]]
                                    for c, a in columns.items()}


def read_hdf5(path, options):
    h5py, arrays = library("h5py"), {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: arrays.update({name: item}) if isinstance(item, h5py.Dataset) else None)
        yield from of_arrays(arrays, options, path)


def read_faiss(path, options):
    faiss, np = library("faiss"), library("numpy")
    whole, ids = faiss.read_index(path), None  # `whole` owns what it maps
    index = whole
    if hasattr(whole, "id_map"):
        ids = faiss.vector_to_array(whole.id_map)
        index = faiss.downcast_index(whole.index)
    if "Flat" not in type(index).__name__:
        print(f"{path}: an {type(index).__name__} does not keep vectors: these are approximations", file=sys.stderr)
    given = None  # ids of inverted lists, unless those are row numbers
    if hasattr(index, "invlists") and index.ntotal:
        lists = [faiss.rev_swig_ptr(index.invlists.get_ids(i), index.invlists.list_size(i))
                 for i in range(index.nlist) if index.invlists.list_size(i)]
        given = np.sort(np.concatenate(lists))
        if np.array_equal(given, np.arange(index.ntotal)):
            given = None
            index.make_direct_map()
        else:
            ids = given if ids is None else ids
            index.set_direct_map_type(faiss.DirectMap.Hashtable)
    for i in range(0, index.ntotal, CHUNK):
        n = min(CHUNK, index.ntotal - i)
        rows = index.reconstruct_n(i, n) if given is None else index.reconstruct_batch(given[i:i + n])
        yield rows, {} if ids is None else {"id": ids[i:i + n].tolist()}


def read_word2vec(path, options):
    np = library("numpy")
    with open(path, "rb") as file:
        count, dims = map(int, file.readline().split())
        for i in range(0, count, CHUNK):
            words, rows = [], []
            for _ in range(min(CHUNK, count - i)):
                word = b"".join(itertools.takewhile(lambda c: c not in (b" ", b""), iter(lambda: file.read(1), None)))
                row = file.read(4 * dims)
                if len(row) < 4 * dims:
                    raise Problem(f"ends at word {i + len(words)} of {count}")
                words.append(word.lstrip(b"\n").decode("utf-8", "replace"))
                rows.append(np.frombuffer(row, "<f4"))
            yield np.stack(rows), {"text": words}


def read_fasttext(path, options):
    model = library("gensim.models.fasttext").load_facebook_vectors(path)
    for i in range(0, len(model.index_to_key), CHUNK):
        words = model.index_to_key[i:i + CHUNK]
        yield model[words], {"text": words}


def read_sqlite(path, options):
    import sqlite3
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    tables = [row[0] for row in file.execute("select name from sqlite_master where type = 'table' "
                                             "and name not like 'sqlite_%'")]
    table = options.table or (tables[0] if len(tables) == 1 else None)
    if table not in tables:
        raise Problem(f"--table NAME selects one (tables: {', '.join(tables)})")
    rows = file.execute('select * from "%s"' % table.replace('"', '""'))
    names = [column[0] for column in rows.description]
    for part in iter(lambda: rows.fetchmany(CHUNK), []):
        yield None, {name: list(values) for name, values in zip(names, zip(*part))}


def of_object(value, options, path):
    """What a pickle or torch.save held: an array, a frame, a list of vectors, or a dictionary of such."""
    np = library("numpy")

    def plain(v):
        return v.detach().float().cpu().numpy() if hasattr(v, "detach") else v
    value = plain(value)
    if hasattr(value, "iloc"):  # a frame of pandas
        for i in range(0, len(value), CHUNK):
            yield None, {c: column.tolist() for c, column in value.iloc[i:i + CHUNK].items()}
        return
    if isinstance(value, (list, tuple)):
        records = value and isinstance(value[0], dict)
        value = {c: [row.get(c) for row in value] for c in value[0]} if records else as_rows(map(plain, value))
    if not isinstance(value, dict):
        kind, value = type(value).__name__, {"vectors": np.asarray(value)}
        if not value["vectors"].ndim:
            raise Problem(f"holds a {kind}, no matrix; save its vectors with numpy.save")
    value = {c: plain(v) for c, v in value.items()}
    if len(value) > 1 and all(map(is_vector, value.values())) and len(set(map(len, value.values()))) == 1 and \
            not all(str(c).lstrip("vedim_").isdigit() for c in value):  # a text and its vector each
        value = {"text": list(value), "embedding": as_rows(value.values())}
    if not any(getattr(v, "ndim", 0) == 2 for v in value.values()):
        lists = {c: list(map(plain, v)) for c, v in value.items() if isinstance(v, (list, tuple, np.ndarray))}
        if not lists:
            raise Problem("holds no matrix")
        name = split(lists, options)[0]
        value = {**value, name: as_rows(lists[name])}
    yield from of_arrays(value, options, path)


def read_pickle(path, options):
    import pickle
    if not options.trust:
        raise Problem("is a pickle, which can run any code; open it with --trust only if you trust its author")
    with open(path, "rb") as file:
        return of_object(pickle.load(file), options, path)


def read_torch(path, options):
    torch = library("torch")
    return of_object(torch.load(path, map_location="cpu", weights_only=not options.trust), options, path)


def read_projector(path, options):
    np = library("numpy")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.lstrip().startswith("{"):
        entry = json.loads(text)["embeddings"][0]
        tensor, table, shape = entry.get("tensorPath"), entry.get("metadataPath"), entry.get("tensorShape")
    else:
        words = text.replace(":", " ").split()
        found = {key: word.strip('"') for key, word in zip(words, words[1:])}
        tensor, table, shape = found.get("tensor_path"), found.get("metadata_path"), None
    if not tensor:
        raise Problem("has no tensorPath")
    here = os.path.dirname(path)
    names = None
    labels = iter(())
    if table:
        with open(os.path.join(here, table), encoding="utf-8", newline="") as file:
            lines = [line.rstrip("\r\n").split("\t") for line in file]
        names = lines[0] if len(lines[0]) > 1 else ["text"]
        labels = iter(lines[1:] if len(lines[0]) > 1 else lines)
    if tensor.endswith(".tsv"):
        file = open(os.path.join(here, tensor), encoding="utf-8")
        chunks = (np.loadtxt(part, "float32", delimiter="\t", ndmin=2)
                  for part in iter(lambda: list(itertools.islice(file, CHUNK)), []))
    else:
        matrix = np.memmap(os.path.join(here, tensor), "<f4", "r").reshape(shape)
        chunks = (matrix[i:i + CHUNK] for i in range(0, len(matrix), CHUNK))
    for rows in chunks:
        part = list(itertools.islice(labels, len(rows)))
        if names and len(part) != len(rows):
            raise Problem(f"{table} has fewer rows than {tensor}")
        yield rows, {name: [row[k] for row in part] for k, name in enumerate(names or [])}


def reader_of(path):
    """The reader of a file, by its first bytes."""
    if os.path.isdir(path):
        return read_folder
    with open(path, "rb") as file:
        head = file.read(4096)
    for magic, reader in ((b"PAR1", read_parquet), (b"ARROW1", read_arrow), (b"FEA1", read_feather),
                          (b"\xff\xff\xff\xff", read_arrow_stream), (b"\x89HDF\r\n\x1a\n", read_hdf5),
                          (b"SQLite format 3", read_sqlite), (b"\xba\x16\x4f\x2f", read_fasttext),
                          (b"PK\x03\x04", read_torch), (b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20", read_torch),
                          (b"\x80", read_pickle), (b"{", read_projector), (b"embeddings", read_projector)):
        if head.startswith(magic):
            return reader
    if head[:2] in (b"Ix", b"Iw", b"Iv", b"IH", b"IN", b"IL") and b"\0" in head[4:8]:
        return read_faiss
    if head.split(b"\n")[0].replace(b" ", b"").isdigit():
        return read_word2vec
    raise Problem("has an unknown format; " + __doc__.split("\n\n")[2].replace("\n", " "))


def rename(columns, options):
    """{column of set.csv: column of the file}: lang, id and text come first, and by those names."""
    out = {}
    for role in COLUMNS:
        given = getattr(options, role)
        if given and given not in columns and not (role == "lang" and given.startswith("=")):
            raise Problem(f"has no column {given} (columns: {listed(columns)})")
        found = [c for c in columns if (c == given if given else role_of(c) == role)]
        exact = [c for c in found if str(c) == role]
        if len(found) == 1 or exact:
            out[role] = (exact or found)[0]
    taken = set(out.values())
    out.update((str(c), c) for c in columns if c not in taken and str(c) not in out)
    return out


def put(value):
    if value is None or value != value:  # missing, or NaN
        return ""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, dict)) else value


def convert(source, target, options):
    table = os.path.splitext(target)[0] + ".csv"
    for path in (target, table):
        if os.path.exists(path) and not options.overwrite:
            raise Problem(f"{path} exists; --overwrite replaces it")
    np = library("numpy")
    rows, dims, names, parts, writer = 0, 0, {}, (target + ".part", table + ".part"), None
    try:
        with open(parts[0], "wb") as matrix, open(parts[1], "w", encoding="utf-8", newline="") as file:
            for vectors, columns in reader_of(source)(source, options):
                if vectors is None:
                    given = split(columns, options)
                    vectors = as_rows(columns[given[0]], rows) if len(given) == 1 else \
                        np.stack([np.asarray(columns[c], "float32") for c in given], axis=1)
                    columns = {c: values for c, values in columns.items() if c not in given}
                vectors = np.ascontiguousarray(vectors, "<f2" if options.half else "<f4")
                if not rows:
                    dims, names = vectors.shape[1], rename(columns, options)
                    matrix.write(b"\0" * 128)  # of the header
                    code = options.lang[1:] if (options.lang or "").startswith("=") else None
                    header = list(names) if code is None else ["lang"] + list(names)
                    if header:
                        writer = csv.writer(file, lineterminator="\n")
                        writer.writerow(header)
                elif vectors.shape[1] != dims:
                    raise Problem(f"row {rows} has {vectors.shape[1]} numbers, the rows before have {dims}")
                matrix.write(vectors.data)
                if writer:
                    lists = [list(map(put, columns[c])) for c in names.values()]
                    if code is not None:
                        lists.insert(0, [code] * len(vectors))
                    writer.writerows(zip(*lists))
                rows += len(vectors)
            if not rows:
                raise Problem("holds no rows")
            matrix.seek(0)
            header = f"{{'descr': '{'<f2' if options.half else '<f4'}', 'fortran_order': False, " \
                     f"'shape': ({rows}, {dims}), }}"
            matrix.write(b"\x93NUMPY\x01\x00\x76\x00" + header.ljust(117).encode() + b"\n")
        os.replace(parts[0], target)
        if writer:
            os.replace(parts[1], table)
    finally:
        for path in parts:
            if os.path.exists(path):
                os.remove(path)
    print(f"{target}: {rows:,} rows of {dims} dimensions" + (f"; {table}: {', '.join(names)}" if writer else ""))
    if "lang" not in names and code is None:
        print(f"no column with the language: isogloss {target} --lang CODE, or --meta TABLE with a line for each row",
              file=sys.stderr)


# Sentence pairs with scores.

FIELDS = ("sentence1", "original", "source", "src"), ("sentence2", "translation", "target", "mt"), \
    ("score", "z_mean", "mean", "gold")


def number_of(text):
    try:
        return float(text)
    except ValueError:
        return None


def scored_pairs(path):
    """Yield (sentence, sentence, score) of each line of a table."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        tab = "\t" in file.readline()
        file.seek(0)
        records = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if tab else csv.reader(file)
        for line, record in enumerate(filter(None, records), 1):
            if line == 1:
                head = [name.strip().lower() for name in record]
                at = [next((head.index(name) for name in names if name in head), None) for names in FIELDS]
                if None not in at:
                    continue
                numbers = [i for i, text in enumerate(record) if number_of(text) is not None]
                if len(record) == 3 and len(numbers) == 1:  # STS 2017
                    at = [i for i in range(3) if i not in numbers] + numbers
                elif len(record) >= 7 and 4 in numbers:  # STS-B
                    at = [5, 6, 4]
                else:
                    raise Problem(f"has no columns {', '.join(names[0] for names in FIELDS)}, nor those of WMT and STS")
            score = number_of(record[at[2]]) if len(record) > max(at) else None
            if score is None:
                raise Problem(f"line {line} has no score")
            yield record[at[0]], record[at[1]], score


def convert_scores(options):
    table, scores = options.out, options.out[:-4] + "-scores.csv"
    for path in (table, scores):
        if os.path.exists(path) and not options.overwrite:
            raise Problem(f"{path} exists; --overwrite replaces it")
    rows, lines = {}, []
    for given in options.scores:
        options.file = given  # of errors
        pair, _, path = given.partition("=")
        languages = pair.split("-")
        if not path or len(languages) != 2:
            raise Problem(f"--scores takes LANG-LANG=FILE, not {given}")
        for left, right, score in scored_pairs(path):
            at = [rows.setdefault((lang, text), len(rows)) for lang, text in zip(languages, (left, right))]
            lines.append((*at, f"{score:g}", pair))
    for path, header, body in ((table, ("lang", "text"), rows), (scores, ("left", "right", "score", "pair"), lines)):
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *body])
    print(f"{table}: {len(rows):,} texts; {scores}: {len(lines):,} pairs; next: isogloss encode {table}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE", nargs="?")
    parser.add_argument("out", metavar="set.npy")
    parser.add_argument("--scores", metavar="LANG-LANG=FILE", action="append", help="scored sentence pairs (repeat)")
    parser.add_argument("--vector", metavar="NAME", help="column or array that holds the vectors")
    parser.add_argument("--lang", metavar="NAME|=CODE", help="column of the language, or the language of all rows")
    parser.add_argument("--id", metavar="NAME", help="column of the id that translations share")
    parser.add_argument("--text", metavar="NAME", help="column of the sentence")
    parser.add_argument("--table", metavar="NAME", help="table of an SQLite database")
    parser.add_argument("--half", action="store_true", help="write float16")
    parser.add_argument("--trust", action="store_true", help="open a pickle, which can run any code")
    parser.add_argument("--overwrite", action="store_true", help="replace existing files")
    options = parser.parse_args()
    ending = ".csv" if options.scores else ".npy"
    if not options.out.endswith(ending):
        parser.error(f"the output must end in {ending}")
    if bool(options.scores) == bool(options.file):
        parser.error("expected FILE, or --scores LANG-LANG=FILE")
    try:
        if options.scores:
            convert_scores(options)
        else:
            convert(options.file, options.out, options)
    except Exception as error:  # of any library: a sentence
        why = next(iter(str(error).strip().splitlines()), "") or "no more is known"
        if isinstance(error, OSError) and error.strerror:
            other = error.filename and error.filename != options.file
            why = f"{error.filename}: {error.strerror}" if other else error.strerror
        elif not isinstance(error, Problem):
            why = f"cannot be read: {type(error).__name__}: {why:.300}"
        print(f"convert.py: {options.file or options.out}: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
