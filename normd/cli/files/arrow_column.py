"""One column of a parquet file: its numbers, texts or lists, and its type where it is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import offsets_of
from normalizers.errors import MissingDependency
from normd.cli.files.column import ArrayColumn, Column, Numbers
from normd.cli.files.json_column import JsonColumn


class ArrowValues(Sequence[object]):
    """The values of a column as Python has them; what writes parquet takes `array` as it is."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[object]:
        return iter(self._plain)

    @overload
    def __getitem__(self, place: int) -> object: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[object]: ...
    def __getitem__(self, place: int | slice) -> object:
        return self._plain[place]

    @cached_property
    def _plain(self) -> list[object]:
        found: list[object] = self.array.to_pylist()
        return found


class ArrowColumn:
    """Values of one type, which other programs find again in what is written.

    Parameters
    ----------
    file, name : str
        For messages.
    array : pyarrow.Array
        The values.
    start : int
        Rows of the file before them.
    """

    def __init__(self, file: str, name: str, array: Any, start: int) -> None:
        self.file, self.name, self.array, self.start = file, name, array, start

    def __len__(self) -> int:
        return len(self.array)

    @property
    def has_lists(self) -> bool:
        """Whether a row is a list."""
        return _is_list(self.array.type)

    def numbers(self) -> Numbers:
        """Return one number a row, or lists of one length stacked, or a list of arrays."""
        lists = _lists_of_numbers(self.array)
        if lists is None:
            return self._column.numbers()
        lengths, flat = lists
        if len(lengths) and (lengths == lengths[0]).all():
            return flat.reshape(len(lengths), int(lengths[0]))
        return np.split(flat, offsets_of(lengths.tolist())[1:-1])

    def texts(self) -> list[str]:
        """Return strings as they are and integers in decimal."""
        return self._column.texts()

    def values(self) -> Sequence[object]:
        """Return the values, whose type goes with them."""
        return ArrowValues(self.array)

    def part(self, start: int, stop: int) -> ArrowColumn:
        """Return some of the rows."""
        rows = self.array.slice(start, stop - start)
        return ArrowColumn(self.file, self.name, rows, self.start + start)

    def joined(self, others: Sequence[ArrowColumn]) -> ArrowColumn:
        """Return these rows and those of the `others` after them."""
        parts = pyarrow().chunked_array([self.array, *(other.array for other in others)])
        # Categories are numbered block by block.
        whole = parts.unify_dictionaries().combine_chunks()
        return ArrowColumn(self.file, self.name, whole, self.start)

    @cached_property
    def _column(self) -> Column:
        """The values as an array; what is null, text or a list of such goes by Python values."""
        import pyarrow.types as types

        kind = self.array.type
        whole_numbers = types.is_integer(kind) and not self.array.null_count
        if types.is_floating(kind) or whole_numbers:
            return ArrayColumn(self.file, self.name, _plain_numbers(self.array), self.start)
        if types.is_decimal(kind) and kind.scale > 0:
            # Rounded to the nearest number that is held, as the same digits in a text are.
            numbers = self.array.cast(pyarrow().float64())
            return ArrayColumn(self.file, self.name, _plain_numbers(numbers), self.start)
        lines = range(self.start + 1, self.start + len(self) + 1)
        found = self.array.to_pylist()
        if types.is_decimal(kind):
            # Whole ones are refused where no number holds them.
            found = [None if value is None else int(value) for value in found]
        return JsonColumn(self.file, self.name, found, lines)


def _lists_of_numbers(array: Any) -> tuple[Array, Array] | None:
    """Return the lengths of lists of floats and all their numbers; None for anything else."""
    import pyarrow.types as types

    if not _is_list(array.type) or array.null_count:
        return None
    items = array.flatten()
    if not types.is_floating(items.type):
        return None
    narrow = types.is_float32(items.type) or types.is_float16(items.type)
    numbers = _plain_numbers(items).astype(np.float32 if narrow else np.float64)
    return _plain_numbers(array.value_lengths()).astype(np.int64), numbers


def _is_list(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _plain_numbers(array: Any) -> Array:
    """Return numbers; null is NaN."""
    if not array.null_count:
        # Arrow's own way to NumPy loads pandas, which takes longer than a command.
        return np.from_dlpack(array)
    found: Array = array.to_numpy(zero_copy_only=False)
    return found


def pyarrow() -> Any:
    """Return the package that reads and writes parquet.

    Raises
    ------
    MissingDependency
        It is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingDependency(
            "parquet needs a package that is not installed: pip install 'normd[parquet]'"
        ) from None
    return pyarrow
