"""Reductions over ragged lists.

The numbers of one list never depend on its neighbours: each list is reduced on its own by
``ufunc.reduceat``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged, offsets_of

_START = np.zeros(1, dtype=np.intp)


class ListMoments(NamedTuple):
    """Count, mean and centred second moment of each list.

    Parameters
    ----------
    n : int64 array of shape (q,)
        Values of each list.
    mean : array of shape (q,)
        Their mean, 0 for an empty list.
    m2 : array of shape (q,)
        Sum of squared deviations in units of ``2 ** (2 exponent)``; exactly 0 for a constant.
    exponent : integer array of shape (q,)
        The power of two that keeps `m2` within the range of a float64.
    """

    n: Array
    mean: Array
    m2: Array
    exponent: Array

    def std(self, ddof: int = 0) -> Array:
        """Return the standard deviation of each list; NaN where ``n <= ddof``."""
        freedom = np.where(self.n > ddof, self.n - ddof, 1)
        deviation = np.ldexp(np.sqrt(self.m2 / freedom), self.exponent)
        return np.where(self.n > ddof, deviation, np.nan)


def ascending(values: Array, codes: Array, parts: int) -> Ragged:
    """Return values by part, ascending in each: sums of them depend on no order of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.segments import ascending
    >>> [part.tolist() for part in ascending(np.array([3.0, 2.0, 1.0]), np.array([0, 1, 0]), 2)]
    [[1.0, 3.0], [2.0]]
    """
    order = np.lexsort((values, codes))
    return Ragged(values[order], offsets_of(np.bincount(codes, minlength=parts)))


def counts(lists: Ragged, observed: Array | None = None) -> Array:
    """Return the number of (observed) values of each list, int64 of shape (q,)."""
    if observed is None:
        return lists.lengths
    return np.diff(_counted(observed)[lists.offsets])


def compress(lists: Ragged, observed: Array) -> Ragged:
    """Return the lists without the values that are not `observed`, a mask of shape (N,)."""
    return Ragged(lists.values[observed], _counted(observed)[lists.offsets])


def sums(lists: Ragged, observed: Array | None = None) -> Array:
    """Return the sum of each list, 0 where it is empty; shape (q,)."""
    return _reduced(np.add, lists, observed, 0.0)


def minima(lists: Ragged, observed: Array | None = None) -> Array:
    """Return the smallest value of each list, NaN where it is empty; shape (q,)."""
    return _reduced(np.minimum, lists, observed, np.nan)


def maxima(lists: Ragged, observed: Array | None = None) -> Array:
    """Return the largest value of each list, NaN where it is empty; shape (q,)."""
    return _reduced(np.maximum, lists, observed, np.nan)


def constant(lists: Ragged, observed: Array | None = None) -> Array:
    """Return which lists have a maximum equal to their minimum; an empty one has none."""
    kept = _kept(lists, observed)
    return np.asarray(minima(kept) == maxima(kept))


def broadcast(value_per_list: Array, lists: Ragged) -> Array:
    """Return for every value the entry of its list, shape (N, ...)."""
    return np.repeat(value_per_list, np.diff(lists.offsets), axis=0)


def centred_moments(lists: Ragged, observed: Array | None = None) -> ListMoments:
    """Return count, mean and centred second moment of each list in two passes.

    Every list is scaled by a power of two first, so that squares neither overflow nor
    underflow, and the second pass corrects the mean of the first.

    Parameters
    ----------
    lists : Ragged
        Finite values.
    observed : boolean array of shape (N,), optional
        Which values count; by default all.

    Notes
    -----
    A list whose maximum equals its minimum has exactly this mean and ``m2`` 0. Cost O(N).

    Examples
    --------
    >>> from normalizers.kernels.segments import centred_moments
    >>> from normalizers.data.ragged import Ragged
    >>> moments = centred_moments(Ragged.of([[1e300, 3e300], [], [2.0]]))
    >>> moments.mean.tolist(), moments.std().tolist()
    ([2e+300, 0.0, 2.0], [1e+300, nan, 0.0])
    """
    kept = _kept(lists, observed)
    lowest, highest = minima(kept), maxima(kept)
    exponent = _exponents(lowest, highest)
    scaled = np.ldexp(kept.values, -broadcast(exponent, kept))
    divisor = np.maximum(kept.lengths, 1)
    rough_mean = sums(kept.with_values(scaled)) / divisor
    # sum (x - r)^2 - n (mean - r)^2 about the rounded mean r: the first-order effect of its
    # rounding is taken out (Chan, Golub, LeVeque).
    centred = scaled - broadcast(rough_mean, kept)
    correction = sums(kept.with_values(centred)) / divisor
    squares = sums(kept.with_values(centred * centred)) - divisor * correction**2
    # n equal values may have a mean beside them; theirs is the value, with no deviation at all.
    is_constant = lowest == highest
    mean = np.where(is_constant, lowest, np.ldexp(rough_mean + correction, exponent))
    return ListMoments(
        kept.lengths, mean, np.where(is_constant, 0.0, np.maximum(squares, 0.0)), exponent
    )


class MomentsAlone(NamedTuple):
    """Count, mean and centred second moment of one list; as `ListMoments`, in plain numbers."""

    n: int
    mean: float
    m2: float
    exponent: int

    def std(self, ddof: int = 0) -> float:
        """Return the standard deviation; NaN where ``n <= ddof``."""
        if self.n <= ddof:
            return math.nan
        return _scaled(math.sqrt(self.m2 / (self.n - ddof)), self.exponent)


def moments_alone(x: Array) -> MomentsAlone | None:
    """Return the :func:`centred_moments` of one list, bit by bit, in fewer steps.

    None for a list that is a case of its own: empty, constant, with a missing value, or with
    numbers whose differences float64 does not hold.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.segments import moments_alone
    >>> moments = moments_alone(np.array([1.0, 3.0]))
    >>> moments.mean, moments.std()
    (2.0, 1.0)
    """
    if not len(x):
        return None
    lowest, highest = float(np.minimum.reduce(x)), float(np.maximum.reduce(x))
    # Not only equal ends: with NaN nothing is less.
    if not lowest < highest or math.isinf(highest - lowest):
        return None
    n, exponent = len(x), math.frexp(max(abs(lowest), abs(highest)))[1]
    scaled = np.ldexp(x, -exponent)
    rough_mean = _sum(scaled) / n
    centred = scaled - rough_mean
    correction = _sum(centred) / n
    squares = _sum(centred * centred) - n * (correction * correction)
    mean = _scaled(rough_mean + correction, exponent)
    return None if math.isinf(mean) else MomentsAlone(n, mean, max(squares, 0.0), exponent)


def _scaled(number: float, exponent: int) -> float:
    """Return ``number 2 ** exponent``, infinite where it is beyond the largest float."""
    try:
        return math.ldexp(number, exponent)
    except OverflowError:
        return math.inf


def _sum(x: Array) -> float:
    # As lists are summed beside others: `sum` adds in another order.
    return float(np.add.reduceat(x, _START)[0])


def absolute_means(lists: Ragged) -> Array:
    """Return the mean size of the values of each list, 0 where it is empty; shape (q,)."""
    sizes = lists.with_values(np.abs(lists.values))
    smallest, largest = (np.nan_to_num(end(sizes)) for end in (minima, maxima))
    # In units of the largest, no sum overflows.
    exponent = np.frexp(largest)[1]
    scaled = np.ldexp(sizes.values, -broadcast(exponent, lists))
    total = sums(lists.with_values(scaled)) / np.maximum(lists.lengths, 1)
    # n equal sizes may have a mean beside them.
    return np.where(smallest == largest, largest, np.ldexp(total, exponent))


def table_moments(rows: Array, bounds: Array) -> tuple[Array, Array, Array]:
    """Return count, mean and second moment of each column of each part of a table.

    Parameters
    ----------
    rows : array of shape (n, c)
        NaN is a missing value.
    bounds : int64 array of shape (g + 1,)
        Where each part starts, and where the last one ends.

    Returns
    -------
    n, mean, m2 : arrays of shape (g, c)
        The mean of no value is 0; `m2` may overflow.
    """
    columns, parts = rows.shape[1], len(bounds) - 1
    by_column = np.ravel(rows.T)
    lists = Ragged(by_column, offsets_of(np.tile(np.diff(bounds), columns)))
    missing = np.isnan(by_column)
    moments = centred_moments(lists, ~missing if missing.any() else None)
    mean = np.where(moments.n > 0, moments.mean, 0.0)
    m2 = np.ldexp(moments.m2, 2 * moments.exponent)
    n, mean, m2 = (each.reshape(columns, parts).T.copy() for each in (moments.n, mean, m2))
    return n, mean, m2


def _counted(observed: Array) -> Array:
    """Return how many are observed before each place, and of all, shape (N + 1,)."""
    counted = np.zeros(len(observed) + 1, dtype=np.int64)
    np.cumsum(observed, out=counted[1:])
    return counted


def _kept(lists: Ragged, observed: Array | None) -> Ragged:
    return lists if observed is None or observed.all() else compress(lists, observed)


def _reduced(ufunc: np.ufunc, lists: Ragged, observed: Array | None, of_empty: float) -> Array:
    kept = _kept(lists, observed)
    starts = kept.offsets[:-1]
    # `reduceat` answers the next list's first value for an empty one.
    filled = kept.offsets[1:] > starts
    reduced = np.full(len(starts), of_empty)
    if filled.any():
        reduced[filled] = ufunc.reduceat(kept.values, starts[filled])
    return reduced


def _exponents(lowest: Array, highest: Array) -> Array:
    magnitude = np.maximum(np.abs(lowest), np.abs(highest))
    # Powers of two are exact: scaled values keep all their digits and their squares stay in range.
    return np.asarray(np.frexp(np.nan_to_num(magnitude))[1])
