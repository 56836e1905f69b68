"""Distinct values and their counts, column after column: merged, and checked when posted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import ShapeError
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members

MEMBERS = ("n", "offsets", "values", "counts", "rank_error")


class ValueCounts(NamedTuple):
    """The distinct values of columns, how often each occurs, and by how much a rank is off."""

    values: Ragged
    counts: Ragged
    rank_error: Array


def read_tallies(members: Members, path: str) -> ValueCounts:
    """Return the tallies of posted members; without a ``rank_error`` they are exact."""
    posted.refuse_unknown(members, (*MEMBERS, "p", "v"), path)
    offsets = posted.counts(members, "offsets", path, (None,))
    values = posted.floats(members, "values", path, (None,)) + 0.0
    counts = posted.counts(members, "counts", path, (len(values),))
    columns = checked_columns(offsets, values, path)
    observed = posted.column_counts(members, "n", path, len(columns))
    errors = np.zeros(len(columns))
    if "rank_error" in members:
        errors = posted.columns(members, "rank_error", path, len(columns))
    tallies = ValueCounts(columns, columns.with_values(counts), errors)
    require_possible(observed, tallies.counts, errors, path)
    return tallies


def tallied(values: Array, counts: Array) -> tuple[Array, Array]:
    """Return the distinct `values`, ascending, and the counts of equal ones added."""
    # Whole counts add up exactly: the order of equal values changes nothing.
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    if not len(values):
        return values, counts
    rises = ascending[1:] != ascending[:-1]
    if rises.all():
        return ascending, counts[order]
    starts = np.flatnonzero(np.concatenate(([True], rises)))
    return ascending[starts], np.add.reduceat(counts[order], starts)


def checked_columns(offsets: Array, values: Array, path: str) -> Ragged:
    """Return posted columns whose values ascend."""
    place = f"{path}.offsets"
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(values):
        raise ShapeError("the offsets do not run from 0 to the number of values", path=place)
    posted.refuse_where(np.diff(offsets) < 0, "the offsets descend", place)
    columns = Ragged(values, offsets)
    same_column = np.diff(columns.part_of_each()) == 0
    ascending = values[1:] > values[:-1]
    posted.refuse_where(
        same_column & ~ascending, "the values of a column do not ascend", f"{path}.values"
    )
    return columns


def require_possible(observed: Array, counts: Ragged, errors: Array, path: str) -> None:
    """Refuse counts that are not those of `observed` values, and errors that no rank has."""
    posted.refuse_where(counts.values < 1, "a count is below 1", f"{path}.counts")
    totals = np.array([part.sum() for part in counts], dtype=np.int64)
    posted.refuse_where(totals != observed, "n is not the sum of the counts", f"{path}.n")
    place = f"{path}.rank_error"
    posted.refuse_where(errors < 0, "a rank error is negative", place)
    posted.refuse_where(errors > observed, "a rank error is larger than n", place)
