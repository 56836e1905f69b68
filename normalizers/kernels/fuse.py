"""Union of the ids of several runs, and sums that do not depend on the order of the runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from normalizers.arrays import Array, strings
from normalizers.errors import InvalidInput
from normalizers.kernels.segments import sums
from normalizers.ragged import Ragged, offsets_of

EXACT_TERMS = 2  # one addition of two floats is rounded once, as fsum rounds


class Union(NamedTuple):
    """The ids of several runs together.

    Parameters
    ----------
    ids : object array of str, shape (u,)
        Every id once, in code point order.
    positions : list of int64 arrays
        For every run the index in `ids` of each of its ids.
    """

    ids: Array
    positions: list[Array]

    def presence(self) -> Array:
        """Return which run has which id, booleans of shape (runs, u)."""
        present = np.zeros((len(self.positions), len(self.ids)), dtype=bool)
        for run, position in enumerate(self.positions):
            present[run, position] = True
        return present


class Contributions(NamedTuple):
    """What every id gets from the runs.

    Parameters
    ----------
    values : Ragged
        One list an id, in the order of the runs.
    runs : int64 array of shape (N,)
        The run of each value.
    """

    values: Ragged
    runs: Array


def union(runs: Sequence[Array]) -> Union:
    """Return the union of the ids of `runs`, object arrays of str without duplicates.

    Examples
    --------
    >>> from normalizers.arrays import strings
    >>> from normalizers.kernels.fuse import union
    >>> joined = union([strings(["b", "a"]), strings(["c", "b"])])
    >>> joined.ids.tolist(), [position.tolist() for position in joined.positions]
    (['a', 'b', 'c'], [[1, 0], [2, 1]])
    """
    ids = sorted(set().union(*(run.tolist() for run in runs)))
    index = {identifier: position for position, identifier in enumerate(ids)}
    positions = [
        np.fromiter(map(index.__getitem__, run.tolist()), dtype=np.int64, count=len(run))
        for run in runs
    ]
    return Union(strings(ids), positions)


def contributions(positions: Sequence[Array], values: Sequence[Array], ids: int) -> Contributions:
    """Return by id what each run gives it.

    Parameters
    ----------
    positions : sequence of int64 arrays
        For every run the index of each id it contributes to.
    values : sequence of arrays
        For every run the contributions, of the same lengths.
    ids : int
        Number of ids.
    """
    where = np.concatenate([np.empty(0, dtype=np.int64), *positions])
    what = np.concatenate([np.empty(0), *values])
    runs = np.repeat(np.arange(len(positions)), [len(position) for position in positions])
    by_id = np.argsort(where, kind="stable")
    offsets = offsets_of(np.bincount(where, minlength=ids))
    return Contributions(Ragged(what[by_id], offsets), runs[by_id].astype(np.int64))


def fused(contributions: Ragged) -> Array:
    """Return the exactly rounded sum of each list of contributions, shape (u,).

    Equal multisets give equal sums in any order, and ``math.fsum`` of the parts gives the sum
    bit for bit. A list without contributions gives 0.

    Raises
    ------
    InvalidInput
        A sum is not finite.

    Examples
    --------
    >>> from normalizers.kernels.fuse import fused
    >>> from normalizers.ragged import Ragged
    >>> fused(Ragged.of([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], []])).tolist()
    [0.6, 0.6, 0.0]
    """
    with np.errstate(over="ignore"):
        totals = sums(contributions) + 0.0
    for index in np.flatnonzero(contributions.lengths > EXACT_TERMS):
        part = contributions.values[contributions.offsets[index] : contributions.offsets[index + 1]]
        totals[index] = _exact_sum(part)
    if not np.isfinite(totals).all():
        raise InvalidInput("the contributions of a document do not have a finite sum")
    return totals


def _exact_sum(part: Array) -> float:
    try:
        return math.fsum(part) + 0.0
    except (OverflowError, ValueError):
        return math.inf
