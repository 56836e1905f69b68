"""One member of the objects of a jsonl file: numbers, vectors, ragged lists or texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import quoted
from normalizers.validation.whole_numbers import LOST, is_held, lost_place
from normd.cli.errors import BadFile
from normd.cli.files.column import Numbers

CHOOSE = "; --columns chooses the columns of numbers"


class JsonColumn:
    """Values of one member, one a line.

    Parameters
    ----------
    file, name : str
        For messages; lines that are no objects have one member without a name.
    found : sequence of object
        One value a line; null is a missing number.
    lines : sequence of int
        The line of the file each value stands in.
    """

    def __init__(self, file: str, name: str, found: Sequence[object], lines: Sequence[int]) -> None:
        self.file, self.name, self.found, self.lines = file, name, found, lines

    def __len__(self) -> int:
        return len(self.found)

    @property
    def has_lists(self) -> bool:
        """Whether a line holds a list."""
        return any(isinstance(value, list) for value in self.found)

    def numbers(self) -> Numbers:
        """Return one number a line, or arrays of one shape stacked, or a list of arrays."""
        if not self.has_lists:
            return np.array([self._number(row) for row in range(len(self))], dtype=np.float64)
        arrays = [self._array(row) for row in range(len(self))]
        if len({array.shape for array in arrays}) == 1:
            return np.stack(arrays)
        return arrays

    def texts(self) -> list[str]:
        """Return strings as they are and integers in decimal."""
        if set(map(type, self.found)) == {str}:
            return cast("list[str]", list(self.found))
        for row, value in enumerate(self.found):
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise self._bad(row, "a string or an integer is expected for a label or id")
        return [str(value) for value in self.found]

    def values(self) -> Sequence[object]:
        """Return the values."""
        return self.found

    def part(self, start: int, stop: int) -> JsonColumn:
        """Return some of the rows."""
        return JsonColumn(self.file, self.name, self.found[start:stop], self.lines[start:stop])

    def joined(self, others: Sequence[JsonColumn]) -> JsonColumn:
        """Return these rows and those of the `others` after them."""
        found = [value for column in (self, *others) for value in column.found]
        lines = [line for column in (self, *others) for line in column.lines]
        return JsonColumn(self.file, self.name, found, lines)

    def _number(self, row: int) -> float:
        value = self.found[row]
        if value is None:
            return float("nan")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._bad(row, f"a number or null is expected{CHOOSE}")
        if isinstance(value, int) and not is_held(value):
            raise self._bad(row, LOST)
        return float(value)

    def _array(self, row: int) -> Array:
        value = self.found[row]
        if not isinstance(value, list):
            raise self._bad(row, "a list is expected, as in the other lines")
        if not _only_numbers(value):
            raise self._bad(row, "lists of numbers or null are expected")
        try:
            array = np.array(value, dtype=np.float64)
        except OverflowError:
            raise self._bad(row, LOST) from None
        except ValueError:
            raise self._bad(row, "the lists in it are of unequal length") from None
        if lost_place(_leaves(value), array.reshape(-1)) is not None:
            raise self._bad(row, LOST)
        return array

    def _bad(self, row: int, message: str) -> BadFile:
        member = f", {quoted(self.name)}" if self.name else ""
        return BadFile(self.file, message, place=f"line {self.lines[row]}{member}")


def _leaves(value: Sequence[object]) -> list[object]:
    return [
        leaf for item in value for leaf in (_leaves(item) if isinstance(item, list) else [item])
    ]


def _only_numbers(value: Sequence[object]) -> bool:
    return all(
        _only_numbers(item)
        if isinstance(item, list)
        else item is None or (isinstance(item, int | float) and not isinstance(item, bool))
        for item in value
    )
