"""The answer to one block of rows, as it is to be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar, cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import quoted
from normd.cli.errors import Misuse

# A column of a table.
Cells: TypeAlias = "Array | Sequence[object]"
LIST = "list"
T = TypeVar("T")


class Placing(Protocol):
    """Knows the rows of each series."""

    def has_rows_of(self, value: object) -> bool:
        """Return whether an output has one value a row, or one a series."""

    def in_rows(self, value: Array | Sequence[Array]) -> Array:
        """Return an output in the order of the rows."""


@dataclass(frozen=True)
class Piece:
    """Output fields of one block, the main one first.

    Parameters
    ----------
    output : mapping
        By field name: an array with a row a row, or a list of arrays, one a list.
    kept : mapping
        Columns of the input that stand beside the output, one value a row.
    names : mapping
        By output field: names of its columns, where they are those of the input.
    flat : bool
        Whether the rows of the input were grouped into lists, so that each value of a list is a
        row again.
    order : sequence of str
        The columns of the input: those of the same name keep their places.
    groups : Placing, optional
        Where the values of series stand among the rows.
    listed : mapping
        By output field: the column of lists it is, where the input has such a column.
    into : str, optional
        Name of the new column that the main output is.
    """

    output: Mapping[str, object]
    kept: Mapping[str, Cells] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    flat: bool = False
    order: Sequence[str] = ()
    groups: Placing | None = None
    listed: Mapping[str, str] = field(default_factory=dict)
    into: str | None = None

    @property
    def main(self) -> str:
        """Name of the main output."""
        return next(iter(self.output))

    def rows(self) -> dict[str, Cells]:
        """Return columns with one value a row: what stands beside, and what fits of the output.

        Raises
        ------
        Misuse
            The main output has more axes than a table.
        """
        columns = dict(self.kept)
        main = self.output[self.main]
        if isinstance(main, list) and not self.flat:
            columns = {LIST: _list_of_each(main)}
        for field_name in self.fitting():
            for name, values in self._columns(field_name, self._flattened(field_name)):
                _require_new(name, columns)
                columns[name] = values
        return self.in_place(columns)

    def lists(self) -> dict[str, Cells]:
        """Return columns with one value, vector or list a row, as a form that holds them has."""
        columns = dict(self.kept)
        for field_name in self.lines():
            name = self.listed.get(field_name, self._name(field_name, 0, 1))
            _require_new(name, columns)
            columns[name] = cast(Cells, self.output[field_name])
        return self.in_place(columns)

    def in_place(self, columns: Mapping[str, T]) -> dict[str, T]:
        """Return columns in the order of the input; those it lacks follow."""
        first = [name for name in self.order if name in columns]
        return {name: columns[name] for name in (*first, *columns)}

    def fitting(self) -> list[str]:
        """Return the names of the output fields that have a value for each row of a table."""
        if self.groups is not None:
            return [name for name, value in self.output.items() if self.groups.has_rows_of(value)]
        main = self.output[self.main]
        return [
            name
            for name, value in self.output.items()
            if isinstance(value, list) == isinstance(main, list)
            and _length(value) == _length(main)
            and len(self._flattened(name)) == len(self._flattened(self.main))
        ]

    def lines(self) -> list[str]:
        """Return the names of the output fields that have a value for each row or list."""
        length = _length(self.output[self.main])
        return [name for name, value in self.output.items() if _length(value) == length]

    def line_name(self, name: str) -> str:
        """Return what an output field is called in a line of members."""
        return self.into if self.into is not None and name == self.main else name

    def _flattened(self, name: str) -> Array:
        value = self.output[name]
        if self.groups is not None and isinstance(value, np.ndarray | list):
            return self.groups.in_rows(value)
        if not isinstance(value, list):
            return np.asarray(value)
        return np.concatenate(value) if value else np.empty(0)

    def _columns(self, name: str, values: Array) -> Iterator[tuple[str, Array]]:
        if values.ndim == 1:
            yield self._name(name, 0, 1), values
        elif values.ndim == 2:
            for place in range(values.shape[1]):
                yield self._name(name, place, values.shape[1]), values[:, place]
        else:
            raise Misuse(
                f"{name} has {values.ndim} axes and no table holds it; write .npy, .npz, "
                ".safetensors or .jsonl"
            )

    def _name(self, name: str, place: int, width: int) -> str:
        named = self.names.get(name, ())
        if len(named) == width:
            return named[place]
        return name if width == 1 else f"{name}_{place}"


def _require_new(name: str, columns: Mapping[str, Cells]) -> None:
    if name in columns:
        raise Misuse(
            f"the input and the answer both have a column {quoted(name)}; rename that of the input"
        )


def _length(value: object) -> int | None:
    """Return the number of rows or lists, None for what has none."""
    if isinstance(value, np.ndarray):
        return len(value) if value.ndim else None
    return len(value) if isinstance(value, list) else None


def _list_of_each(parts: Sequence[Array]) -> Array:
    lengths = [len(part) for part in parts]
    return np.repeat(np.arange(len(lengths)), lengths)
