"""Measures of agreement on many resamples at once: products with sums of units or pairs."""

from __future__ import annotations

from functools import partial

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.agreement import Pairs, Ties, Variant, centred, require_groups, tau
from normalizers.measures.rated import Rated

# Up to so many rows a matrix of all pairs is made: 32 MB each.
MOST_ROWS = 2048


def signs(values: Array, tie_epsilon: float = 0.0) -> Array:
    """Return -1, 0 or 1 for each pair of values, 0 for a tie; shape (n, n)."""
    with np.errstate(over="ignore"):
        differences = values[:, None] - values[None, :]
    return np.where(np.abs(differences) <= tie_epsilon, 0.0, np.sign(differences))


def pair_sums(rated: Rated, pairs: Array, counts: Array) -> Array:
    """Return the sum over pairs of rows in each resample, shape (b,).

    Parameters
    ----------
    rated : Rated
        The rows.
    pairs : array of shape (n, n)
        What each pair of rows adds; symmetric, and 0 for a row and itself.
    counts : array of shape (b, units)
        How often each unit was drawn.
    """
    by_unit = np.zeros((len(rated), rated.rows))
    np.add.at(by_unit, rated.units, pairs)
    folded = np.zeros((len(rated), len(rated)))
    np.add.at(folded, rated.units, by_unit.T)
    return np.asarray(((counts @ folded) * counts).sum(axis=1) / 2)


def pearson_resamples(rated: Rated, counts: Array) -> Array | None:
    """Return the correlation on every resample from six sums of each unit."""
    if rated.constant:
        return np.full(len(counts), np.nan)
    x, y = (centred(one, rated.weights) for one in (rated.scores, rated.qualities))
    columns = (np.ones(rated.rows), x, y, x * x, y * y, x * y)
    sums = np.stack([np.bincount(rated.units, one, len(rated)) for one in columns], axis=1)
    n, sx, sy, sxx, syy, sxy = (counts @ sums).T
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vy = sxx - sx * sx / n, syy - sy * sy / n
        values = np.clip((sxy - sx * sy / n) / np.sqrt(vx * vy), -1.0, 1.0)
    # A resample of equal values has no spread but what the sums were rounded by.
    rounding = 16 * np.finfo(np.float64).eps
    return np.where((vx > rounding * sxx) & (vy > rounding * syy), values, np.nan)


def kendall_resamples(
    rated: Rated, counts: Array, variant: Variant = "b", tie_epsilon: float = 0.0
) -> Array | None:
    """Return tau on every resample from sums over pairs, or None where it takes more."""
    # The number of distinct values, which tau-c needs, is no sum over pairs.
    if rated.rows > MOST_ROWS or variant == "c":
        return None
    x, y = signs(rated.qualities), signs(rated.scores, tie_epsilon)
    add = partial(pair_sums, rated, counts=counts)
    agreement, decided, apart_x, apart_y, apart = (
        add(pairs) for pairs in (x * y, np.abs(x * y), x * x, y * y, signs(rated.scores) ** 2)
    )
    drawn = counts @ np.bincount(rated.units, minlength=len(rated))
    total = drawn * (drawn - 1) / 2
    found = tau(
        variant,
        total,
        right=(decided + agreement) / 2,
        wrong=(decided - agreement) / 2,
        tied_qualities=apart_y - decided,
        tied_scores=apart_x - decided,
        tied_both=total - apart_x - apart_y + decided,
    )
    return np.where((apart_x > 0) & (apart > 0), found, np.nan)


def pair_accuracy_resamples(
    rated: Rated, counts: Array, ties: Ties = "half", pairs: Pairs = "cross_group"
) -> Array | None:
    """Return the share on every resample from sums over pairs, or None for too many rows."""
    if rated.rows > MOST_ROWS:
        return None
    x, y = signs(rated.qualities), signs(rated.scores)
    counted = np.abs(x)
    if pairs != "all":
        groups = require_groups(rated, pairs)
        same = groups[:, None] == groups[None, :]
        counted = counted * (same if pairs == "within_group" else ~same)
    right = counted * ((x * y > 0) + (0.5 if ties == "half" else 0.0) * (y == 0))
    above, below = (pair_sums(rated, one, counts) for one in (right, counted))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below > 0, above / below, np.nan)
