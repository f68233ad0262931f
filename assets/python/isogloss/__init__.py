"""Sentence embeddings of many languages, split into meaning and language.

A layer over libisogloss (include/isogloss.h) by ctypes. Arrays of float32 in C order are
handed over where they lie; what a handle was made from lives as long as the handle.
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

import numpy

__all__ = ["Error", "Evaluation", "Extractor", "Set", "explore", "figures", "open", "version"]

_MESSAGE = 1024
_COUNT = ctypes.c_size_t
SPACES = ("original", "meaning", "language")


class Error(Exception):
    """What the library refused, in its own sentence."""


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * _MESSAGE)]


class _Setting(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class _Epoch(ctypes.Structure):
    _fields_ = [("number", ctypes.c_size_t), ("train_loss", ctypes.c_double),
                ("valid_loss", ctypes.c_double), ("alignment", ctypes.c_double),
                ("uniformity", ctypes.c_double), ("best", ctypes.c_bool)]


class _Neighbour(ctypes.Structure):
    _fields_ = [("row", ctypes.c_uint32), ("cosine", ctypes.c_float)]


def _load():
    """The library: named by ISOGLOSS_LIBRARY, of the checkout, or installed."""
    checkout = pathlib.Path(__file__).resolve().parents[3] / "build"
    names = ("libisogloss.so.0", "libisogloss.0.dylib")
    places = [os.environ.get("ISOGLOSS_LIBRARY")]
    places += [checkout / name for name in names]
    places += [ctypes.util.find_library("isogloss")]
    places += [pathlib.Path(prefix) / "lib" / name
               for prefix in ("/usr/local", "/opt/homebrew") for name in names]
    for place in places:
        if place and (os.sep not in str(place) or os.path.exists(place)):
            return ctypes.CDLL(str(place))
    raise ImportError("libisogloss is not there: `make install` puts it into place, and "
                      "ISOGLOSS_LIBRARY names one that lies elsewhere")


class _Difference(ctypes.Structure):
    _fields_ = [("value", ctypes.c_double), ("low", ctypes.c_double),
                ("high", ctypes.c_double), ("stands", ctypes.c_bool),
                ("p", ctypes.c_double), ("parts", _COUNT), ("more", _COUNT),
                ("less", _COUNT)]


_lib = _load()
_P, _S, _N = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_OUT, _TEXTS = ctypes.POINTER(_P), ctypes.POINTER(_S)
_SETTINGS, _WHY = ctypes.POINTER(_Setting), ctypes.POINTER(_Error)
_FLOATS = ctypes.POINTER(ctypes.c_float)
_DOUBLES = ctypes.POINTER(ctypes.c_double)

# name: result, arguments, as include/isogloss.h has them.
_functions = {
    "version": (_S, []),
    "set_open": (ctypes.c_int, [_OUT, _TEXTS, _N, _SETTINGS, _WHY]),
    "set_of_rows": (ctypes.c_int, [_OUT, _P, _N, _N, _TEXTS, _TEXTS, _TEXTS, _SETTINGS, _WHY]),
    "set_free": (None, [_P]),
    "set_rows": (_N, [_P]),
    "set_dims": (_N, [_P]),
    "set_language": (_S, [_P, _N]),
    "set_text": (_S, [_P, _N]),
    "set_id": (_S, [_P, _N]),
    "extractor_open": (ctypes.c_int, [_OUT, _P, _S, _WHY]),
    "extractor_free": (None, [_P]),
    "space_dims": (_N, [_P, _P, ctypes.c_int]),
    "apply": (ctypes.c_int, [_P, _P, ctypes.c_int, _N, _N, _P, _WHY]),
    "trainer_new": (ctypes.c_int, [_OUT, _P, _S, _SETTINGS, _WHY]),
    "trainer_free": (None, [_P]),
    "trainer_going": (ctypes.c_bool, [_P]),
    "trainer_epoch": (ctypes.c_int, [_P, _P, _P, ctypes.POINTER(_Epoch), _WHY]),
    "trainer_best": (ctypes.c_int, [_P, _OUT, _WHY]),
    "trainer_save": (ctypes.c_int, [_P, _S, _WHY]),
    "evaluate": (ctypes.c_int, [_OUT, _P, _P, ctypes.c_int, _SETTINGS, _WHY]),
    "evaluation_free": (None, [_P]),
    "figure_key": (_S, [_N]),
    "figure_about": (_S, [_S]),
    "figure": (ctypes.c_double, [_P, _S, _TEXTS]),
    "interval": (ctypes.c_bool, [_P, _S, _DOUBLES, _DOUBLES]),
    "standard_error": (ctypes.c_double, [_P, _S]),
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


def _call(name, *arguments):
    why = _Error()
    if getattr(_lib, "isogloss_" + name)(*arguments, ctypes.byref(why)) != 0:
        raise Error(why.message.decode("utf-8", "replace"))


def _settings(values):
    """Keywords as the library's settings: weight_decay=0.1 is weight-decay 0.1, and
    column={"lang": "language"} is the setting column, lang=language."""
    said = [(k, v) for k, v in values.items() if v is not None and not isinstance(v, dict)]
    said += [(k, f"{a}={b}") for k, v in values.items() if isinstance(v, dict)
             for a, b in v.items()]
    array = (_Setting * (len(said) + 1))()
    for at, (key, value) in enumerate(said):
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        array[at] = _Setting(key.replace("_", "-").encode(), text.encode())
    return array


def _texts(values, rows, what):
    if values is None:
        return None
    values = [str(value) for value in values]
    if len(values) != rows:
        raise Error(f"{rows} vectors but {len(values)} {what}")
    return (_S * rows)(*(value.encode() for value in values))


def _space(name):
    if name not in SPACES:
        raise Error(f"there is no space {name!r}: " + ", ".join(SPACES))
    return SPACES.index(name)


class Extractor:
    """What takes an embedding apart: trained, or read from a run."""

    def __init__(self, of, pointer, trainer=None, epochs=()):
        self._set, self._pointer, self._trainer = of, pointer, trainer
        self.epochs = list(epochs)  # what each epoch was, when it was trained here

    def save(self, directory):
        """Write the run it came from, which `isogloss --run` reads."""
        if not self._trainer:
            raise Error("only an extractor that was trained here has a run to save")
        _call("trainer_save", self._trainer, os.fsencode(directory))

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_extractor_free(self._pointer)
        if getattr(self, "_trainer", None):
            _lib.isogloss_trainer_free(self._trainer)


class Evaluation(dict):
    """Figures of a space by their keys."""

    def __init__(self, of, pointer):
        self._set, self._pointer = of, pointer
        super().__init__({key: _lib.isogloss_figure(pointer, key.encode(), None)
                          for key in figures()})

    def interval(self, key):
        """(low, high) of a figure: 95%, of 1,000 draws of the meanings; None where there
        is none, as without ci=True."""
        low, high = ctypes.c_double(), ctypes.c_double()
        there = _lib.isogloss_interval(self._pointer, key.encode(), ctypes.byref(low),
                                       ctypes.byref(high))
        return (low.value, high.value) if there else None

    def standard_error(self, key):
        """The standard error of a figure that sample=5000 estimates; None of others."""
        error = _lib.isogloss_standard_error(self._pointer, key.encode())
        return None if error != error else error

    def compare(self, first, key):
        """What this one has more than the first, as a dict: the value, its interval low …
        high of paired draws, whether it stands (0 is outside), p of Williams' test, and of
        so many parts those where it is more or less (McNemar or Williams, after Holm)."""
        found = _Difference()
        _call("compare", first._pointer, self._pointer, key.encode(), ctypes.byref(found))
        return {name: getattr(found, name) for name, _ in _Difference._fields_}

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_evaluation_free(self._pointer)


class Set:
    """Rows of vectors with a language, a text and an id each."""

    def __init__(self, pointer, held=None):
        self._pointer, self._held = pointer, held

    @classmethod
    def open(cls, *data, **settings):
        """Open files as the program's DATA arguments: isogloss.open("set.npy"), with
        lang="en" where a file says no language and column={"text": "sentence"} where
        it has other names; or an array, as Set.of: isogloss.open(vectors, lang, text)."""
        if data and not isinstance(data[0], (str, bytes, os.PathLike)):
            return cls.of(*data, **settings)
        names = (_S * max(len(data), 1))(*(os.fsencode(name) for name in data))
        pointer = _P()
        _call("set_open", ctypes.byref(pointer), names, len(data), _settings(settings))
        return cls(pointer)

    @classmethod
    def of(cls, vectors, lang, text=None, ids=None, **settings):
        """A set over an array (rows, d). float32 in C order is used where it lies, and
        must not change meanwhile; anything else is converted. lang may be one code."""
        vectors = numpy.ascontiguousarray(vectors, dtype=numpy.float32)
        if vectors.ndim != 2:
            raise Error(f"vectors have {vectors.ndim} dimensions, not two (rows, dims)")
        rows, dims = vectors.shape
        lang = [lang] * rows if isinstance(lang, str) else lang
        pointer = _P()
        _call("set_of_rows", ctypes.byref(pointer), vectors.ctypes.data, rows, dims,
              _texts(lang, rows, "languages"), _texts(text, rows, "texts"),
              _texts(ids, rows, "ids"), _settings(settings))
        return cls(pointer, vectors)

    def __del__(self):
        if getattr(self, "_pointer", None):
            _lib.isogloss_set_free(self._pointer)

    def __len__(self):
        return _lib.isogloss_set_rows(self._pointer)

    @property
    def dims(self):
        return _lib.isogloss_set_dims(self._pointer)

    def row(self, row):
        """(language, text, id or None) of a row."""
        if not 0 <= row < len(self):
            raise IndexError(f"row {row}: there are {len(self)}")
        number = _lib.isogloss_set_id(self._pointer, row)
        return (_lib.isogloss_set_language(self._pointer, row).decode(),
                _lib.isogloss_set_text(self._pointer, row).decode("utf-8", "replace"),
                number.decode() if number is not None else None)

    def train(self, method="seed", progress=None, **settings):
        """Train on the pairs of the set; the best epoch's extractor. progress(epoch) is
        called after each, with a dict; what it raises ends the training."""
        trainer, pointer, epochs = _P(), _P(), []
        _call("trainer_new", ctypes.byref(trainer), self._pointer, str(method).encode(),
              _settings(settings))
        try:
            while _lib.isogloss_trainer_going(trainer):
                epoch = _Epoch()
                _call("trainer_epoch", trainer, None, None, ctypes.byref(epoch))
                epochs.append({name: getattr(epoch, name) for name, _ in _Epoch._fields_})
                if progress:
                    progress(epochs[-1])
            _call("trainer_best", trainer, ctypes.byref(pointer))
        except BaseException:
            _lib.isogloss_trainer_free(trainer)
            raise
        return Extractor(self, pointer, trainer, epochs)

    def extractor(self, directory):
        """Read a run, or weights."""
        pointer = _P()
        _call("extractor_open", ctypes.byref(pointer), self._pointer, os.fsencode(directory))
        return Extractor(self, pointer)

    def _dims(self, extractor, space):
        dims = _lib.isogloss_space_dims(self._pointer, _of(extractor), _space(space))
        if dims == 0:
            raise Error(f"there is no {space} space without an extractor that has it")
        return dims

    def transform(self, extractor=None, space="meaning", first=0, count=None, out=None):
        """Rows of a space, (count, d) float32; written to `out` where it is given."""
        count = len(self) - first if count is None else count
        shape = (count, self._dims(extractor, space))
        if out is None:
            out = numpy.empty(shape, dtype=numpy.float32)
        if out.shape != shape or out.dtype != numpy.float32 or not out.flags.c_contiguous:
            raise Error(f"out is not {shape} float32 in C order")
        _call("apply", self._pointer, _of(extractor), _space(space), first, count,
              out.ctypes.data)
        return out

    def evaluate(self, extractor=None, space=None, **settings):
        """All figures of a space: {"top1": 0.93, …}; NaN where one cannot be had. With
        ci=True it has their intervals, and can be compared with another."""
        space = space or ("meaning" if extractor else "original")
        pointer = _P()
        _call("evaluate", ctypes.byref(pointer), self._pointer, _of(extractor),
              _space(space), _settings(settings))
        return Evaluation(self, pointer)

    def search(self, rows=None, k=10, extractor=None, space=None, language=None,
               vectors=None, lang=None):
        """The k nearest rows of each row, or of each of vectors (n, d) of the original
        space: (n, k) of numbers, -1 where there are fewer, and their cosines. lang: of
        the vectors, one or each; by default that of the row nearest to each."""
        space = space or ("meaning" if extractor else "original")
        if (rows is None) == (vectors is None):
            raise Error("search takes rows or vectors")
        if vectors is None:
            given = numpy.ascontiguousarray(rows, dtype=numpy.uint32).reshape(-1)
            name, asked = "search", (given.ctypes.data,)
        else:
            given = numpy.atleast_2d(numpy.ascontiguousarray(vectors, dtype=numpy.float32))
            if given.ndim != 2 or given.shape[1] != self.dims:
                raise Error(f"vectors are {given.shape}, not (n, {self.dims})")
            lang = [lang] * len(given) if isinstance(lang, str) else lang
            name = "search_vectors"
            asked = (given.ctypes.data, _texts(lang, len(given), "languages"))
        best, found = (_Neighbour * (len(given) * k))(), (_N * len(given))()
        _call(name, self._pointer, _of(extractor), _space(space), *asked, len(given),
              language.encode() if language else None, k, best, found)
        table = numpy.frombuffer(best, dtype=[("row", "u4"), ("cosine", "f4")])
        table = table.reshape(len(given), k)
        none = numpy.arange(k) >= numpy.array(found)[:, None]
        return (numpy.where(none, -1, table["row"].astype("i8")),
                numpy.where(none, numpy.float32(math.nan), table["cosine"]))

    def project(self, k=2, extractor=None, space=None, unit=True):
        """Principal components: coordinates (rows, k) and their shares of the variance."""
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
    """{key: what it says} of all figures of an evaluation."""
    found, i = {}, 0
    while (key := _lib.isogloss_figure_key(i)) is not None:
        found[key.decode()] = _lib.isogloss_figure_about(key).decode()
        i += 1
    return found


def explore(vectors, lang, text=None, ids=None, *options, program="isogloss"):
    """Open the explorer in this terminal on an array, until it is left. Options are those
    of the program: explore(x, lang, text, ids, "--method", "seed"). An array that is
    mapped from a .npy (numpy.load(..., mmap_mode="r")) is opened where it lies."""
    vectors = vectors if isinstance(vectors, numpy.ndarray) else numpy.asarray(vectors)
    rows = len(vectors)
    lang = [lang] * rows if isinstance(lang, str) else list(lang)
    columns = [("lang", lang), ("text", text), ("id", ids)]
    columns = [(name, list(values)) for name, values in columns if values is not None]
    for name, values in columns:
        if len(values) != rows:
            raise Error(f"{rows} vectors but {len(values)} values of {name}")
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
    """The .npy that an array is all of, or None."""
    if not isinstance(vectors, numpy.memmap) or not str(vectors.filename).endswith(".npy"):
        return None
    whole = numpy.load(vectors.filename, mmap_mode="r")
    same = (whole.shape, whole.dtype, whole.strides, whole.offset) == (
        vectors.shape, vectors.dtype, vectors.strides, vectors.offset)
    return os.fspath(vectors.filename) if same else None


def _new_table(path):
    """A new table; `open` is this module's own."""
    import io

    return io.open(path, "w", encoding="utf-8", newline="")
