"""Versions of the same sentences, written while a model is trained."""

from __future__ import annotations

import csv
import io
import os
import pathlib
from collections.abc import Iterable
from typing import Optional, Union

import numpy
from numpy.typing import ArrayLike, DTypeLike

from ._library import FileError, InputError, _columns, _count, _path, _vectors


class VersionLog:
    """A folder of versions of the same rows, which `isogloss FOLDER` opens and follows while it
    grows: set.csv with languages, texts and ids, and NAME.npy (n, d) for each version.

        log = isogloss.VersionLog("versions/ft", lang=lang, text=texts, ids=ids)
        log.add("step 500", model.encode(texts))

    lang: (n) codes; text: (n) or None; ids: (n), equal for translations, or None. keep: remove
    the oldest versions that this object added, beyond so many. every: write the first of each
    `every` added versions and skip the others. dtype: of the files. A folder with the same
    set.csv is continued; another set.csv is an InputError.
    """

    def __init__(self, folder: Union[str, os.PathLike], *, lang: Iterable[str],
                 text: Optional[Iterable[str]] = None, ids: Optional[Iterable] = None,
                 keep: Optional[int] = None, every: int = 1, dtype: DTypeLike = "float16"):
        self.keep = None if keep is None else _count(keep, "keep", 1)
        self.every = _count(every, "every", 1)
        if isinstance(lang, str) or not hasattr(lang, "__iter__"):
            raise InputError(f"lang is {lang!r:.80}: a code for each row is needed")
        lang = list(lang)
        self.folder, self.rows = pathlib.Path(_path(folder, "folder")), len(lang)
        try:
            self.dtype = numpy.dtype(dtype)
        except TypeError:
            self.dtype = None
        self.names: list[str] = []  # versions in the folder that were added here, oldest first
        self._count = 0
        if self.dtype not in (numpy.float16, numpy.float32):
            raise InputError(f"dtype is {dtype!r:.80} (expected float16 or float32)")
        table = io.StringIO(newline="")
        write_table(table, _columns(self.rows, lang, text, ids))
        self._write_set(table.getvalue().encode())

    def _write_set(self, content):
        path = self.folder / "set.csv"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                _replace(path, lambda file: file.write(content))
            elif path.read_bytes() != content:
                raise InputError(f"{path} has other rows: choose another folder")
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error

    def add(self, name: str, vectors: ArrayLike) -> Optional[pathlib.Path]:
        """Write vectors (n, d) as version NAME, which replaces one of that name; `isogloss`
        orders versions naturally (step 500 before step 1000). Tensors are accepted. Readers see
        the old file or the new one, never a part. Returns its path; None: skipped (`every`)."""
        path = self.folder / (_check_name(name) + ".npy")
        vectors = _vectors(vectors)
        if vectors.ndim != 2 or not vectors.size or len(vectors) != self.rows:
            raise InputError(f"version {name!r} is {vectors.shape}, but the rows of "
                             f"{self.folder / 'set.csv'} are {self.rows}")
        with numpy.errstate(over="ignore"):
            stored = vectors.astype(self.dtype)
        wrong = numpy.flatnonzero(~numpy.isfinite(stored).all(axis=1))
        if len(wrong):
            largest = numpy.abs(vectors[wrong[0]]).max()
            raise InputError(f"version {name!r}, row {wrong[0]}: {largest:g} is not a finite "
                             f"{self.dtype}")
        self._count += 1
        if (self._count - 1) % self.every:
            return None
        try:
            _replace(path, lambda file: numpy.save(file, stored))
            self.names = [*(other for other in self.names if other != name), name]
            while self.keep is not None and len(self.names) > self.keep:
                (self.folder / (self.names.pop(0) + ".npy")).unlink(missing_ok=True)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from error
        return path


def write_table(file, columns):
    """Write languages, texts and ids (lists, or None) as CSV."""
    there = [(name, values) for name, values in zip(("lang", "text", "id"), columns)
             if values is not None]
    writer = csv.writer(file)
    writer.writerow([name for name, _ in there])
    writer.writerows(zip(*(values for _, values in there)))


def _check_name(name):
    if not isinstance(name, str) or not name or name[0] in ".-" or len(name.encode()) > 200 or (
            any(letter in '/\\:*?"<>|=' or not letter.isprintable() for letter in name)):
        raise InputError(f"version name {name!r}: expected at most 200 bytes that are printable "
                         'and none of / \\ : * ? " < > | =, and no . or - at the start')
    return name


def _replace(path, write):
    """Write a file under another name, then rename it."""
    part = path.with_name(path.name + ".part")
    try:
        with io.open(part, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
