"""Measures of alignment: what groups add to equal quality, and whom averages put first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.measures.measure import Measure
from normalizers.measures.rated import Rated

# Qualities of more kinds are taken together, as many rows in each part.
MOST_LEVELS = 20
BINS = 10
MOST_SHOWN = 100


class Levels(NamedTuple):
    """Mean scores by group and level of quality, in some unit: only their ratios are told.

    Parameters
    ----------
    qualities : array of shape (l,)
        Mean quality of each level, ascending.
    means : array of shape (g, l)
        NaN where a group has no row of a level.
    """

    qualities: Array
    means: Array

    @property
    def gain(self) -> float:
        """Score that one unit of quality is worth: the mean over the groups, from end to end."""
        gains = []
        for row in self.means:
            known = np.flatnonzero(~np.isnan(row))
            if len(known) > 1:
                low, high = known[0], known[-1]
                width = self.qualities[high] - self.qualities[low]
                gains.append(abs(row[high] - row[low]) / width)
        return float(np.mean(gains)) if gains else np.nan

    @property
    def ranges(self) -> Array:
        """How far groups of one quality are apart, in units of quality; NaN with fewer than two."""
        known = ~np.isnan(self.means)
        shared = known.sum(axis=0) > 1
        high = np.max(self.means, axis=0, initial=-np.inf, where=known)
        low = np.min(self.means, axis=0, initial=np.inf, where=known)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(shared, (high - low) / self.gain, np.nan)

    @property
    def bias(self) -> Array:
        """By how much scores of each group flatter it, in units of quality, shape (g,)."""
        known = ~np.isnan(self.means)
        shared = known.sum(axis=0) > 1
        total = np.where(known, self.means, 0.0).sum(axis=0)
        centre = np.where(shared, total / np.maximum(known.sum(axis=0), 1), np.nan)
        apart = np.where(known & shared, self.means - centre, 0.0)
        count = (known & shared).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(count > 0, apart.sum(axis=1) / count / self.gain, np.nan)


def levels_of(rated: Rated) -> Levels:
    """Return the mean scores of groups at their levels of quality."""
    if rated.groups is None:
        raise InvalidParams("group_bias needs the group of every row: send groups")
    distinct, level = np.unique(rated.qualities, return_inverse=True)
    if len(distinct) > MOST_LEVELS:
        ends = np.quantile(rated.qualities, np.arange(1, BINS) / BINS)
        level = np.searchsorted(ends, rated.qualities, side="right")
    size = int(level.max(initial=-1)) + 1
    weight = np.bincount(level, rated.weights, minlength=size)
    filled = np.maximum(weight, np.finfo(np.float64).tiny)
    qualities = np.bincount(level, rated.weights * rated.qualities, minlength=size) / filled
    cell = rated.groups * size + level
    cells = len(rated.keys) * size
    counted = np.bincount(cell, rated.weights, minlength=cells)
    # About a common level, so that large scores do not take the digits of small differences.
    scores = _scaled(rated.scores)
    middle = float(np.median(scores)) if rated.rows else 0.0
    sums = np.bincount(cell, rated.weights * (scores - middle), minlength=cells)
    known = counted > 0
    means = np.where(known, sums / np.where(known, counted, 1.0), np.nan)
    seen = weight > 0
    return Levels(qualities[seen], means.reshape(len(rated.keys), size)[:, seen])


def _scaled(values: Array) -> Array:
    """Return values in units of a power of two, which is exact: no sum of them overflows."""
    return np.ldexp(values, -int(np.frexp(np.abs(values).max(initial=0.0))[1]))


def group_bias(rated: Rated) -> float:
    """Return how far groups of equal quality are apart at worst, in units of quality.

    The largest range of the mean scores of the groups at one level of quality, divided by the score
    that one unit of quality is worth.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.alignment import group_bias
    >>> from normalizers.measures.rated import Rated
    >>> scores, qualities = np.array([1.0, 2.0, 4.0, 5.0]), np.array([1.0, 2.0, 1.0, 2.0])
    >>> group_bias(Rated.of(scores, qualities, np.array(["de", "de", "ja", "ja"], dtype=object)))
    3.0
    """
    ranges = levels_of(rated).ranges
    known = ranges[~np.isnan(ranges)]
    return float(known.max()) if len(known) else np.nan


def _bias_details(rated: Rated) -> Mapping[str, object]:
    levels = levels_of(rated)
    sizes = np.bincount(np.asarray(rated.groups), minlength=len(rated.keys))
    return {
        "groups": list(rated.keys),
        "n": sizes,
        "bias": levels.bias,
        "levels": levels.qualities,
        "ranges": levels.ranges,
    }


@dataclass(frozen=True, eq=False)
class SystemAverages:
    """Scores and qualities of systems by group, averaged over the groups that each has.

    Parameters
    ----------
    names, groups : tuple of str
        What the systems, s of them, and the groups, g, are called.
    scores, qualities : arrays of shape (s, g)
        Means, NaN where a system lacks a group.
    weights : array of shape (g,)
        How often each group counts.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    scores: Array
    qualities: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def rows(self) -> int:
        """Number of cells."""
        return int(self.scores.size)

    def weighted(self, units: Array) -> Self:
        """Return the averages with other weights of the groups."""
        return replace(self, weights=units.astype(np.float64))

    @property
    def covered(self) -> Array:
        """Which groups each system has, shape (s, g)."""
        return ~(np.isnan(self.scores) | np.isnan(self.qualities))

    def means(self, table: Array) -> Array:
        """Return the mean of each system over its groups, NaN where it has none."""
        weight = self.covered * self.weights
        total = weight.sum(axis=1)
        # Shares of the weight before the sum: sums of large scores may overflow.
        share = weight / np.where(total > 0, total, 1.0)[:, None]
        means = (np.where(self.covered, table, 0.0) * share).sum(axis=1)
        return np.where(total > 0, means, np.nan)


def system_pair_accuracy(systems: SystemAverages) -> float:
    """Return the share of pairs of systems that averages of scores order as averages of quality.

    A tie of the scores is wrong; pairs of equal quality do not count. NaN where there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.alignment import SystemAverages, system_pair_accuracy
    >>> scores, qualities = np.array([[2.0], [1.0], [3.0]]), np.array([[3.0], [1.0], [2.0]])
    >>> names = ("A", "B", "C")
    >>> one = SystemAverages(names, ("de",), scores, qualities, np.ones(1))
    >>> round(system_pair_accuracy(one), 4)
    0.6667
    """
    scores, qualities = systems.means(systems.scores), systems.means(systems.qualities)
    first, second = np.triu_indices(len(scores), 1)
    told = _order(qualities[first], qualities[second])
    said = _order(scores[first], scores[second])
    counted = ~np.isnan(told) & ~np.isnan(said) & (told != 0)
    return float(np.mean(told[counted] == said[counted])) if counted.any() else np.nan


def _order(one: Array, other: Array) -> Array:
    """Return the sign of each difference, which may itself be beyond the largest float."""
    unknown = np.isnan(one) | np.isnan(other)
    return np.where(unknown, np.nan, (one > other).astype(np.float64) - (one < other))


def _system_details(systems: SystemAverages) -> Mapping[str, object]:
    scores, qualities = systems.means(systems.scores), systems.means(systems.qualities)
    covered = systems.covered
    best = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
    first, second = np.triu_indices(len(scores), 1)
    told, said = (_order(one[first], one[second]) for one in (qualities, scores))
    wrong = np.flatnonzero(told * said < 0)
    pairs = [[systems.names[first[at]], systems.names[second[at]]] for at in wrong.tolist()]
    return {
        "systems": [systems.names[at] for at in best.tolist()],
        "scores": scores[best],
        "qualities": qualities[best],
        "coverage": covered.sum(axis=1)[best],
        "groups": list(systems.groups),
        "same_groups": bool((covered == covered[:1]).all()),
        "flips": len(pairs),
        "flipped": pairs[:MOST_SHOWN],
    }


MEASURES = (
    Measure(
        "group_bias",
        needs="qualities",
        function=group_bias,
        help="how far groups of equal quality are apart, in units of quality",
        undefined="no two groups share a level of quality, or scores do not change with it",
        higher_is_better=False,
        details=_bias_details,
    ),
    Measure(
        "system_pair_accuracy",
        needs="system_averages",
        function=system_pair_accuracy,
        help="share of pairs of systems that averages over groups order as averages of quality do",
        undefined="no two systems have averages of different quality",
        details=_system_details,
    ),
)
