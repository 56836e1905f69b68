"""Percentile ranks of whole numbers made continuous, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array

# A rank this many units in the last place above a cumulative share is that share: both are
# quotients of whole numbers, each rounded once.
ROUNDING = 8 * float(np.finfo(np.float64).eps)


class GridCounts(NamedTuple):
    """How often each whole number of a grid occurs.

    Parameters
    ----------
    lower : int
        The first number of the grid.
    counts : int64 array of shape (k,)
        How often it and its followers occur; 0 among them.
    """

    lower: int
    counts: Array

    @property
    def before(self) -> Array:
        """How many are below each number of the grid, and the size at the end, shape (k + 1,)."""
        return np.concatenate(([0], np.cumsum(self.counts)))


def percentile_ranks(grid: GridCounts, x: Array) -> Array:
    """Return the continuous percentile rank of each `x`, 0..1; NaN is missing.

    P(x) = F(x* - 1) + (x - (x* - 1/2)) f(x*), with x* = floor(x + 1/2): the counts of a whole
    number lie evenly between half a unit below and above it.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.equipercentile import GridCounts, percentile_ranks
    >>> percentile_ranks(GridCounts(0, np.array([2, 6])), np.array([0.0, 0.5, 1.0])).tolist()
    [0.125, 0.25, 0.625]
    """
    before = grid.before
    # Beyond the ends of the grid every rank is 0 or 1.
    held = np.clip(np.nan_to_num(x), grid.lower - 0.5, grid.lower + len(grid.counts) - 0.5)
    cell = np.clip(np.floor(held + 0.5).astype(np.int64) - grid.lower, 0, len(grid.counts) - 1)
    within = held - (cell + grid.lower - 0.5)
    ranks = (before[cell] + within * grid.counts[cell]) / before[-1]
    return np.where(np.isnan(x), np.nan, ranks)


def scores_of_ranks(grid: GridCounts, ranks: Array) -> Array:
    """Return the score of each percentile rank: the inverse of `percentile_ranks`.

    With K the smallest number of the grid whose cumulative share reaches the rank,
    y = K - 1/2 + (P - G(K - 1)) / g(K); where g(K) = 0, y = K.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.equipercentile import GridCounts, scores_of_ranks
    >>> scores_of_ranks(GridCounts(0, np.array([2, 6])), np.array([0.125, 0.25, 0.625])).tolist()
    [0.0, 0.5, 1.0]
    """
    before = grid.before
    known = np.nan_to_num(ranks)
    reached = before[1:] / before[-1]
    cell = np.searchsorted(reached, known * (1 - ROUNDING), side="left")
    cell = np.minimum(cell, len(grid.counts) - 1)
    at = grid.counts[cell]
    above = known * before[-1] - before[cell]
    # A rank within rounding of the cumulative share lies at the end of the cell, not beyond it.
    share = np.clip(above / np.maximum(at, 1), 0.0, 1.0)
    scores = cell + grid.lower + np.where(at > 0, share - 0.5, 0.0)
    return np.where(np.isnan(ranks), np.nan, scores)
