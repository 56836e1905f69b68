"""A bounded number of weighted values in place of many: a hierarchy of compactors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array

# Both ends and one value between them.
FEWEST = 3


class Compacted(NamedTuple):
    """Values with counts of the same sum, and by how much a rank may be off.

    Parameters
    ----------
    values : array of shape (k,)
        Distinct, ascending.
    counts : int64 array of shape (k,)
        How many values each stands for.
    rank_error : float
        Largest change of the number of values below, or not above, any point.
    """

    values: Array
    counts: Array
    rank_error: float


def compacted(values: Array, counts: Array, limit: int) -> Compacted:
    """Return at most `limit` values (three, if that is less) that stand for all of them.

    Of two neighbours the lighter gives its weight to the heavier: the rank of a point between
    them changes by that weight, every other rank keeps its value, so a compaction of disjoint
    pairs adds at most the heaviest weight that moved. Weights of one magnitude, a power of two,
    are a level; the lowest levels that hold their share of the limit are compacted.

    Parameters
    ----------
    values : array of shape (k,)
        Distinct, ascending.
    counts : int64 array of shape (k,)
        How many values each stands for.
    limit : int
        Most values to keep.

    Notes
    -----
    Both ends are kept. Pairs of equal weight go to the lower and the upper value in turn; nothing
    is random, so the same values give the same result. Cost O(k log(n)).

    References
    ----------
    Manku, Rajagopalan, Lindsay: Approximate medians and other quantiles in one pass and with
    limited memory, SIGMOD 1998.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics.base.compaction import compacted
    >>> kept = compacted(np.arange(6.0), np.ones(6, dtype=np.int64), 4)
    >>> kept.values.tolist(), kept.counts.tolist(), kept.rank_error
    ([0.0, 1.0, 4.0, 5.0], [1, 2, 2, 1], 1.0)
    """
    rank_error = 0.0
    while len(values) > max(limit, FEWEST):
        light = 1 + np.flatnonzero(_is_light(counts[1:-1], limit - 2))
        values, counts, moved = _paired(values, counts, light)
        rank_error += moved
    return Compacted(values, counts, min(rank_error, float(counts.sum())))


def _is_light(counts: Array, limit: int) -> Array:
    """Return which weights belong to the lowest levels that hold their share of the limit."""
    # The binary exponent of a count is its level: weights of one level differ by less than twice.
    level = np.frexp(counts)[1]
    sizes = np.bincount(level)
    share = max(2, limit // int(np.count_nonzero(sizes)))
    return np.asarray(level <= np.argmax(np.cumsum(sizes) >= share))


def _paired(values: Array, counts: Array, light: Array) -> Compacted:
    """Return the values with one of every two neighbours among the `light` ones dropped."""
    lower, upper = light[0 : len(light) - 1 : 2], light[1::2]
    # In turn, so that equal weights do not drift to one side.
    to_upper = np.arange(len(lower)) % 2 == 1
    to_upper = (counts[upper] > counts[lower]) | ((counts[upper] == counts[lower]) & to_upper)
    kept, dropped = np.where(to_upper, [upper, lower], [lower, upper])
    summed = counts.copy()
    summed[kept] += counts[dropped]
    remains = np.ones(len(values), dtype=bool)
    remains[dropped] = False
    return Compacted(values[remains], summed[remains], float(counts[dropped].max()))
