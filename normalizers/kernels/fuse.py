"""Union of the ids of several runs, and sums that do not depend on the order of the runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.kernels.factorize import FactorizedIds
from normalizers.kernels.list_order import sorted_lists

EXACT_TERMS = 2  # one addition of two floats is rounded once, as fsum rounds
UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2


class Union(NamedTuple):
    """The ids of several runs together, query by query.

    Parameters
    ----------
    ids : Ragged
        One list a query: every id once, in code point order. An id in a query is a document.
    hits : Ragged
        One list a document, in order of the runs: which of all hits, counted through the runs,
        are its own.
    runs : int64 array of shape (N,)
        The run of each of these hits.
    """

    ids: Ragged
    hits: Ragged
    runs: Array

    @property
    def documents(self) -> Array:
        """The document of each hit, in the order of `hits`, shape (N,)."""
        return self.hits.part_of_each()


def union(runs: Sequence[FactorizedIds]) -> Union:
    """Return the union of the ids of `runs`, for the same queries each, coded together.

    Notes
    -----
    Cost O(N log n) for N ids in lists of n.

    Examples
    --------
    >>> from normalizers.kernels.factorize import factorize
    >>> from normalizers.kernels.fuse import union
    >>> from normalizers.data.ragged import Ragged
    >>> first, second = [["b", "a"], []], [["c", "b"], ["a"]]
    >>> joined = union(factorize([Ragged.of(first, object), Ragged.of(second, object)]))
    >>> [ids.tolist() for ids in joined.ids], [hits.tolist() for hits in joined.hits]
    ([['a', 'b', 'c'], ['a']], [[1], [0, 3], [2], [4]])
    """
    names = runs[0].names if runs else string_array([])
    codes = _joined([run.codes.values for run in runs])
    if len(runs) and len(runs[0].codes) == 1:
        # Of one query the hits stand together already.
        placed = Ragged(codes, offsets_of([len(codes)]))
        by_document = np.argsort(codes, kind="stable")
    else:
        placed = _by_query([run.codes for run in runs])
        by_document = placed.values[_order_codes(placed.with_values(codes[placed.values]))]
    ordered = codes[by_document]
    first = np.ones(len(ordered) + 1, dtype=bool)
    first[1:-1] = ordered[1:] != ordered[:-1]
    # An id in another query is another document.
    first[placed.offsets] = True
    found = np.flatnonzero(first)
    counted = np.zeros(len(ordered) + 1, dtype=np.int64)
    counted[found] = np.arange(len(found))
    ids = Ragged(names[ordered[found[:-1]]], counted[placed.offsets])
    owners = np.repeat(np.arange(len(runs)), [len(run.codes.values) for run in runs])
    hits = Ragged(by_document, found)
    return Union(ids, hits, owners[by_document])


def fused(contributions: Ragged) -> Array:
    """Return the exactly rounded sum of each list of contributions, shape (u,).

    Equal multisets give equal sums in any order, and ``math.fsum`` of the parts gives the sum
    bit for bit. A list without contributions gives 0.

    Raises
    ------
    InvalidInput
        A sum is not finite; `positions` tell whose.

    Examples
    --------
    >>> from normalizers.kernels.fuse import fused
    >>> from normalizers.data.ragged import Ragged
    >>> fused(Ragged.of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], []])).tolist()
    [0.6, 0.6, 0.0]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        totals = segments.sums(contributions) + 0.0
        several = np.flatnonzero(contributions.lengths > EXACT_TERMS)
        if len(several):
            totals[several] = _exact_sums(contributions, several)
    wrong = np.flatnonzero(~np.isfinite(totals))
    if len(wrong):
        raise InvalidInput(
            "the contributions of a document do not have a finite sum",
            positions=[(int(wrong[0]),)],
        )
    return totals


def _by_query(runs: Sequence[Ragged]) -> Ragged:
    """Return one list a query: which of all hits, counted through the runs, are its own."""
    lengths = np.array([run.lengths for run in runs], dtype=np.int64)
    if not len(runs):
        return Ragged(_joined([]), offsets_of([]))
    offsets = offsets_of(lengths.sum(axis=0))
    starts = offsets[:-1] + np.cumsum(lengths, axis=0) - lengths
    places = [
        np.arange(len(run.values)) + np.repeat(start - run.offsets[:-1], run.lengths)
        for run, start in zip(runs, starts, strict=True)
    ]
    hits = np.empty(offsets[-1], dtype=np.int64)
    hits[_joined(places)] = np.arange(offsets[-1])
    return Ragged(hits, offsets)


def _order_codes(lists: Ragged) -> Array:
    """Return the flat indices that put the codes of every list in order, equal ones as they stand.

    A code and its place are one number: sorting numbers is faster than sorting their places.
    """
    starts = np.repeat(lists.offsets[:-1], lists.lengths)
    bits = int(lists.lengths.max(initial=0)).bit_length()
    keys = (lists.values << bits) | (np.arange(len(lists.values)) - starts)
    places = sorted_lists(lists.with_values(keys)).values & ((1 << bits) - 1)
    return np.asarray(places + starts)


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])


def _exact_sums(lists: Ragged, which: Array) -> Array:
    """Return the exactly rounded sums of some lists, those of one length together."""
    lengths = lists.lengths[which]
    totals = np.empty(len(which))
    for length in np.unique(lengths).tolist():
        chosen = np.flatnonzero(lengths == length)
        places = lists.offsets[which[chosen]][:, None] + np.arange(length)
        totals[chosen] = _row_sums(lists.values[places])
    return totals


def _row_sums(rows: Array) -> Array:
    """Return the exactly rounded sum of each row, which has three numbers or more.

    Each addition leaves its rounding error behind (Knuth's two-sum); the sum plus all errors is
    rounded right unless it lies too near the middle of two floats for the errors' own sum. Only
    those rows are summed one by one.
    """
    total, error, size = rows[:, 0], np.zeros(len(rows)), np.zeros(len(rows))
    for column in rows.T[1:]:
        added = total + column
        part = added - total
        lost = (total - (added - part)) + (column - part)
        total, error, size = added, error + lost, size + np.abs(lost)
    # The k errors are summed within (k - 1) u sum |error| (1 + O(u)), which 2 k u exceeds.
    doubt = size * (rows.shape[1] * 2 * UNIT_ROUNDOFF)
    result = total + error
    certain = (total + (error - doubt) == result) & (total + (error + doubt) == result)
    for index in np.flatnonzero(~(certain & np.isfinite(result))):
        result[index] = _exact_sum(rows[index])
    return np.asarray(result + 0.0)


def _exact_sum(part: Array) -> float:
    try:
        return math.fsum(part) + 0.0
    except (OverflowError, ValueError):
        return math.inf
