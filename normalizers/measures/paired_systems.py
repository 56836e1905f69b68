"""Pairs of systems: how sure people and scores are that one is better than the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.measure import Measure

# As the published tool draws: one-sided, the same signs for every pair.
DRAWS = 1000
SEED = 0
# Tests of a pair each: seconds of work.
MOST_SYSTEMS = 300


@dataclass(frozen=True, eq=False)
class PairedSystems:
    """One-sided p-values of every pair of systems, by people and by scores.

    Parameters
    ----------
    by_quality, by_score : arrays of shape (pairs,)
        That the first system of the pair is no better than the second.
    weights : array of shape (pairs,)
        How often each pair counts.
    """

    by_quality: Array
    by_score: Array
    weights: Array

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def rows(self) -> int:
        """Number of pairs."""
        return len(self.weights)

    def weighted(self, units: Array) -> Self:
        """Return the pairs with other weights."""
        return replace(self, weights=units.astype(np.float64))


@dataclass(frozen=True, eq=False)
class SegmentTests:
    """The same of tables of segments by systems; the tests are made when a measure asks.

    Parameters
    ----------
    qualities, scores : arrays of shape (k, s)
        Of the segments that all systems have.
    weights : array of shape (pairs,)
        How often each pair counts.
    """

    qualities: Array
    scores: Array
    weights: Array

    @classmethod
    def of(cls, qualities: Array, scores: Array) -> Self:
        """Return pairs that count once each."""
        systems = scores.shape[1]
        return cls(qualities, scores, np.ones(systems * (systems - 1) // 2))

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def rows(self) -> int:
        """Number of pairs."""
        return len(self.weights)

    def weighted(self, units: Array) -> Self:
        """Return the pairs with other weights."""
        return replace(self, weights=units.astype(np.float64))

    @cached_property
    def by_quality(self) -> Array:
        """P-values by people."""
        return _p_values(self.qualities)

    @cached_property
    def by_score(self) -> Array:
        """P-values by scores."""
        return _p_values(self.scores)


def _p_values(table: Array) -> Array:
    """Return the share of draws in which the first of each pair leads by as much as observed.

    The signs of the differences of each segment are drawn at random: if the systems were equal,
    either could have had either score.
    """
    first, second = np.triu_indices(table.shape[1], 1)
    signs = np.random.default_rng(SEED).integers(0, 2, (DRAWS, len(table))) * 2.0 - 1.0
    # Powers of two are exact, and keep all sums within the range of a float64; about a common
    # level, so that large scores do not take the digits of small differences.
    scaled = np.ldexp(table, -int(np.frexp(np.abs(table).max())[1]))
    centred = scaled - scaled.mean()
    drawn, observed = signs @ centred, centred.sum(axis=0)
    return np.array(
        [
            np.mean(drawn[:, one] - drawn[:, other] >= observed[one] - observed[other])
            for one, other in zip(first, second, strict=True)
        ]
    )


def upper_triangle(rows: Sequence[Array]) -> Array | None:
    """Return the pairs of rows of an upper triangle; None where they are none."""
    size = len(rows)
    if not size or [len(row) for row in rows] != list(range(size, 0, -1)):
        return None
    return np.concatenate([np.asarray(row) for row in rows])


def soft_pairwise_accuracy(pairs: PairedSystems | SegmentTests) -> Array:
    """Return how near the two are for each pair, ``1 - |p_quality - p_score|``.

    References
    ----------
    Thompson, Mathur, Deutsch, Khayrallah: Improving statistical significance in human evaluation of
    automatic metrics via soft pairwise accuracy, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.paired_systems import PairedSystems, soft_pairwise_accuracy
    >>> pairs = PairedSystems(np.array([0.0, 0.5]), np.array([0.25, 0.5]), np.ones(2))
    >>> soft_pairwise_accuracy(pairs).tolist()
    [0.75, 1.0]
    """
    return np.asarray(1 - np.abs(pairs.by_quality - pairs.by_score))


MEASURES = (
    Measure(
        "soft_pairwise_accuracy",
        needs="paired_systems",
        function=soft_pairwise_accuracy,
        help="how alike people and scores are in how sure they are of each pair of systems",
        undefined="there are no two systems",
        by_unit=True,
    ),
)
