"""Pairs of rows that two values order alike, counted by sorting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array


class PairCounts(NamedTuple):
    """Weights of the pairs of rows, which add up to `pairs`.

    Parameters
    ----------
    pairs : float
        All of them: W (W - 1) / 2 for a total weight W.
    concordant, discordant : float
        Those that x and y order alike, and the other way round.
    tied_x, tied_y : float
        Those tied in x alone, and in y alone.
    tied_both : float
        Those tied in both.
    """

    pairs: float
    concordant: float
    discordant: float
    tied_x: float
    tied_y: float
    tied_both: float


def pair_counts(x: Array, y: Array, weights: Array, tie_epsilon: float = 0.0) -> PairCounts:
    """Return how x and y order the pairs of rows.

    Parameters
    ----------
    x, y : arrays of shape (n,)
        Finite values.
    weights : array of shape (n,)
        How often each row counts; copies of a row are tied in both.
    tie_epsilon : float
        Differences of y up to this size are ties. Each is compared as float64 has it.

    Notes
    -----
    Counts are exact below 2^53 pairs. Cost O(n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.pairs import pair_counts
    >>> x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> pair_counts(x, y, np.ones(3))[:3]
    (3.0, 2.0, 1.0)
    """
    ranks = np.unique(x, return_inverse=True)[1].reshape(-1)
    heavy = float(weights.sum())
    total = heavy * (heavy - 1) / 2
    alike = np.bincount(ranks, weights)
    tied_in_x = float((alike * (alike - 1)).sum()) / 2
    concordant, apart = _ascending(ranks, y, weights, tie_epsilon)
    discordant, _ = _ascending(ranks, -y, weights, tie_epsilon)
    tied_x = apart - concordant - discordant
    tied_both = tied_in_x - tied_x
    return PairCounts(total, concordant, discordant, tied_x, total - apart - tied_both, tied_both)


def _ascending(ranks: Array, y: Array, weights: Array, epsilon: float) -> tuple[float, float]:
    """Return the weight of pairs with more x and more y, and of those apart in y."""
    values, codes = np.unique(y, return_inverse=True)
    codes = codes.reshape(-1)
    below = _apart_below(values, epsilon)[codes]
    cumulative = np.concatenate(([0.0], np.cumsum(np.bincount(codes, weights))))
    # Each row stands there twice: as one that is counted, by its code, and as one that counts
    # the codes below its own bound. Of equal x those that count come first, and see none of them.
    order = np.lexsort((np.repeat([1, 0], len(y)), np.tile(ranks, 2)))
    zeros = np.zeros(len(y))
    counted = np.concatenate((weights, zeros))[order]
    counting = np.concatenate((zeros, weights))[order]
    concordant = ordered_before(np.concatenate((codes, below))[order], counted, counting)
    return concordant, float(weights @ cumulative[below])


def _apart_below(values: Array, epsilon: float) -> Array:
    """Return for each of ascending values how many are less by more than `epsilon`.

    The difference itself is compared, by bisection: a bound made of the value minus epsilon would
    be rounded on its own, and 0.3 - 0.2 is not 0.1.
    """
    low, high = np.zeros(len(values), dtype=np.int64), np.arange(len(values))
    with np.errstate(over="ignore"):
        while (low < high).any():
            middle = (low + high) // 2
            apart = values - values[middle] > epsilon
            low = np.where((low < high) & apart, middle + 1, low)
            high = np.where((low < high) & ~apart, middle, high)
    return low


def ordered_before(values: Array, counted: Array, counting: Array) -> float:
    """Return the sum of counted[i] counting[j] over i before j with values[i] < values[j].

    Whole numbers from 0 on are sorted by one bit after the other, the highest first: of two
    values the first bit in which they differ says which is less.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.pairs import ordered_before
    >>> ordered_before(np.array([0, 2, 1]), np.ones(3), np.ones(3))
    2.0
    """
    total = 0.0
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        high = (values >> bit) & 1
        node = values >> (bit + 1)
        starts = np.flatnonzero(np.diff(node, prepend=-1))
        lower = np.concatenate(([0.0], np.cumsum(counted * (1 - high))))
        since = lower[:-1] - np.repeat(lower[starts], np.diff(np.append(starts, len(values))))
        total += float((counting * high) @ since)
        order = np.argsort(values >> bit, kind="stable")
        values, counted, counting = values[order], counted[order], counting[order]
    return total
