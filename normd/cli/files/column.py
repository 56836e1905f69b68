"""One column of a file: numbers or texts, asked for by whoever knows which they must be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, Self, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.messages import quoted
from normalizers.validation.whole_numbers import FIRST_GAP, LOST, held, is_held
from normd.cli.errors import BadFile

# Ragged numbers are a list of arrays, one a row.
Numbers: TypeAlias = "Array | list[Array]"
# More digits than these are beyond float64.
INTEGER = re.compile(r"\s*[+-]?[0-9]{1,309}\s*")
NARROWEST_FLOAT = 4  # bytes; half precision is widened


class Column(Protocol):
    """A column; what it holds is converted, and refused, when it is asked for."""

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    @property
    def has_lists(self) -> bool:
        """Whether a row is a list or vector."""
        ...

    def numbers(self) -> Numbers:
        """Return floats, one number, vector or list a row."""
        ...

    def texts(self) -> list[str]:
        """Return labels or ids, one a row."""
        ...

    def values(self) -> Sequence[object]:
        """Return what stands there, one value a row."""
        ...

    def part(self, start: int, stop: int) -> Self:
        """Return some of the rows."""
        ...

    def joined(self, others: Sequence[Self]) -> Self:
        """Return these rows and those of the `others` after them."""
        ...


class ArrayColumn:
    """Rows of an array, which may lie in a file.

    Parameters
    ----------
    file, name : str
        For messages; the array of an npy file has no name.
    array : array of shape (n, ...)
        The rows.
    first : int
        Which row of the file the first of them is, from 0.
    """

    def __init__(self, file: str, name: str, array: Array, first: int = 0) -> None:
        self.file, self.name, self.array, self.first = file, name, array, first

    def __len__(self) -> int:
        return len(self.array)

    @property
    def has_lists(self) -> bool:
        """Whether a row is a vector."""
        return self.array.ndim > 1

    def numbers(self) -> Array:
        """Return the rows as float32 or float64 of this machine's byte order."""
        kind, size = self.array.dtype.kind, self.array.dtype.itemsize
        if kind not in "fiub":
            raise BadFile(self.file, f"{self._what} holds {self.array.dtype}, not numbers")
        if kind in "iu":
            return np.ascontiguousarray(self._integers())
        narrow = kind == "f" and size <= NARROWEST_FLOAT
        return np.ascontiguousarray(self.array, dtype=np.float32 if narrow else np.float64)

    def _integers(self) -> Array:
        try:
            return held(self.array, "")
        except InvalidInput as error:
            row = self.first + int(error.path[1:].partition("]")[0]) + 1
            raise BadFile(self.file, LOST, place=f"{self._what}, row {row}") from None

    def texts(self) -> list[str]:
        """Return strings as they are and integers in decimal."""
        if self.array.dtype.kind not in "Uiu" or self.array.ndim != 1:
            raise BadFile(
                self.file, f"{self._what} must hold one string or integer a row to be labels or ids"
            )
        return [str(value) for value in self.array.tolist()]

    def values(self) -> Sequence[object]:
        """Return the rows as lists and scalars."""
        found: list[object] = self.array.tolist()
        return found

    def part(self, start: int, stop: int) -> ArrayColumn:
        """Return some of the rows."""
        return ArrayColumn(self.file, self.name, self.array[start:stop], self.first + start)

    def joined(self, others: Sequence[ArrayColumn]) -> ArrayColumn:
        """Return these rows and those of the `others` after them."""
        parts = [self.array, *(other.array for other in others)]
        return ArrayColumn(self.file, self.name, np.concatenate(parts), self.first)

    @property
    def _what(self) -> str:
        return f"the array {quoted(self.name)}" if self.name else "the array"


class TextColumn:
    """Cells of a delimited file.

    Parameters
    ----------
    file, name : str
        For messages.
    cells : sequence of str
        One a row; an empty cell is a missing number.
    lines : sequence of int
        The line of the file each cell stands in.
    """

    def __init__(self, file: str, name: str, cells: Sequence[str], lines: Sequence[int]) -> None:
        self.file, self.name, self.cells, self.lines = file, name, cells, lines

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def has_lists(self) -> bool:
        """Whether a row is a list: a cell is none."""
        return False

    def numbers(self) -> Array:
        """Return the cells as float64."""
        try:
            numbers = np.array([number(cell) for cell in self.cells], dtype=np.float64)
        except ValueError:
            raise self._not_a_number() from None
        for row in np.flatnonzero(np.abs(numbers) >= FIRST_GAP).tolist():
            if INTEGER.fullmatch(self.cells[row]) and not is_held(int(self.cells[row])):
                raise BadFile(self.file, LOST, place=self._place(row))
        return numbers

    def texts(self) -> list[str]:
        """Return the cells."""
        return list(self.cells)

    def values(self) -> Sequence[object]:
        """Return the cells."""
        return self.cells

    def part(self, start: int, stop: int) -> TextColumn:
        """Return some of the rows."""
        return TextColumn(self.file, self.name, self.cells[start:stop], self.lines[start:stop])

    def joined(self, others: Sequence[TextColumn]) -> TextColumn:
        """Return these rows and those of the `others` after them."""
        cells = [cell for column in (self, *others) for cell in column.cells]
        lines = [line for column in (self, *others) for line in column.lines]
        return TextColumn(self.file, self.name, cells, lines)

    def _not_a_number(self) -> BadFile:
        row = next(row for row, cell in enumerate(self.cells) if not is_number(cell))
        hint = "; if that line is a header, say --header" if self.lines[row] == 1 else ""
        return BadFile(
            self.file,
            "this is not a number (3.5, 1e-3, nan or nothing); --columns chooses the columns of "
            f"numbers{hint}",
            place=self._place(row),
        )

    def _place(self, row: int) -> str:
        return f"line {self.lines[row]}, column {quoted(self.name)}"


def number(cell: str) -> float:
    """Return the number a cell holds; an empty one is missing.

    Raises
    ------
    ValueError
        For text, also with the underscores that Python allows in numbers.
    """
    if "_" in cell:
        raise ValueError("no underscores")
    return float(cell) if cell.strip() else float("nan")


def is_number(cell: str) -> bool:
    """Return whether a cell holds a number or nothing."""
    try:
        number(cell)
    except ValueError:
        return False
    return True
