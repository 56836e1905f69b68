"""npy, mapped into memory block by block, and npz, an archive of npy files."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import quoted
from normd.cli.errors import BadFile
from normd.cli.files.column import ArrayColumn
from normd.cli.files.formats import STANDARD
from normd.cli.files.source import Source
from normd.cli.files.table import Table

BLOCK_VALUES = 2**21


def blocks(given: Source) -> Iterator[Table]:
    """Yield the rows of an npy file.

    Raises
    ------
    BadFile
        Not an npy file, cut short, of objects, or without an axis.
    """
    with _explained(given.name):
        if given.path == STANDARD:
            with given.opened() as file:
                array = _read(file)
        else:
            array = np.lib.format.open_memmap(given.path, mode="r")
    yield from _tables(given, array)


def mapped(given: Source) -> Table | None:
    """Return an npy file as one table of what is mapped into memory; None for other forms.

    A gallery may be larger than memory: who reads it in blocks reads the file in blocks.
    """
    if given.form != "npy" or given.path == STANDARD:
        return None
    with _explained(given.name):
        array = np.lib.format.open_memmap(given.path, mode="r")
    if array.ndim == 0:
        raise BadFile(given.name, "the array has no axis; rows are expected")
    return Table(given.name, {"": ArrayColumn(given.name, "", array)}, named=False)


def row_count(given: Source) -> int | None:
    """Return the number of rows where it is known before they are read."""
    if given.form != "npy" or given.path == STANDARD:
        return None
    with _explained(given.name):
        array = np.lib.format.open_memmap(given.path, mode="r")
    return len(array) if array.ndim else None


def archive(given: Source) -> Iterator[Table]:
    """Yield the arrays of an npz file as one table; they need not have the same rows."""
    with given.opened() as file, _explained(given.name), zipfile.ZipFile(file) as zipped:
        arrays = {PurePath(name).stem: _member(zipped, name) for name in zipped.namelist()}
    yield table_of(given, arrays)


def table_of(given: Source, arrays: dict[str, Array]) -> Table:
    """Return named arrays as one table.

    Raises
    ------
    BadFile
        There are none, or one has no axis.
    """
    if not arrays:
        raise BadFile(given.name, "it holds no arrays")
    for name, array in arrays.items():
        if array.ndim == 0:
            raise BadFile(given.name, f"the array {quoted(name)} has no axis; rows are expected")
    columns = {name: ArrayColumn(given.name, name, array) for name, array in arrays.items()}
    return Table(given.name, columns, aligned=False)


def _tables(given: Source, array: Array) -> Iterator[Table]:
    if array.ndim == 0:
        raise BadFile(given.name, "the array has no axis; rows are expected")
    rows = max(1, BLOCK_VALUES * len(array) // max(array.size, 1))
    for start in range(0, max(len(array), 1), rows):
        part = ArrayColumn(given.name, "", array[start : start + rows], start)
        yield Table(given.name, {"": part}, named=False)


def _member(zipped: zipfile.ZipFile, name: str) -> Array:
    with zipped.open(name) as file:
        return _read(file)  # type: ignore[arg-type]


def _read(file: BinaryIO) -> Array:
    found: Array = np.lib.format.read_array(file, allow_pickle=False)
    return found


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what NumPy and zipfile say of a broken file into one sentence about that file."""
    try:
        yield
    except zipfile.BadZipFile:
        raise BadFile(name, "this is no npz file, or a part of one; is --format right?") from None
    except (ValueError, EOFError, OSError) as error:
        if "object" in str(error).lower():
            raise BadFile(
                name, "it holds Python objects, which are never read; save numbers or strings"
            ) from None
        raise BadFile(
            name, "this is no whole npy file: its header or its numbers are cut; write it again"
        ) from None
