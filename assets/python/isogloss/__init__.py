"""Multilingual sentence embeddings, split into meaning and language.

    before = isogloss.evaluate(X, lang, ids)           # X: (n, d) array; lang, ids: n texts
    x = isogloss.Extractor("seed", lr=1e-3).fit(X, lang, ids)
    meaning = x.transform(X, lang)                     # (n, d)
    after = isogloss.evaluate(X, lang, ids, extractor=x)
    after["top1"], before["top1"]                      # figures() explains each key

Rows with the same id are translations of each other. Figures that are shares, cosines or
correlations are fractions, not percent. In what follows: n rows, d dimensions, K languages.

Arrays of float32 in C order are not copied: do not change them while their Set is used.
Threads may share a Set; its calls run one after the other. Ctrl-C cancels the current call.
isogloss.plot needs matplotlib, isogloss.callbacks torch and transformers.
"""

from __future__ import annotations

import ctypes
import importlib.util
import io
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional, Union, overload

import numpy
from numpy.typing import ArrayLike

from ._library import (Error, FileError, InputError, UnknownFigure, _array, _call, _check_matrix,
                       _columns, _count, _Difference, _empty, _Epoch, _FigureRow, _lib, _meant, _N,
                       _name, _P, _path, _progress, _S, _settings, _shown, _space, _takes,
                       _vectors)
from .tables import FigureTable
from .versions import VersionLog, write_table

__all__ = ["Error", "Evaluation", "Evaluations", "Extractor", "FileError", "InputError", "Set",
           "VersionLog", "compare", "evaluate", "explore", "figures", "open", "version"]
__version__ = _lib.isogloss_version().decode()

for _error in (Error, FileError, InputError, UnknownFigure):
    _error.__module__ = __name__  # tracebacks and pickles name isogloss.InputError

Texts = Union[str, Iterable[str]]


def __getattr__(name: str) -> Any:
    """isogloss.plot and isogloss.callbacks, imported on first use."""
    if name in ("callbacks", "plot"):
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Of the modules those that can be imported: help(isogloss) imports what is listed."""
    needs = {"callbacks": ("torch", "transformers"), "plot": ("matplotlib",)}
    return sorted([*__all__, "__version__", *(name for name, packages in needs.items()
                                              if all(map(importlib.util.find_spec, packages)))])


class _Handle:
    """An object of the library, freed once: cannot be copied or pickled."""

    _made_by = ""  # what to call

    def __init__(self, *_arguments, **_settings):
        raise InputError(f"{type(self).__name__}(…) opens nothing: call {self._made_by}")

    @classmethod
    def _new(cls, held):
        """An object of a NULL handle, to be filled. held: what it needs."""
        found = cls.__new__(cls)
        found._pointer, found._held = _P(), held
        return found

    def __getattr__(self, name):
        if name != "_pointer":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        raise InputError(f"a {type(self).__name__} that was not opened: call {self._made_by}")

    def __del__(self, free=_lib.isogloss_free):  # bound: at exit modules are gone before objects
        free(self.__dict__.get("_pointer"))

    def __reduce_ex__(self, protocol):
        raise TypeError(f"{type(self).__name__} cannot be copied or pickled: make it where it is "
                        f"used, by {self._made_by}")


class _Fitted(_Handle):
    """The handles of an extractor, with what they need."""

    def __init__(self, of, folder=None):
        self.set, self.folder = of, folder  # folder: of its run, unless trained here
        self.pointer, self.trainer = _P(), _P()

    def __del__(self, free=_lib.isogloss_free):
        free(self.pointer)
        free(self.trainer)


class Extractor:
    """Maps embeddings to meaning and language embeddings: an estimator as scikit-learn's,
    which sklearn.base.clone accepts and pickle stores.

        x = isogloss.Extractor("seed", lr=1e-3, epochs=60).fit(X, lang, ids)
        meaning = x.transform(X2, lang2)

    method: "seed", "oracle", "centre", … or the path of an objective. Settings are the training
    options of the program (isogloss train --help), with _ for -; help(isogloss.Set.train) lists
    them. They are checked by fit.
    """

    @_takes("train")
    def __init__(self, method: str = "seed", **settings: Any):
        self.method, self.settings = method, settings
        self.epochs: list[dict] = []  # results of the epochs, if trained here
        self._fitted: Optional[_Fitted] = None

    def __repr__(self):
        values = [repr(self.method), *(f"{k}={v!r}" for k, v in self.settings.items())]
        return f"Extractor({', '.join(values)})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The method and the settings that were given."""
        return {"method": self.method, **self.settings}

    def set_params(self, **params: Any) -> Extractor:
        """Change the method or settings, for the next fit."""
        self.method = params.pop("method", self.method)
        self.settings = {**self.settings, **params}
        return self

    def __sklearn_is_fitted__(self):
        return self._fitted is not None

    def fit(self, X: Union[ArrayLike, Set], lang: Optional[Texts] = None,
            ids: Optional[Iterable] = None,
            progress: Optional[Callable[[dict], Any]] = None) -> Extractor:
        """Train on pairs of rows that share an id.

        X: (n, d) vectors; lang: (n) codes; ids: (n), equal for translations; or X: a Set, which
        has them. progress(epoch) is
        called with a dict after each epoch; an exception ends training and keeps the extractor
        as it was. Keeps the best epoch, by validation loss: best_epoch of epochs, a list of such
        dicts. Warns if it is among the last 5% of the epochs asked for.
        """
        try:
            return self._train(Set.of(X, lang, ids=ids), progress)
        except InputError as error:
            if ids is None and "no pairs" in str(error) and not isinstance(X, Set):
                raise InputError(f"{error}: give fit ids, equal for translations") from None
            raise

    def _train(self, of, progress):
        if progress is not None and not callable(progress):
            raise InputError(f"progress is {progress!r:.80} (expected a function)")
        fitted, epochs = _Fitted(of), []
        _call("trainer_new", ctypes.byref(fitted.trainer), of._pointer, _name(self.method),
              _settings(self.settings, "train"))
        while _lib.isogloss_trainer_is_running(fitted.trainer):
            epoch = _Epoch()
            _call("trainer_epoch", fitted.trainer, ctypes.byref(epoch))
            epochs.append({name: getattr(epoch, name) for name, _ in _Epoch._fields_})
            if progress is not None:
                progress(epochs[-1])
        _call("trainer_best", fitted.trainer, ctypes.byref(fitted.pointer))
        self._fitted, self.epochs = fitted, epochs
        limit, last = self.settings.get("epochs"), epochs[-1] if epochs else {}
        if (last.get("number") == limit and numpy.isfinite(last.get("valid_loss", numpy.nan))
                and self.settings.get("keep") != "last"
                and limit - self.best_epoch <= limit // 20):
            warnings.warn(f"{self.method} is still improving at epoch {limit}: more epochs",
                          stacklevel=3)
        return self

    @property
    def best_epoch(self) -> int:
        """The last of epochs whose validation loss was the lowest so far; its weights are kept."""
        return max((e["number"] for e in self.epochs if e["best"]), default=0)

    def transform(self, X: Union[ArrayLike, Set], lang: Optional[Texts] = None,
                  space: str = "meaning") -> numpy.ndarray:
        """Map (n, d) vectors, or a Set, to a space: (n, dims of the space) float32. lang: one
        code, or (n); methods fitted by language (centre, lir, procrustes, …) need it."""
        try:
            if not isinstance(X, Set) and lang is None:
                return Set.of(X, "und").transform(self, space)
            return Set.of(X, lang).transform(self, space)
        except InputError as error:
            if lang is None and "language und" in str(error):
                raise InputError(f"{self.method} depends on the language: give transform lang, "
                                 "one code or one for each row") from None
            raise

    def fit_transform(self, X: ArrayLike, lang: Texts, ids: Optional[Iterable] = None,
                      space: str = "meaning") -> numpy.ndarray:
        """fit, then transform of the same rows."""
        return self.fit(X, lang, ids).transform(X, lang, space)

    @property
    def weights(self) -> dict[str, numpy.ndarray]:
        """The trained arrays by name: meaning.weight (d, d), meaning.bias (d), … For one map:
        meaning = X @ weight.T + bias (src/train/METHODS.md has the other kinds)."""
        return {name[:-4]: numpy.load(io.BytesIO(content))
                for name, content in self._files().items() if name.endswith(".npy")}

    def save(self, directory: Union[str, os.PathLike], overwrite: bool = False) -> None:
        """Save its run directory, for `isogloss --run` and Extractor.load, and make its parents.
        A run that is there already is replaced with overwrite=True alone, another folder never."""
        fitted, directory = self._get_fitted(), _path(directory, "directory")
        partial = f"{directory}.tmp-{os.getpid()}"
        files = None if fitted.trainer else self._files()
        try:
            if os.path.isdir(directory) and os.listdir(directory) and not (
                    overwrite and os.path.exists(os.path.join(directory, "run.json"))):
                raise FileError(f"{directory}: not empty; overwrite=True replaces a run")
            pathlib.Path(directory).parent.mkdir(parents=True, exist_ok=True)
            if files is not None:
                os.mkdir(partial)
                _write_files(partial, files)
                if os.path.isdir(directory):
                    os.rename(directory, f"{partial}-old")
                os.rename(partial, directory)  # fails if there are files in it
                shutil.rmtree(f"{partial}-old", ignore_errors=True)
        except FileError:
            raise
        except OSError as error:
            shutil.rmtree(partial, ignore_errors=True)
            raise FileError(f"{directory}: {error.strerror}") from error
        if files is None:
            _call("trainer_save", fitted.trainer, _name(directory))

    @classmethod
    def load(cls, directory: Union[str, os.PathLike]) -> Extractor:
        """Read a run directory."""
        return cls()._read(directory, None)

    def _read(self, directory, of, folder=None):
        """Read a run. of: a dataset with its dimensions; folder: what keeps the directory."""
        run = pathlib.Path(_path(directory, "directory"))
        try:
            said = json.loads((run / "run.json").read_bytes())
            options = {**said["options"], "seed": said["seed"]}
            options.pop("batch_used", None)
            dims = min(max(int(said["data"]["dims"]), 1), 65536)
            self.method, self.settings = said["method"], options
        except (OSError, ValueError, KeyError, TypeError):  # the library reports damage
            dims = 1
        of = Set.of(numpy.ones((1, dims), numpy.float32), "und") if of is None else of
        fitted = _Fitted(of, folder or directory)
        _call("extractor_open", ctypes.byref(fitted.pointer), fitted.set._pointer,
              _name(directory))
        self._fitted = fitted
        return self

    def _get_fitted(self):
        if self._fitted is None:
            raise InputError(f"{self!r} is not fitted: call fit")
        return self._fitted

    def _files(self):
        """{name: bytes} of its run directory."""
        fitted = self._get_fitted()
        with tempfile.TemporaryDirectory(prefix="isogloss-") as folder:
            run = getattr(fitted.folder, "name", fitted.folder)
            if fitted.trainer:
                run = os.path.join(folder, "run")
                _call("trainer_save", fitted.trainer, _name(run))
            return {path.name: path.read_bytes()
                    for path in sorted(pathlib.Path(os.fsdecode(run)).iterdir())
                    if path.is_file()}

    def __getstate__(self):
        files = self._files() if self._fitted else None
        return {"method": self.method, "settings": self.settings, "epochs": self.epochs,
                "files": files}

    def __setstate__(self, state):
        self._fitted = None
        if state["files"] is not None:
            folder = tempfile.TemporaryDirectory(prefix="isogloss-")
            _write_files(folder.name, state["files"])
            self._read(folder.name, None, folder)
        self.method, self.settings = state["method"], state["settings"]
        self.epochs = state["epochs"]


def _write_files(folder, files):
    for name, content in files.items():
        pathlib.Path(folder, os.path.basename(name)).write_bytes(content)


class Evaluation(_Handle, FigureTable, dict):
    """The figures of a space, a dict by key ("pool_translation") that also takes labels
    ("multilingual top-1"). NaN: it cannot be computed, reason(key) says why."""

    _made_by = "isogloss.evaluate or the evaluate of an isogloss.open"
    _rows = None

    def __missing__(self, label):
        key = _key(label)
        if key == label:  # of a measure whose figure was removed
            raise UnknownFigure(f"unknown figure {label!r}: it was removed")
        return self[key]

    def _figure(self, key):
        """The row of a figure over all rows."""
        row = _FigureRow()
        _lib.isogloss_figure(self._pointer, _key(key).encode(), ctypes.byref(row))
        return row

    def reason(self, key: str) -> Optional[str]:
        """Why a figure cannot be computed, what it leaves out, or why it has no interval where
        others have; or None."""
        why = self._figure(key).reason
        return _shown(why) if why else None

    def interval(self, key: str) -> Optional[tuple[float, float]]:
        """(low, high) of a figure: 95% from 1,000 bootstrap draws; None without ci=True."""
        row = self._figure(key)
        return None if math.isnan(row.low) else (row.low, row.high)

    def rows(self) -> list[dict[str, Any]]:
        """Every row as a dict: measure, label, from, to (languages, a part, or None), n,
        value, chance, low, high, reason. Those of `isogloss eval --format csv`."""
        if self._rows is None:
            rows, row = [], _FigureRow()
            while _lib.isogloss_figure_at(self._pointer, len(rows), ctypes.byref(row)):
                rows.append({name.rstrip("_"): value.decode() if isinstance(value, bytes)
                             else value for name, value in
                             ((name, getattr(row, name)) for name, _ in row._fields_)})
            self._rows = rows
        return [dict(row) for row in self._rows]

    @property
    def languages(self) -> list[str]:
        """The (K) codes that order the rows and columns of matrix."""
        return list(dict.fromkeys(code for row in self.rows() if row["from"] and row["to"]
                                  for code in (row["from"], row["to"])))

    def matrix(self, key: str) -> numpy.ndarray:
        """A figure from each language (rows) to each other (columns): (K, K) in the order of
        `languages`, NaN where there is none."""
        key = _key(key)
        at = {code: i for i, code in enumerate(self.languages)}
        found = numpy.full((len(at), len(at)), math.nan)
        for row in self.rows():
            if row["measure"] == key and row["from"] and row["to"]:
                found[at[row["from"]], at[row["to"]]] = row["value"]
        return found

    def compare(self, first: Union[Evaluation, Iterable[Evaluation]],
                key: str) -> dict[str, Any]:
        """This figure minus that of `first`: isogloss.compare(first, self, key)."""
        return compare(first, self, key)

    def _versions(self):
        return {None: self}


def compare(first: Union[Evaluation, Iterable[Evaluation]],
            second: Union[Evaluation, Iterable[Evaluation]], key: str) -> dict[str, Any]:
    """second minus first: above 0, the figure is higher in the second. Each is an evaluation made
    with ci=True, or a list of evaluations of runs that differ only by their seed.

    Returns a dict: value, the difference (of the means of lists); low and high, its 95% interval
    by paired bootstrap draws, and for lists also by the seeds; significant: p < 0.05. One run each
    says nothing about other seeds."""
    groups = [[each] if isinstance(each, Evaluation) or not hasattr(each, "__iter__")
              else list(each) for each in (first, second)]
    for each in groups[0] + groups[1]:
        if not isinstance(each, Evaluation):
            raise InputError(f"{each!r:.80} is not an Evaluation: compare takes those of evaluate")
    found, arguments = _Difference(), []
    for group in groups:
        arguments += [(_P * len(group))(*(each._pointer for each in group)), len(group)]
    _call("compare", *arguments, _name(_key(key)), ctypes.byref(found))
    return {name: getattr(found, name) for name, _ in _Difference._fields_}


class Evaluations(FigureTable, dict):
    """Evaluations of several versions of the same rows, by name: {"layer 6": Evaluation, …}."""

    def reason(self, key: str) -> dict[str, Optional[str]]:
        """Why a figure cannot be computed, by version."""
        return {name: each.reason(key) for name, each in self.items()}

    def matrix(self, key: str) -> dict[str, numpy.ndarray]:
        """Evaluation.matrix by version."""
        return {name: each.matrix(key) for name, each in self.items()}

    def _versions(self):
        return self


@overload
def evaluate(X: Mapping[str, Union[ArrayLike, Set]], lang: Optional[Texts] = None,
             ids: Optional[Iterable] = None, text: Optional[Texts] = None,
             **settings: Any) -> Evaluations: ...


@overload
def evaluate(X: Union[ArrayLike, Set], lang: Optional[Texts] = None,
             ids: Optional[Iterable] = None, text: Optional[Texts] = None,
             **settings: Any) -> Evaluation: ...


@_takes("evaluate")
def evaluate(X: Union[ArrayLike, Set, Mapping[str, Union[ArrayLike, Set]]],
             lang: Optional[Texts] = None, ids: Optional[Iterable] = None,
             text: Optional[Texts] = None, *,
             extractor: Union[Extractor, Mapping[str, Extractor], None] = None,
             space: Optional[str] = None, split: Optional[str] = None,
             **settings: Any) -> Union[Evaluation, Evaluations]:
    """Compute all figures of vectors (n, d), or of several versions of the same rows:
    evaluate({"layer 6": X6, "layer 12": X12}, lang, ids).

    lang: one code, or (n); ids: (n), equal for translations; a Set has them: evaluate(set).
    extractor: fitted, or a dict by version; space, split: as Set.evaluate.
    """
    if isinstance(X, Mapping):
        each = extractor if isinstance(extractor, Mapping) else dict.fromkeys(X, extractor)
        return Evaluations({name: evaluate(x, lang, ids, text, extractor=each.get(name),
                                           space=space, split=split, **settings)
                            for name, x in X.items()})
    return Set.of(X, lang, text, ids).evaluate(extractor, space, split, **settings)


class Set(_Handle):
    """A dataset: n vectors of d dimensions with languages, texts and ids. isogloss.open reads one
    from files, isogloss.Set.of makes one of arrays."""

    _made_by = "isogloss.open or isogloss.Set.of"

    @classmethod
    @_takes("open")
    def open(cls, *data: Any, **settings: Any) -> Set:
        """Open files as the program's DATA arguments: isogloss.open("set.npy"), with lang="en"
        for files without a language and column={"text": "sentence"} for other names; or a list
        of files; or an array, as Set.of: isogloss.open(vectors, lang, text)."""
        if len(data) == 1 and isinstance(data[0], (list, tuple)) and data[0] and all(
                isinstance(path, (str, os.PathLike)) for path in data[0]):
            data = tuple(data[0])
        if data and not isinstance(data[0], (str, bytes, os.PathLike)):
            if len(data) < 2 and "lang" not in settings:
                raise InputError(f"{data[0]!r:.80} is no path, and an array needs lang: "
                                 "isogloss.open(vectors, lang)")
            return cls.of(*data, **settings)
        names = (_S * max(len(data), 1))(*(_name(name) for name in data))
        found = cls._new(None)
        _call("dataset_open", ctypes.byref(found._pointer), names, len(data),
              _settings(settings, "open"), _progress, None)
        return found

    @classmethod
    @_takes("of")
    def of(cls, vectors: Union[ArrayLike, Set], lang: Optional[Texts] = None,
           text: Optional[Texts] = None, ids: Optional[Iterable] = None, **settings: Any) -> Set:
        """A dataset over an array (n, d). float32 in C order is not copied and must not
        change; other types are converted. lang: one code, or one per row. A missing
        language or text raises an error with its row; texts can be empty. A missing or empty
        id is none; a warning says how many rows have none. A Set is returned as it is."""
        if isinstance(vectors, Set):
            given = {"lang": lang, "text": text, "ids": ids, **settings}
            for name in (name for name, value in given.items() if value is not None):
                raise InputError(f"a Set has its languages, texts and ids: give it without {name}")
            return vectors
        vectors = _vectors(vectors)
        _check_matrix(vectors)
        rows, dims = vectors.shape
        columns = _columns(rows, lang, text, ids)
        found = cls._new(vectors)
        _call("dataset_of_rows", ctypes.byref(found._pointer), vectors.ctypes.data, rows, dims,
              *map(_array, columns), _settings(settings, "of"), _progress, None)
        return found

    def __len__(self):
        return _lib.isogloss_dataset_rows(self._pointer)

    def __repr__(self):
        return f"<isogloss.Set: {len(self):,} rows of {self.dims} dimensions>"

    @property
    def dims(self) -> int:
        return _lib.isogloss_dataset_dims(self._pointer)

    def row(self, row: int) -> tuple[str, str, Optional[str]]:
        """(language, text, id or None) of a row."""
        row = _count(row, "row")
        if row >= len(self):
            raise IndexError(f"row {row}: the dataset has {len(self)} rows")
        number = _lib.isogloss_dataset_id(self._pointer, row)
        return (_lib.isogloss_dataset_language(self._pointer, row).decode(),
                _lib.isogloss_dataset_text(self._pointer, row).decode("utf-8", "replace"),
                number.decode() if number is not None else None)

    @_takes("train")
    def train(self, method: str = "seed", progress: Optional[Callable[[dict], Any]] = None,
              **settings: Any) -> Extractor:
        """Train on the pairs of the dataset: as Extractor(method, **settings).fit."""
        return Extractor(method, **settings)._train(self, progress)

    def extractor(self, directory: Union[str, os.PathLike]) -> Extractor:
        """Read a run directory, or weights, that fit the dimensions of the dataset."""
        return Extractor()._read(directory, self)

    def _dims(self, extractor, space):
        dims = _lib.isogloss_space_dims(self._pointer, _of(extractor), _space(space))
        if dims == 0:  # no rows: the library says why
            _call("apply", self._pointer, _of(extractor), _space(space), 0, 0, None)
        return dims

    def transform(self, extractor: Optional[Extractor] = None, space: str = "meaning",
                  first: int = 0, count: Optional[int] = None,
                  out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
        """Rows of a space, (count, d) float32; written to `out` if given."""
        first = _count(first, "first")
        count = max(len(self) - first, 0) if count is None else _count(count, "count")
        shape = (count, self._dims(extractor, space))
        if out is None:
            out = _empty(shape, numpy.float32, f"count is {count}")
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

    @_takes("evaluate")
    def evaluate(self, extractor: Optional[Extractor] = None, space: Optional[str] = None,
                 split: Optional[str] = None, **settings: Any) -> Evaluation:
        """All figures of a space: {"top1": 0.93, …}, NaN if one cannot be computed.

        space: "original", "meaning" or "language"; by default meaning with an extractor, else
        original. split: measure only the ids that the extractor was trained on ("train"), or those
        it was not ("valid", "holdout"); give the extractor also with space="original"."""
        space = space or ("original" if extractor is None else "meaning")
        found = Evaluation._new(self)
        _call("evaluate", ctypes.byref(found._pointer), self._pointer, _of(extractor),
              _space(space), _settings(settings, "evaluate", split=split))
        found.update({key: _lib.isogloss_figure(found._pointer, key.encode(), None)
                      for key in figures()})
        return found

    def search(self, rows: Optional[ArrayLike] = None, k: int = 10,
               extractor: Optional[Extractor] = None, space: Optional[str] = None,
               language: Optional[str] = None, vectors: Optional[ArrayLike] = None,
               lang: Optional[Texts] = None) -> tuple[numpy.ndarray, numpy.ndarray]:
        """The k nearest rows of each row, or of each vector (n, d) of the original space:
        row numbers (n, k) and their cosines, best first; where there are fewer than k (a row is
        not its own neighbour), -1 and NaN, as FAISS pads. language: search this one alone. lang:
        of the vectors, one or one each, which extractors that depend on the language need."""
        space = space or ("original" if extractor is None else "meaning")
        if (rows is None) == (vectors is None):
            raise InputError("search takes rows or vectors")
        k = _count(k, "k")
        if vectors is None:
            given = numpy.atleast_1d(numpy.asarray(rows))
            if given.size and given.dtype.kind not in "iu":
                raise InputError(f"rows are {given.dtype}, not whole numbers: vectors=… searches by "
                                 "vectors")
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
        if not isinstance(language, (str, type(None))):
            raise InputError(f"language is {language!r:.80} (expected one code)")
        table = _empty((len(given), k), [("row", "u4"), ("cosine", "f4")], f"k is {k}")
        found = (_N * len(given))()
        _call(name, self._pointer, _of(extractor), _space(space), *asked, len(given),
              _name(language) if language else None, k, table.ctypes.data, found)
        none = numpy.arange(k) >= numpy.array(found)[:, None]
        return (numpy.where(none, -1, table["row"].astype("i8")),
                numpy.where(none, numpy.float32(math.nan), table["cosine"]))

    def project(self, k: int = 2, extractor: Optional[Extractor] = None,
                space: Optional[str] = None,
                unit: bool = True) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Principal components: coordinates (n, k) and explained variance ratios (k). unit:
        scale each row to length 1 first."""
        space = space or ("original" if extractor is None else "meaning")
        k = _count(k, "k")
        out = _empty((len(self), k), numpy.float32, f"k is {k}")
        share = _empty((k,), numpy.float64, f"k is {k}")
        _call("project", self._pointer, _of(extractor), _space(space), k, unit,
              out.ctypes.data, share.ctypes.data)
        return out, share


def _of(extractor):
    if not isinstance(extractor, (Extractor, type(None))):
        raise InputError(f"extractor is {extractor!r:.80} (expected an isogloss.Extractor: fit one, "
                         "or Extractor.load reads a run directory)")
    return None if extractor is None else extractor._get_fitted().pointer


open = Set.open


def version() -> str:
    """The version of the library, as __version__."""
    return __version__


def figures() -> dict[str, str]:
    """{key: definition} of all figures of an evaluation."""
    found, i = {}, 0
    while (key := _lib.isogloss_figure_key(i)) is not None:
        found[key.decode()] = _lib.isogloss_figure_about(key).decode()
        i += 1
    return found


def _key(name):
    """The key of a measure, from its key or its label."""
    known = figures()
    if not isinstance(name, str) or name not in known:
        row = _FigureRow()
        for key in known:
            _lib.isogloss_figure(None, key.encode(), ctypes.byref(row))
            if row.label.decode() == name:
                return key
        raise UnknownFigure(f"unknown figure {name!r}; {_meant(name, known)}")
    return name


def explore(vectors: ArrayLike, lang: Texts, text: Optional[Texts] = None,
            ids: Optional[Iterable] = None, *options: str, program: str = "isogloss") -> int:
    """Open the explorer in this terminal on an array; returns when it is quit. Options are
    those of the program: explore(x, lang, text, ids, "--method", "seed"). An array mapped
    from a .npy (numpy.load(..., mmap_mode="r")) is opened from that file."""
    if getattr(vectors, "dtype", None) not in ("f2", "f4", "f8", "i1", "u1"):
        vectors = _vectors(vectors)
    vectors = numpy.asanyarray(vectors)
    _check_matrix(vectors)
    columns = _columns(len(vectors), lang, text, ids)
    found = shutil.which(program)
    if found is None:
        raise FileError(f"there is no program {program}: install it (make install in a checkout), "
                        'or name it: program="build/isogloss"')
    with tempfile.TemporaryDirectory(prefix="isogloss-") as folder:
        path = _file_of(vectors)
        if path is None:
            path = os.path.join(folder, "set.npy")
            numpy.save(path, vectors)
        meta = os.path.join(folder, "set.csv")
        with io.open(meta, "w", encoding="utf-8", newline="") as table:
            write_table(table, columns)
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

