"""Rows of a table that belong to series: which rows, in which order, by the name of the series."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import cast

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import quoted
from normd.cli.errors import BadFile
from normd.cli.files.table import Table
from normd.wire.field_specs import FieldSpec, FieldSpecs

SERIES = "series"
# One row a series, one column a channel.
CHANNELS_AXES = 2
# Windows, time, channels; a field with more of them has several columns a step.
SERIES_AXES = 3
ONE_STEP = "1"
QUANTILES = "quantiles"
QUANTILE = re.compile(r"q\d+(\.\d+)?$")


@dataclass(frozen=True)
class Groups:
    """Which rows each series has.

    Parameters
    ----------
    names : sequence of str
        What the series are called, in order of appearance.
    rows : sequence of arrays
        The rows of each, in the order of the file; they need not stand together.
    """

    names: Sequence[str]
    rows: Sequence[Array]

    @classmethod
    def of(cls, labels: Sequence[str]) -> Groups:
        """Return the groups of rows that have the same label."""
        found: dict[str, list[int]] = {}
        for row, label in enumerate(labels):
            found.setdefault(label, []).append(row)
        return cls(list(found), [np.array(rows, dtype=np.int64) for rows in found.values()])

    @property
    def lengths(self) -> list[int]:
        """Rows of each series."""
        return [len(rows) for rows in self.rows]

    def has_rows_of(self, value: object) -> bool:
        """Return whether an output has one value a row, or one a series."""
        if isinstance(value, list):
            return [len(part) for part in value] == self.lengths
        if not isinstance(value, np.ndarray) or value.ndim not in (1, CHANNELS_AXES):
            return False
        return len(value) == len(self.names)

    def in_rows(self, value: Array | Sequence[Array]) -> Array:
        """Return an output in the order of the rows; what a series has once stands in each."""
        flat = (
            np.repeat(value, self.lengths, axis=0)
            if isinstance(value, np.ndarray)
            else np.concatenate(value)
        )
        placed = np.empty_like(flat)
        placed[np.concatenate(self.rows)] = flat
        return placed


def series_groups(
    declared: FieldSpecs,
    table: Table,
    label: str | None,
    found: Mapping[str, Sequence[str]],
) -> Groups | None:
    """Return the series that the rows of a table are; None where rows are no steps of series."""
    if declared.main.kind != SERIES or not table.aligned:
        return None
    if label is not None:
        return Groups.of(table.column(label).texts())
    # Columns of quantiles are an axis beside the time: their rows are one series.
    wide = any(
        len(declared.fields[name].axes) > SERIES_AXES and len(names) > 1
        for name, names in found.items()
    )
    return Groups([""], [np.arange(len(table))]) if wide else None


def quantile_columns(declared: FieldSpecs, table: Table, found: Mapping[str, object]) -> list[str]:
    """Return columns called q10, q50 ... that are quantiles, where nothing else is."""
    if QUANTILES not in declared.fields or QUANTILES in found:
        return []
    named = {name for names in found.values() if isinstance(names, list) for name in names}
    return [name for name in table.columns if QUANTILE.match(name) and name not in named]


def series_value(
    declared: FieldSpec, table: Table, names: Sequence[str], groups: Groups
) -> list[Array] | Array:
    """Return a field by series: lists of steps, of one channel or several, or one number each."""
    is_wide = len(declared.axes) > SERIES_AXES
    columns = [_steps(table, name) for name in names]
    if len(declared.axes) == SERIES_AXES and declared.axes[1] == ONE_STEP:
        once = [_once(table, *pair, groups) for pair in zip(names, columns, strict=True)]
        return once[0] if len(once) == 1 else np.stack(once, axis=1)
    if is_wide or len(names) > 1:
        rows = np.stack(columns, axis=1)
        return [rows[places] for places in groups.rows]
    return [columns[0][places] for places in groups.rows]


def channel_columns(
    declared: FieldSpecs, table: Table, found: Collection[str]
) -> dict[str, list[str]]:
    """Return the columns ``loc_0``, ``loc_1`` ... of fields that nothing else is."""
    wanted = [name for name in declared.fields if name not in found]
    columns = {name: _numbered(name, table) for name in wanted}
    return {name: names for name, names in columns.items() if len(names) > 1}


def _numbered(name: str, table: Table) -> list[str]:
    numbered = (f"{name}_{place}" for place in range(len(table.columns)))
    return list(takewhile(lambda each: each in table.columns, numbered))


def is_by_series(declared: FieldSpec, main: FieldSpec) -> bool:
    """Return whether a field has a part for each series."""
    return declared.axes[:1] == main.axes[:1]


def is_by_step(declared: FieldSpec, main: FieldSpec) -> bool:
    """Return whether a field has one value for each step of a series."""
    return len(main.axes) == SERIES_AXES and declared.axes[:1] == main.axes[1:2]


def by_step(values: object, groups: Groups) -> list[object]:
    """Return what stands beside the steps, by series."""
    each = np.asarray(values, dtype=object)
    return [each[places].tolist() for places in groups.rows]


def _steps(table: Table, name: str) -> Array:
    values = table.column(name).numbers()
    if not isinstance(values, np.ndarray) or values.ndim != 1:
        raise BadFile(table.file, f"the column {quoted(name)} holds lists, not one number a row")
    return values


def _once(table: Table, name: str, values: Array, groups: Groups) -> Array:
    """Return what stands in every row of a series and is meant once."""
    for label, places in zip(groups.names, groups.rows, strict=True):
        part = values[places]
        if not np.array_equal(part, np.full_like(part, part[0]), equal_nan=True):
            series = f" of {quoted(label)}" if label else ""
            raise BadFile(
                table.file,
                f"the column {quoted(name)} has several values in the rows{series}, and a series "
                "has one",
            )
    return cast(Array, values[[places[0] for places in groups.rows]])
