"""Multilingual sentence embeddings, split into meaning and language.

A ctypes layer over libisogloss (include/isogloss.h). float32 arrays in C order are not copied.
A handle keeps the objects alive that it was made from. Threads may share a dataset; calls
are serialised. Ctrl-C cancels the current call.
"""

import csv
import ctypes
import ctypes.util
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

import numpy

__all__ = ["Error", "Evaluation", "Extractor", "FileError", "InputError", "Set", "explore",
           "figures", "open", "version"]

_MESSAGE = 1024
_COUNT = ctypes.c_size_t
SPACES = ("original", "meaning", "language")


class Error(Exception):
    """An error of the library, with its message."""


class InputError(Error, ValueError):
    """An invalid value, size, name or file content."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class _UnknownFigure(InputError, KeyError):
    __str__ = Exception.__str__


# By isogloss_status: OK, NOMEM, IO, FORMAT, SHAPE, VALUE, USAGE, …
_ERRORS = (None, Error, FileError, InputError, InputError, InputError, InputError)
_INTERRUPTED = 8


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * _MESSAGE)]


class _Setting(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class _Epoch(ctypes.Structure):
    _fields_ = [("number", ctypes.c_size_t), ("train_loss", ctypes.c_double),
                ("valid_loss", ctypes.c_double), ("live_alignment", ctypes.c_double),
                ("live_uniformity", ctypes.c_double), ("best", ctypes.c_bool)]


class _Neighbour(ctypes.Structure):
    _fields_ = [("row", ctypes.c_uint32), ("cosine", ctypes.c_float)]


_VERSION = "0.2"  # of include/isogloss.h; other minor versions can have other signatures


def _check_version(lib, place):
    lib.isogloss_version.restype = ctypes.c_char_p
    found = lib.isogloss_version().decode()
    if not found.startswith(_VERSION + "."):
        raise ImportError(f"{place} is libisogloss {found}, but this package needs {_VERSION}: "
                          "`pip install ./assets/python` in a checkout builds both")
    return lib


def _load():
    """Load the library: ISOGLOSS_LIBRARY, next to this file (pip), in the checkout, or
    installed."""
    here = pathlib.Path(__file__).resolve().parent
    names = ("libisogloss.so", "libisogloss.dylib")
    places = [os.environ.get("ISOGLOSS_LIBRARY")]
    places += [here / name for name in names]
    places += [here.parents[2] / "build" / name for name in names]
    places += [ctypes.util.find_library("isogloss")]
    places += [pathlib.Path(prefix) / "lib" / name
               for prefix in ("/usr/local", "/opt/homebrew") for name in names]
    for place in places:
        if place and (os.sep not in str(place) or os.path.exists(place)):
            return _check_version(ctypes.CDLL(str(place)), place)
    raise ImportError("libisogloss not found: `pip install ./assets/python` in a checkout "
                      "builds it; ISOGLOSS_LIBRARY names one in another place")


class _FigureRow(ctypes.Structure):
    _fields_ = [("measure", ctypes.c_char_p), ("from_", ctypes.c_char_p),
                ("to", ctypes.c_char_p), ("n", _COUNT), ("value", ctypes.c_double),
                ("chance", ctypes.c_double), ("low", ctypes.c_double),
                ("high", ctypes.c_double), ("reason", ctypes.c_char_p)]


class _Difference(ctypes.Structure):
    _fields_ = [("value", ctypes.c_double), ("low", ctypes.c_double),
                ("high", ctypes.c_double), ("significant", ctypes.c_bool),
                ("p", ctypes.c_double), ("parts", _COUNT), ("more", _COUNT),
                ("less", _COUNT)]


_lib = _load()
_P, _S, _N = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_OUT, _TEXTS = ctypes.POINTER(_P), ctypes.POINTER(_S)
_SETTINGS, _WHY = ctypes.POINTER(_Setting), ctypes.POINTER(_Error)
_FLOATS = ctypes.POINTER(ctypes.c_float)
_DOUBLES = ctypes.POINTER(ctypes.c_double)
_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_bool, _P, ctypes.c_double)

# name: result, arguments, as in include/isogloss.h.
_functions = {
    "version": (_S, []),
    "dataset_open": (ctypes.c_int, [_OUT, _TEXTS, _N, _SETTINGS, _PROGRESS, _P, _WHY]),
    "dataset_of_rows": (ctypes.c_int, [_OUT, _P, _N, _N, _TEXTS, _TEXTS, _TEXTS, _SETTINGS,
                                       _PROGRESS, _P, _WHY]),
    "dataset_free": (None, [_P]),
    "dataset_rows": (_N, [_P]),
    "dataset_dims": (_N, [_P]),
    "dataset_language": (_S, [_P, _N]),
    "dataset_text": (_S, [_P, _N]),
    "dataset_id": (_S, [_P, _N]),
    "extractor_open": (ctypes.c_int, [_OUT, _P, _S, _WHY]),
    "extractor_free": (None, [_P]),
    "space_dims": (_N, [_P, _P, ctypes.c_int]),
    "apply": (ctypes.c_int, [_P, _P, ctypes.c_int, _N, _N, _P, _WHY]),
    "trainer_new": (ctypes.c_int, [_OUT, _P, _S, _SETTINGS, _WHY]),
    "trainer_free": (None, [_P]),
    "trainer_is_running": (ctypes.c_bool, [_P]),
    "trainer_epoch": (ctypes.c_int, [_P, ctypes.POINTER(_Epoch), _WHY]),
    "trainer_best": (ctypes.c_int, [_P, _OUT, _WHY]),
    "trainer_save": (ctypes.c_int, [_P, _S, _WHY]),
    "evaluate": (ctypes.c_int, [_OUT, _P, _P, ctypes.c_int, _SETTINGS, _WHY]),
    "evaluation_free": (None, [_P]),
    "figure_key": (_S, [_N]),
    "figure_about": (_S, [_S]),
    "figure": (ctypes.c_double, [_P, _S, _TEXTS]),
    "interval": (ctypes.c_bool, [_P, _S, _DOUBLES, _DOUBLES]),
    "figure_at": (ctypes.c_bool, [_P, _N, ctypes.POINTER(_FigureRow)]),
    "compare": (ctypes.c_int, [_P, _P, _S, ctypes.POINTER(_Difference), _WHY]),
    "search": (ctypes.c_int, [_P, _P, ctypes.c_int, _P, _N, _S, _N,
                              ctypes.POINTER(_Neighbour), ctypes.POINTER(_N), _WHY]),
    "search_vectors": (ctypes.c_int, [_P, _P, ctypes.c_int, _P, _TEXTS, _N, _S, _N,
                                      ctypes.POINTER(_Neighbour), ctypes.POINTER(_N), _WHY]),
    "project": (ctypes.c_int, [_P, _P, ctypes.c_int, _N, ctypes.c_bool, _P, _P, _WHY]),
}
for _name, (_result, _arguments) in _functions.items():
    _function = getattr(_lib, "isogloss_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


_local = threading.local()


class _Call:
    """A call of the library on a thread of its own, so that Ctrl-C reaches the main thread
    meanwhile, and cancels it."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments
        self.status, self.cancelled, self.done = None, False, threading.Event()
        self.begins = threading.Lock()  # taken once: by the call, or to keep it from beginning

    def _perform(self):
        if not self.begins.acquire(blocking=False):
            return
        _local.call = self
        try:
            self.status = self.function(*self.arguments)
        finally:
            self.done.set()

    def run(self):
        try:
            threading.Thread(target=self._perform, name="isogloss call", daemon=True).start()
            self.done.wait()
        except BaseException:
            self.cancelled = True
            # While it runs, the arrays are in use.
            while not (self.begins.acquire(blocking=False) or self.done.is_set()):
                try:
                    self.done.wait()
                except BaseException:
                    continue
            raise


@_PROGRESS
def _progress(_context, _share):
    call = getattr(_local, "call", None)
    return call is not None and call.cancelled


def _call(name, *arguments):
    """Call the library; raise what it refuses."""
    why = _Error()
    call = _Call(getattr(_lib, "isogloss_" + name), (*arguments, ctypes.byref(why)))
    if threading.current_thread() is threading.main_thread():
        try:
            call.run()
        except BaseException as error:
            if call.status in (None, _INTERRUPTED):
                raise error from Error(why.message.decode() or "cancelled before it began")
            raise
    else:
        call.status = call.function(*call.arguments)
    if call.status != 0:
        kind = _ERRORS[call.status] if call.status < len(_ERRORS) else Error
        raise kind(why.message.decode("utf-8", "replace"))


def _settings(values):
    """Keywords as the library's settings: weight_decay=0.1 is weight-decay 0.1, and
    column={"lang": "language"} is the setting column, lang=language."""
    said = [(k, v) for k, v in values.items() if v is not None and not isinstance(v, dict)]
    said += [(k, f"{a}={b}") for k, v in values.items() if isinstance(v, dict)
             for a, b in v.items()]
    array = (_Setting * (len(said) + 1))()
    for at, (key, value) in enumerate(said):
        text = ("yes" if value else "no") if isinstance(value, bool) else value
        array[at] = _Setting(_name(key.replace("_", "-")), _name(text))
    return array


def _name(value):
    """A path, a name or a value as the library takes it."""
    path = isinstance(value, (str, bytes, os.PathLike))
    name = os.fsencode(value if path else str(value))
    if b"\0" in name:
        raise InputError(f"{value!r} holds a NUL character")
    return name


def _is_missing(value):
    """None, masked, or what differs from itself: NaN, NaT, Decimal("NaN")."""
    if value is None or value is numpy.ma.masked or type(value).__name__ == "NAType":
        return True
    return not isinstance(value, (str, bytes, int)) and bool(numpy.all(value != value))


def _text(value, row, what, empty):
    """A value as text; nothing stands for one that is missing."""
    if _is_missing(value):
        raise InputError(f"row {row}: the {what} is missing ({value!r})")
    if isinstance(value, (bytes, bytearray)):
        raise InputError(f"row {row}: the {what} is bytes ({value!r}), not text")
    text = str(value)
    if "\0" in text:
        raise InputError(f"row {row}: the {what} holds a NUL character ({text!r})")
    if not text and not empty:
        raise InputError(f"row {row}: the {what} is empty")
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise InputError(f"row {row}: the {what} is no text that UTF-8 can hold ({text!r})")
    return text


def _column(values, rows, what, many, empty=False):
    values = [_text(value, row, what, empty) for row, value in enumerate(values)]
    if len(values) != rows:
        raise InputError(f"{rows} vectors but {len(values)} {many}")
    return values


def _columns(rows, lang, text, ids):
    """lang, text and ids of so many rows, as lists of text; lang may be one code."""
    if lang is None:
        raise InputError("lang is missing: a code for each row, or one for all")
    if isinstance(lang, (bytes, bytearray)):
        raise InputError(f"lang is bytes ({lang!r}), not text")
    lang = [lang] * rows if isinstance(lang, str) else lang
    return (_column(lang, rows, "language", "languages"),
            None if text is None else _column(text, rows, "text", "texts", empty=True),
            None if ids is None else _column(ids, rows, "id", "ids"))


def _array(texts):
    return None if texts is None else (_S * len(texts))(*(text.encode() for text in texts))


def _vectors(values):
    """Vectors as float32 in C order, copied only if necessary."""
    if numpy.ma.is_masked(values):
        raise InputError("vectors have masked values")
    values = numpy.asarray(values)
    if values.dtype.kind == "c":
        raise InputError("vectors are complex numbers")
    return numpy.require(values, numpy.float32, ["C", "ALIGNED"])


def _space(name):
    if name not in SPACES:
        raise InputError(f"unknown space {name!r} (expected {', '.join(SPACES)})")
    return SPACES.index(name)


class _Handle:
    """An object of the library, freed once: cannot be copied or pickled."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled")


class Extractor(_Handle):
    """Maps embeddings to meaning and language; trained, or read from a run."""

    def __init__(self, of):
        self._set, self._pointer, self._trainer = of, _P(), None
        self.epochs = []  # results of the epochs, if trained here

    def save(self, directory):
        """Save its run directory, for `isogloss --run`."""
        if not self._trainer:
            raise InputError("only an extractor that was trained here can be saved")
        _call("trainer_save", self._trainer, _name(directory))

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_extractor_free(self._pointer)
        if getattr(self, "_trainer", None):
            _lib.isogloss_trainer_free(self._trainer)


class Evaluation(_Handle, dict):
    """Figures of a space by key. An unknown key raises."""

    def __init__(self, of):
        super().__init__()
        self._set, self._pointer = of, _P()

    def _fill(self):
        self.update({key: _lib.isogloss_figure(self._pointer, key.encode(), None)
                     for key in figures()})

    def __missing__(self, key):
        raise _UnknownFigure(f"unknown figure {key!r}")

    def interval(self, key):
        """(low, high) of a figure: 95% from 1,000 bootstrap draws; None without ci=True."""
        self[key]
        low, high = ctypes.c_double(), ctypes.c_double()
        there = _lib.isogloss_interval(self._pointer, key.encode(), ctypes.byref(low),
                                       ctypes.byref(high))
        return (low.value, high.value) if there else None

    def rows(self):
        """Every row as a dict: measure, from, to (languages, a part, or None), n, value,
        chance, low, high, reason: pandas.DataFrame(evaluation.rows())."""
        rows, row = [], _FigureRow()
        while _lib.isogloss_figure_at(self._pointer, len(rows), ctypes.byref(row)):
            rows.append({name.rstrip("_"): value.decode() if isinstance(value, bytes)
                         else value for name, value in
                         ((name, getattr(row, name)) for name, _ in row._fields_)})
        return rows

    def compare(self, first, key):
        """The difference from `first`, as a dict: value, interval low … high of paired draws,
        significant (the interval excludes 0; these two runs only, whatever the seed), p of Williams' test, and how many of the tested
        parts are more or less (McNemar or Williams, after Holm)."""
        self[key]
        found = _Difference()
        _call("compare", first._pointer, self._pointer, key.encode(), ctypes.byref(found))
        return {name: getattr(found, name) for name, _ in _Difference._fields_}

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_evaluation_free(self._pointer)


class Set(_Handle):
    """A dataset: vectors with languages, texts and ids."""

    def __init__(self, held=None):
        self._pointer, self._held = _P(), held

    @classmethod
    def open(cls, *data, **settings):
        """Open files as the program's DATA arguments: isogloss.open("set.npy"), with lang="en"
        for files without a language and column={"text": "sentence"} for other names; or an
        array, as Set.of: isogloss.open(vectors, lang, text)."""
        if data and not isinstance(data[0], (str, bytes, os.PathLike)):
            return cls.of(*data, **settings)
        names = (_S * max(len(data), 1))(*(_name(name) for name in data))
        found = cls()
        _call("dataset_open", ctypes.byref(found._pointer), names, len(data), _settings(settings),
              _progress, None)
        return found

    @classmethod
    def of(cls, vectors, lang, text=None, ids=None, **settings):
        """A dataset over an array (rows, d). float32 in C order is not copied and must not
        change; other types are converted. lang: one code, or one per row. A missing
        language, text or id raises an error with its row; texts can be empty."""
        vectors = _vectors(vectors)
        if vectors.ndim != 2:
            raise InputError(f"vectors have {vectors.ndim} dimensions, not two (rows, dims)")
        rows, dims = vectors.shape
        columns = _columns(rows, lang, text, ids)
        found = cls(vectors)
        _call("dataset_of_rows", ctypes.byref(found._pointer), vectors.ctypes.data, rows, dims,
              *map(_array, columns), _settings(settings), _progress, None)
        return found

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_dataset_free(self._pointer)

    def __len__(self):
        return _lib.isogloss_dataset_rows(self._pointer)

    @property
    def dims(self):
        return _lib.isogloss_dataset_dims(self._pointer)

    def row(self, row):
        """(language, text, id or None) of a row."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row}: the dataset has {len(self)} rows")
        number = _lib.isogloss_dataset_id(self._pointer, row)
        return (_lib.isogloss_dataset_language(self._pointer, row).decode(),
                _lib.isogloss_dataset_text(self._pointer, row).decode("utf-8", "replace"),
                number.decode() if number is not None else None)

    def train(self, method="seed", progress=None, **settings):
        """Train on the pairs of the dataset; returns the best epoch's extractor.
        progress(epoch) is called with a dict after each epoch; an exception ends training."""
        x = Extractor(self)
        x._trainer = _P()
        _call("trainer_new", ctypes.byref(x._trainer), self._pointer, _name(method),
              _settings(settings))
        while _lib.isogloss_trainer_is_running(x._trainer):
            epoch = _Epoch()
            _call("trainer_epoch", x._trainer, ctypes.byref(epoch))
            x.epochs.append({name: getattr(epoch, name) for name, _ in _Epoch._fields_})
            if progress:
                progress(x.epochs[-1])
        _call("trainer_best", x._trainer, ctypes.byref(x._pointer))
        return x

    def extractor(self, directory):
        """Read a run directory, or weights."""
        x = Extractor(self)
        _call("extractor_open", ctypes.byref(x._pointer), self._pointer, _name(directory))
        return x

    def _dims(self, extractor, space):
        dims = _lib.isogloss_space_dims(self._pointer, _of(extractor), _space(space))
        if dims == 0:
            raise InputError(f"the {space} space needs an extractor that has it")
        return dims

    def transform(self, extractor=None, space="meaning", first=0, count=None, out=None):
        """Rows of a space, (count, d) float32; written to `out` if given."""
        count = len(self) - first if count is None else count
        shape = (count, self._dims(extractor, space))
        if out is None:
            out = numpy.empty(shape, dtype=numpy.float32)
        if (not isinstance(out, numpy.ndarray) or out.shape != shape
                or out.dtype != numpy.float32 or not out.flags.aligned
                or not out.flags.c_contiguous):
            raise InputError(f"out is not an aligned array {shape} of float32 in C order")
        if not out.flags.writeable:
            raise InputError("out is read-only")
        if self._held is not None and numpy.may_share_memory(out, self._held):
            raise InputError("out overlaps the vectors of the dataset")
        _call("apply", self._pointer, _of(extractor), _space(space), first, count,
              out.ctypes.data)
        return out

    def evaluate(self, extractor=None, space=None, split=None, **settings):
        """All figures of a space: {"top1": 0.93, …}, NaN if one cannot be computed. split:
        "valid" or "holdout" for ids that the extractor was not trained on, "train" for the
        others (give the extractor also with space="original"). ci=True adds intervals, which
        compare needs."""
        space = space or ("meaning" if extractor else "original")
        found = Evaluation(self)
        _call("evaluate", ctypes.byref(found._pointer), self._pointer, _of(extractor),
              _space(space), _settings({"split": split, **settings}))
        found._fill()
        return found

    def search(self, rows=None, k=10, extractor=None, space=None, language=None,
               vectors=None, lang=None):
        """The k nearest rows of each row, or of each vector (n, d) of the original space:
        row numbers (n, k), -1 if there are fewer, and their cosines. lang: of the vectors,
        one or one each; by default that of the nearest row."""
        space = space or ("meaning" if extractor else "original")
        if (rows is None) == (vectors is None):
            raise InputError("search takes rows or vectors")
        if vectors is None:
            given = numpy.atleast_1d(numpy.asarray(rows))
            if given.size and given.dtype.kind not in "iu":
                raise InputError(f"rows are {given.dtype}, not whole numbers")
            if given.size and not 0 <= given.min() <= given.max() < len(self):
                raise InputError(f"rows are {given.min()} … {given.max()}, but there are "
                                 f"{len(self)}")
            given = numpy.ascontiguousarray(given, dtype=numpy.uint32).reshape(-1)
            name, asked = "search", (given.ctypes.data,)
        else:
            given = numpy.atleast_2d(_vectors(vectors))
            if given.ndim != 2 or given.shape[1] != self.dims:
                raise InputError(f"vectors are {given.shape}, not (n, {self.dims})")
            of = None if lang is None else _columns(len(given), lang, None, None)[0]
            name, asked = "search_vectors", (given.ctypes.data, _array(of))
        best, found = (_Neighbour * (len(given) * k))(), (_N * len(given))()
        _call(name, self._pointer, _of(extractor), _space(space), *asked, len(given),
              _name(language) if language else None, k, best, found)
        table = numpy.frombuffer(best, dtype=[("row", "u4"), ("cosine", "f4")])
        table = table.reshape(len(given), k)
        none = numpy.arange(k) >= numpy.array(found)[:, None]
        return (numpy.where(none, -1, table["row"].astype("i8")),
                numpy.where(none, numpy.float32(math.nan), table["cosine"]))

    def project(self, k=2, extractor=None, space=None, unit=True):
        """Principal components: coordinates (rows, k) and explained variance ratios."""
        space = space or ("meaning" if extractor else "original")
        out = numpy.empty((len(self), k), dtype=numpy.float32)
        share = numpy.empty(k, dtype=numpy.float64)
        _call("project", self._pointer, _of(extractor), _space(space), k, unit,
              out.ctypes.data, share.ctypes.data)
        return out, share


def _of(extractor):
    return extractor._pointer if extractor else None


open = Set.open


def version():
    return _lib.isogloss_version().decode()


def figures():
    """{key: definition} of all figures of an evaluation."""
    found, i = {}, 0
    while (key := _lib.isogloss_figure_key(i)) is not None:
        found[key.decode()] = _lib.isogloss_figure_about(key).decode()
        i += 1
    return found


def explore(vectors, lang, text=None, ids=None, *options, program="isogloss"):
    """Open the explorer in this terminal on an array; returns when it is quit. Options are
    those of the program: explore(x, lang, text, ids, "--method", "seed"). An array mapped
    from a .npy (numpy.load(..., mmap_mode="r")) is opened from that file."""
    vectors = vectors if isinstance(vectors, numpy.ndarray) else numpy.asarray(vectors)
    columns = zip(("lang", "text", "id"), _columns(len(vectors), lang, text, ids))
    columns = [(name, values) for name, values in columns if values is not None]
    if vectors.dtype not in ("f2", "f4", "f8", "i1", "u1"):
        vectors = vectors.astype(numpy.float32)
    found = shutil.which(program) or program
    with tempfile.TemporaryDirectory(prefix="isogloss-") as folder:
        path = _file_of(vectors)
        if path is None:
            path = os.path.join(folder, "set.npy")
            numpy.save(path, vectors)
        meta = os.path.join(folder, "set.csv")
        with _new_table(meta) as table:
            writer = csv.writer(table)
            writer.writerow([name for name, _ in columns])
            writer.writerows(zip(*(values for _, values in columns)))
        return subprocess.run([found, *options, path, "--meta", meta],
                              check=False).returncode


def _file_of(vectors):
    """The .npy file that an array maps completely, or None."""
    if not isinstance(vectors, numpy.memmap) or not str(vectors.filename).endswith(".npy"):
        return None
    whole = numpy.load(vectors.filename, mmap_mode="r")
    same = (whole.shape, whole.dtype, whole.strides, whole.offset) == (
        vectors.shape, vectors.dtype, vectors.strides, vectors.offset)
    return os.fspath(vectors.filename) if same else None


def _new_table(path):
    """Open a new table (`open` is redefined in this module)."""
    import io

    return io.open(path, "w", encoding="utf-8", newline="")
