"""The ctypes layer over libisogloss: errors, signatures, calls, and the conversion of arguments."""

import ctypes
import ctypes.util
import difflib
import inspect
import operator
import os
import pathlib
import re
import threading
import warnings
from collections.abc import Callable, Mapping, Set
from typing import Any, TypeVar

import numpy

_MESSAGE = 1024
_COUNT = ctypes.c_size_t
SPACES = ("original", "meaning", "language")


class Error(Exception):
    """An error of the library, with its message."""


class InputError(Error, ValueError):
    """An invalid value, size, name or file content."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written."""


class UnknownFigure(InputError, KeyError):
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


_NO_ID = ("nan", "NaN", "NA", "<NA>", "None", "null")  # as in files (src/data/reader.c)
_VERSION = "0.3"  # of include/isogloss.h; other minor versions can have other signatures


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
    given = os.environ.get("ISOGLOSS_LIBRARY")

    def places():
        yield from (here / name for name in names)
        yield from (here.parents[2] / "build" / name for name in names)
        yield ctypes.util.find_library("isogloss")  # runs the compiler and ldconfig
        yield from (pathlib.Path(prefix) / "lib" / name
                    for prefix in ("/usr/local", "/opt/homebrew") for name in names)
    if given:
        try:
            return _check_version(ctypes.CDLL(given), given)
        except OSError as why:
            raise ImportError(f"ISOGLOSS_LIBRARY names no library: {why}") from None
    for place in places():
        if place and (os.sep not in str(place) or os.path.exists(place)):
            return _check_version(ctypes.CDLL(str(place)), place)
    raise ImportError("libisogloss not found: `pip install ./assets/python` in a checkout "
                      "builds it; ISOGLOSS_LIBRARY names one in another place")


class _FigureRow(ctypes.Structure):
    _fields_ = [("measure", ctypes.c_char_p), ("label", ctypes.c_char_p),
                ("from_", ctypes.c_char_p), ("to", ctypes.c_char_p), ("n", _COUNT),
                ("value", ctypes.c_double), ("chance", ctypes.c_double),
                ("low", ctypes.c_double), ("high", ctypes.c_double),
                ("reason", ctypes.c_char_p)]


class _Difference(ctypes.Structure):
    _fields_ = [("value", ctypes.c_double), ("low", ctypes.c_double),
                ("high", ctypes.c_double), ("significant", ctypes.c_bool)]


# The settings of each kind of call, as in include/isogloss.h: they are checked, completed
# (__signature__) and documented from here.
SETTINGS = {
    "open": {
        "lang": "the language of rows without one",
        "column": 'a dict of other names: {"text": "sentence"}; of lang, text, id, vector',
        "meta": "the table of a matrix, one line for each row",
        "vectors": 'the vector columns of a table: "v0-v383"',
        "delimiter": "of the fields of a table",
        "dims": "use the first so many dimensions",
        "threads": "number of threads"},
    "of": {"threads": "number of threads"},
    "train": {
        "epochs": "at most so many", "batch": "pairs per step", "lr": "learning rate",
        "weight_decay": "decoupled weight decay",
        "patience": "early-stopping patience in epochs; 0: disabled",
        "valid": "validation fraction of the ids", "holdout": "test fraction of the ids",
        "partner": '"random" or "next"', "order": '"shuffled" or "sequential"',
        "keep": 'weights of the "best" epoch, or the "last"',
        "normalize": "True: scale rows to length 1 first",
        "strength": "of the separation: 0 gives the original vectors, 1 is usual",
        "seed": "random seed", "split_seed": "seed of the split of the ids",
        "pairing": '"pivot", "all" or "en-de,en-fr": the languages to pair',
        "pairs": "a file of pairs (left,right: rows from 0) instead of those of ids",
        "init": "a run directory with the initial weights"},
    "evaluate": {
        "ci": "True: 95% intervals, which compare needs",
        "pairing": '"all" (default), "pivot" or "en-de,en-fr": the languages to pair',
        "pairs": "a file of pairs (left,right: rows from 0) instead of those of ids",
        "scores": "a file of human scores of pairs (left,right,score)",
        "sample": "so many rows, drawn by seed, are the queries of all-pairs measures",
        "seed": "random seed of intervals and samples"},
}


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _takes(kind: str) -> Callable[[_Function], _Function]:
    """A decorator: the settings of a kind complete the documentation and the signature."""
    def add(function: _Function) -> _Function:
        lines = "".join(f"\n    {name}: {what}" for name, what in SETTINGS[kind].items())
        if function.__doc__:
            function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\nSettings:{lines}\n"
        signature = inspect.signature(function)
        named = [of for of in signature.parameters.values() if of.kind is not of.VAR_KEYWORD]
        setattr(function, "__signature__", signature.replace(parameters=named + [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
            for name in SETTINGS[kind] if name not in signature.parameters]))
        return function
    return add


def _meant(name, known):
    """What a wrong name may have meant, for a message; else the names that there are."""
    close = difflib.get_close_matches(str(name), known, 1, 0.7)
    return f"did you mean {close[0]}?" if close else f"expected {', '.join(known)}"


_lib = _load()
_P, _S, _N = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
_OUT, _TEXTS = ctypes.POINTER(_P), ctypes.POINTER(_S)
_SETTINGS, _WHY = ctypes.POINTER(_Setting), ctypes.POINTER(_Error)
_FLOATS = ctypes.POINTER(ctypes.c_float)
_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_bool, _P, ctypes.c_double)

# name: result, arguments, as in include/isogloss.h.
_functions = {
    "version": (_S, []),
    "free": (None, [_P]),
    "dataset_open": (ctypes.c_int, [_OUT, _TEXTS, _N, _SETTINGS, _PROGRESS, _P, _WHY]),
    "dataset_of_rows": (ctypes.c_int, [_OUT, _P, _N, _N, _TEXTS, _TEXTS, _TEXTS, _SETTINGS,
                                       _PROGRESS, _P, _WHY]),
    "dataset_rows": (_N, [_P]),
    "dataset_dims": (_N, [_P]),
    "dataset_language": (_S, [_P, _N]),
    "dataset_text": (_S, [_P, _N]),
    "dataset_id": (_S, [_P, _N]),
    "extractor_open": (ctypes.c_int, [_OUT, _P, _S, _WHY]),
    "space_dims": (_N, [_P, _P, ctypes.c_int]),
    "apply": (ctypes.c_int, [_P, _P, ctypes.c_int, _N, _N, _P, _WHY]),
    "trainer_new": (ctypes.c_int, [_OUT, _P, _S, _SETTINGS, _WHY]),
    "trainer_is_running": (ctypes.c_bool, [_P]),
    "trainer_epoch": (ctypes.c_int, [_P, ctypes.POINTER(_Epoch), _WHY]),
    "trainer_best": (ctypes.c_int, [_P, _OUT, _WHY]),
    "trainer_save": (ctypes.c_int, [_P, _S, _WHY]),
    "evaluate": (ctypes.c_int, [_OUT, _P, _P, ctypes.c_int, _SETTINGS, _WHY]),
    "figure_key": (_S, [_N]),
    "figure_about": (_S, [_S]),
    "figure": (ctypes.c_double, [_P, _S, ctypes.POINTER(_FigureRow)]),
    "figure_at": (ctypes.c_bool, [_P, _N, ctypes.POINTER(_FigureRow)]),
    "compare": (ctypes.c_int, [_OUT, _N, _OUT, _N, _S, ctypes.POINTER(_Difference), _WHY]),
    "search": (ctypes.c_int, [_P, _P, ctypes.c_int, _P, _N, _S, _N, _P,
                              ctypes.POINTER(_N), _WHY]),
    "search_vectors": (ctypes.c_int, [_P, _P, ctypes.c_int, _P, _TEXTS, _N, _S, _N, _P,
                                      ctypes.POINTER(_N), _WHY]),
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
                raise error from Error(_shown(why.message) or "cancelled before it began")
            raise
    else:
        call.status = call.function(*call.arguments)
    if call.status != 0:
        kind = _ERRORS[call.status] if call.status < len(_ERRORS) else Error
        raise kind(_shown(why.message))


def _shown(message):
    """A message of the library, whose names of files and columns may hold anything. Options of the
    program become keywords: "--column lang=NAME" is column={"lang": "NAME"}, "--lang CODE" is
    lang=CODE. Without hints at options that only the program has."""
    def keyword(option):
        name, value = option[1].replace("-", "_"), option[2]
        if not any(name in settings for settings in SETTINGS.values()):
            return option[0]
        return f"{name}={value}" if value else name

    text = message.decode("utf-8", "replace")
    text = re.sub(r"--column (\w+)=(\w+)", r'column={"\1": "\2"}', text)
    text = re.sub(r"--([a-z]+(?:-[a-z]+)*)(?: ([A-Z][A-Z-]*|[\d.]*\d)\b)?", keyword, text)
    text = re.sub(r" \([^()]*(?<![^\s(])--[a-z][^()]*\)|; [^;()]*(?<![^\s(])--[a-z][^;]*", "", text)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _settings(values, kind, **others):
    """Keywords as the library's settings: weight_decay=0.1 is weight-decay 0.1, and
    column={"lang": "language"} is the setting column, lang=language."""
    for key in values:
        if key.replace("-", "_") not in SETTINGS[kind]:
            raise InputError(f"unknown setting {key!r}; {_meant(key, SETTINGS[kind])}")
    values = {**values, **others}
    said = [(k, v) for k, v in values.items() if v is not None and not isinstance(v, dict)]
    said += [(k, f"{a}={b}") for k, v in values.items() if isinstance(v, dict)
             for a, b in v.items()]
    array = (_Setting * (len(said) + 1))()
    for at, (key, value) in enumerate(said):
        if not isinstance(value, (str, bytes, os.PathLike)) and numpy.ndim(value):
            raise InputError(f"{key} is a {type(value).__name__} (expected a text, a number or "
                             "the path of a file)")
        text = ("yes" if value else "no") if isinstance(value, (bool, numpy.bool_)) else value
        array[at] = _Setting(_name(key.replace("_", "-")), _name(text))
    return array


def _name(value):
    """A path, a name or a value as the library takes it."""
    path = isinstance(value, (str, bytes, os.PathLike))
    name = os.fsencode(value if path else str(value))
    if b"\0" in name:
        raise InputError(f"{value!r} holds a NUL character")
    return name


def _path(value, what):
    """A path as text."""
    if not isinstance(value, (str, bytes, os.PathLike)) or not os.fspath(value):
        raise InputError(f"{what} is {value!r:.80} (expected a path)")
    return os.fsdecode(_name(value))


def _is_missing(value):
    """None, masked, or what differs from itself: NaN, NaT, Decimal("NaN")."""
    if value is None or value is numpy.ma.masked or type(value).__name__ == "NAType":
        return True
    return not isinstance(value, (str, bytes, int)) and bool(numpy.all(value != value))


def _text(value, row, what, empty):
    """A value as text; nothing stands for one that is missing."""
    if hasattr(value, "detach"):  # of a tensor
        value = value.tolist()
    if _is_missing(value):
        raise InputError(f"row {row}: the {what} is missing ({value!r})")
    if isinstance(value, (bytes, bytearray)):
        raise InputError(f"row {row}: the {what} is bytes ({value!r}), not text")
    if isinstance(value, (list, tuple, dict, numpy.ndarray)):
        raise InputError(f"row {row}: the {what} is {value!r:.80}, not text")
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


def _ids(values, rows):
    """ids as text, "" for those that are missing, which a warning counts as the program's note."""
    ids = _column(["" if _is_missing(value) else value for value in values], rows, "id", "ids",
                  empty=True)
    ids = ["" if name.strip(" ") in _NO_ID else name.strip(" ") for name in ids]
    without = [str(row) for row, name in enumerate(ids) if not name]
    if rows and len(without) == rows:
        warnings.warn("no row has an id, from which pairs follow", stacklevel=4)
    elif without:
        warnings.warn(f"{len(without):,} row{'s' * (len(without) > 1)} without id, such as row "
                      + ", ".join(without[:5]), stacklevel=4)
    return ids


def _columns(rows, lang, text, ids):
    """lang, text and ids of so many rows, as lists of text; lang may be one code."""
    if lang is None:
        raise InputError("lang is missing: a code for each row, or one for all")
    if isinstance(lang, (bytes, bytearray)):
        raise InputError(f"lang is bytes ({lang!r}), not text")
    lang = [lang] * rows if isinstance(lang, str) else lang
    lang, text, ids = (values.to_pylist() if hasattr(values, "to_pylist") else values  # of pyarrow
                       for values in (lang, text, ids))
    for values, what in ((lang, "lang"), (text, "text"), (ids, "ids")):
        if values is not None and (isinstance(values, (str, bytes, Mapping, Set)) or not
                                   (hasattr(values, "__iter__") and getattr(values, "ndim", 1))):
            raise InputError(f"{what} is {values!r:.80}: expected one for each row")
    return (_column(lang, rows, "language", "languages"),
            None if text is None else _column(text, rows, "text", "texts", empty=True),
            None if ids is None else _ids(ids, rows))


def _array(texts):
    return None if texts is None else (_S * len(texts))(*(text.encode() for text in texts))


def _of_tensor(values):
    """A tensor, of any type, on any device, as an array; another object as it is."""
    return values.detach().float().cpu().numpy() if hasattr(values, "detach") else values


def _vectors(values):
    """An array, a tensor or a sequence of rows as float32 in C order, copied only if necessary."""
    if numpy.ma.is_masked(values):
        raise InputError("vectors have masked values")
    try:
        values = _of_tensor(values)
        values = numpy.asarray(values) if hasattr(values, "__array__") else values
        if hasattr(values, "__iter__") and getattr(values, "dtype", object) == object and (
                getattr(values, "ndim", 1) == 1):
            values = [*map(_of_tensor, values)]
        array = numpy.asarray(values)
        if array.dtype.kind in "cmM" or array.dtype == object and array.ndim == 0:
            raise TypeError(f"{array.dtype}" if array.ndim else f"{values!r:.80}")
        with numpy.errstate(over="ignore"):  # the library names the rows
            return numpy.require(array, numpy.float32, ["C", "ALIGNED"])
    except (TypeError, ValueError) as error:
        raise InputError(_odd_row(values) or f"vectors are not real numbers: {error}") from None


def _odd_row(values):
    """What is wrong with the first row of another length; None if all have one."""
    sizes = [numpy.size(row) for row in values] if isinstance(values, list) else []
    for row, size in enumerate(sizes):
        if size != sizes[0]:
            return f"row {row} has {size} numbers, row 0 has {sizes[0]}"
    return None


def _check_matrix(vectors):
    if vectors.ndim != 2 or not vectors.size:
        raise InputError(f"vectors have shape {vectors.shape} (expected (rows, dims), both at least 1)")


def _count(value, what, least=0):
    """A number of rows or components, or of a row."""
    try:
        count = operator.index(value)
    except TypeError:
        count = least - 1
    if count < least:
        raise InputError(f"{what} is {value!r:.80} (expected a whole number from {least})")
    return count


def _empty(shape, dtype, what):
    """An array to be filled. what: its size, as the caller gave it."""
    try:
        return numpy.empty(shape, dtype)
    except (MemoryError, ValueError):
        raise InputError(f"{what}: {' × '.join(map(str, shape))} numbers exceed memory") from None


def _space(name):
    if name not in SPACES:
        raise InputError(f"unknown space {name!r} (expected {', '.join(SPACES)})")
    return SPACES.index(name)
