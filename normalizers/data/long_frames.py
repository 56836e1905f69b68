"""Long data frames: one row a step, a column that tells which series it belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.frames import column_names
from normalizers.errors import DtypeError, InvalidInput
from normalizers.messages import quoted, unknown

QUANTILE = re.compile(r"q(\d+(?:\.\d+)?)$")


@dataclass(frozen=True)
class LongFrame:
    """The rows of a frame of pandas or polars, by series.

    Parameters
    ----------
    frame : data frame
        It is not changed.
    names : sequence of str
        What the series are called, in order of appearance.
    rows : sequence of arrays
        The rows of each, in the order of its steps.
    """

    frame: Any
    names: Sequence[str]
    rows: Sequence[Array]

    @classmethod
    def of(cls, frame: object, series: str, time: str | None = None) -> LongFrame:
        """Return the rows of a frame by its column `series`, put in order by its column `time`.

        Raises
        ------
        InvalidInput
            No frame, no such column, or a row that does not say its series or its time.
        """
        columns = column_names(frame)
        if columns is None:
            raise InvalidInput("a data frame of pandas or polars is expected, with named columns")
        for name in (series, *([time] if time is not None else [])):
            if name not in columns:
                raise InvalidInput(unknown("column", name, columns), path=name)
        found: dict[str, list[int]] = {}
        for row, label in enumerate(_list(frame, series)):
            if label is None or label != label:
                raise InvalidInput("a row without its series", path=f"{series}[{row}]")
            found.setdefault(str(label), []).append(row)
        rows = [np.array(places, dtype=np.int64) for places in found.values()]
        if time is not None:
            rows = _in_order(rows, _list(frame, time), time)
        return cls(frame, list(found), rows)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.frame)

    @property
    def labels(self) -> list[str]:
        """The series of each row."""
        told = np.empty(len(self), dtype=object)
        for name, places in zip(self.names, self.rows, strict=True):
            told[places] = name
        return list(told.tolist())

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return column_names(self.frame) or ()

    def numbers(self, name: str) -> Array:
        """Return a column as float64; NaN is a missing value."""
        if name not in self.columns:
            raise InvalidInput(unknown("column", name, self.columns), path=name)
        values = _list(self.frame, name)
        try:
            return np.array([np.nan if _is_missing(each) else each for each in values], dtype=float)
        except (TypeError, ValueError):
            raise DtypeError("a column of numbers is expected", path=name) from None

    def table(self, names: Sequence[str]) -> Array:
        """Return columns side by side, shape (rows, c)."""
        return np.stack([self.numbers(name) for name in names], axis=1)

    def by_series(self, values: Array) -> list[Array]:
        """Return what stands in the rows of each series, in the order of its steps."""
        return [values[places] for places in self.rows]

    def windows(self, values: Array) -> Array:
        """Return rows ``(rows, ...)`` as windows ``(n, t, ...)``, missing behind the last step."""
        longest = max(map(len, self.rows), default=0)
        whole = np.full((len(self.rows), longest, *values.shape[1:]), np.nan)
        for place, rows in enumerate(self.rows):
            whole[place, : len(rows)] = values[rows]
        return whole

    def once(self, values: Array, name: str) -> Array:
        """Return what stands in every row of a series and is meant once, shape (n, ...).

        Raises
        ------
        InvalidInput
            Several values in the rows of one series.
        """
        for label, part in zip(self.names, self.by_series(values), strict=True):
            if not np.array_equal(part, np.broadcast_to(part[:1], part.shape), equal_nan=True):
                raise InvalidInput(
                    f"the rows of {quoted(label)} have several values, and a series has one",
                    path=name,
                )
        return values[[places[0] for places in self.rows]]

    def in_rows(self, parts: Sequence[Array]) -> Array:
        """Return what each series has, step by step or once, in the rows of the frame."""
        whole = [np.broadcast_to(part, (len(rows), *np.shape(part)[1:])) for part, rows in
                 zip(parts, self.rows, strict=True)]  # fmt: skip
        placed = np.empty((len(self), *np.shape(whole[0])[1:]), dtype=np.asarray(whole[0]).dtype)
        placed[np.concatenate(self.rows)] = np.concatenate(whole)
        return placed

    def with_columns(self, columns: Mapping[str, Array], without: Sequence[str] = ()) -> Any:
        """Return a frame of the same kind in which these columns are new or others."""
        kept = [name for name in self.columns if name not in without]
        if hasattr(self.frame, "with_columns"):  # polars
            made = type(self.frame[self.columns[0]])
            new = [made(name, np.ascontiguousarray(array)) for name, array in columns.items()]
            return self.frame.select(kept).with_columns(new)
        return self.frame[kept].assign(**columns)


def quantile_columns(names: Sequence[str]) -> list[str]:
    """Return the columns q10, q50 ... that are quantiles.

    Examples
    --------
    >>> from normalizers.data.long_frames import quantile_columns
    >>> quantile_columns(["id", "q10", "q97.5", "quality"])
    ['q10', 'q97.5']
    """
    return [name for name in names if QUANTILE.match(name)]


def _list(frame: Any, name: str) -> list[Any]:
    column = frame[name]
    return list(column.to_list() if hasattr(column, "to_list") else column.tolist())


def _is_missing(value: object) -> bool:
    # pandas' NA compares as itself, which is no truth value.
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _in_order(rows: Sequence[Array], stamps: Sequence[Any], time: str) -> list[Array]:
    for row, stamp in enumerate(stamps):
        if _is_missing(stamp) or stamp != stamp:
            raise InvalidInput("a row without its time", path=f"{time}[{row}]")
    # Stable: rows of one time stay in the order of the frame.
    return [
        np.array(sorted(places.tolist(), key=stamps.__getitem__), dtype=np.int64) for places in rows
    ]
