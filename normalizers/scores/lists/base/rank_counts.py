"""Where a score stands in a sample: how many values are below it, and how many not above it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import FitError
from normalizers.kernels import ecdf, segments


@dataclass(frozen=True)
class RankCounts:
    """Counts around each score; a missing score has none, its `n` is 0.

    Parameters
    ----------
    below, not_above : int64 array of shape (N,)
        Values of the sample under the score, and up to it.
    n : int64 array of shape (N,)
        Size of the sample the score is compared with.
    """

    below: Array
    not_above: Array
    n: Array

    def share(self, kind: ecdf.Kind) -> Array:
        """Return the share of the sample below each score, NaN where there is no sample."""
        # 0 / 0 of an empty list is answered below, without a warning.
        share = ecdf.share_of(self.below, self.not_above, np.maximum(self.n, 1), kind)
        return np.where(self.n > 0, share, np.nan)


def rank_counts_within(scores: Ragged) -> RankCounts:
    """Return where each score stands in its own list; missing scores are left out."""
    observed = ~np.isnan(scores.values)
    kept = segments.compress(scores, observed)
    below, not_above = _within(kept)
    n = segments.broadcast(kept.lengths, kept)
    return RankCounts(*(_back(part, observed) for part in (below, not_above, n)))


@dataclass(frozen=True)
class Sample:
    """A stored sample: distinct values, ascending, and their counts.

    Parameters
    ----------
    values : array of shape (k,)
    counts : int64 array of shape (k,)
    rank_error : float
        By how much a count below a value may be off, 0 while the sample is exact.
    """

    values: Array
    counts: Array
    rank_error: float = 0.0

    @cached_property
    def cumulative(self) -> Array:
        """How many values come before each distinct one, and the size of the sample."""
        return ecdf.cumulated(self.counts)

    @property
    def n(self) -> int:
        """Size of the sample."""
        return int(self.cumulative[-1])

    def mirrored(self) -> Sample:
        """Return the sample of the negated values."""
        return Sample(-self.values[::-1], self.counts[::-1], self.rank_error)

    def normalize_in_pool(self, x: Array) -> RankCounts:
        """Return where each `x` stands in the sample."""
        below, not_above = ecdf.rank_counts(self.values, self.cumulative, x)
        # A missing score stands in no sample.
        return RankCounts(below, not_above, np.where(np.isnan(x), 0, self.n))

    def share(self, x: Array, kind: ecdf.Kind) -> Array:
        """Return the share of the sample below each `x`."""
        return ecdf.shares(*ecdf.rank_counts(self.values, self.cumulative, x), self.n, x, kind)

    def score(self, share: Array, kind: ecdf.Kind) -> Array:
        """Return the score at each share, linear between the shares of the sample's values."""
        return ecdf.curve_quantile(self.share(self.values, kind), self.values, share)


@dataclass(frozen=True)
class StoredCurve:
    """A stored sample known by some of its quantiles.

    Parameters
    ----------
    probabilities, values : array of shape (k,)
    n : int
        Size of the sample, 0 where it is not known.
    """

    probabilities: Array
    values: Array
    n: int

    def mirrored(self) -> StoredCurve:
        """Return the curve of the negated values."""
        # P(-S <= -v) = 1 - P(S < v): the jump's ends change places with the order.
        return StoredCurve(1 - self.probabilities[::-1], -self.values[::-1], self.n)

    def share(self, x: Array, kind: ecdf.Kind) -> Array:
        """Return the share of the sample below each `x`."""
        return ecdf.curve_share(self.probabilities, self.values, x, kind, self.n or None)

    def score(self, share: Array, kind: ecdf.Kind) -> Array:
        """Return the score at each share, linear between the stored quantiles."""
        return ecdf.curve_quantile(self.probabilities, self.values, share)


def require_size(sample: Sample | StoredCurve, what: str) -> int:
    """Return the size of a sample, or refuse stored quantiles without it."""
    if not sample.n:
        raise FitError(f"{what} needs the size of the sample: post 'n' with the stored quantiles")
    return sample.n


def _within(lists: Ragged) -> tuple[Array, Array]:
    """Return below and not-above counts of complete lists; equal scores get equal counts."""
    part = lists.part_of_each()
    order = np.lexsort((lists.values, part))
    ascending, parts = lists.values[order], part[order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (np.diff(parts) > 0) | (ascending[1:] != ascending[:-1])
    # The number of each score's run of equal ones: below is where its run begins in the list, not
    # above where the next one begins.
    run = np.cumsum(begins) - 1
    firsts = np.flatnonzero(begins)
    afters = np.append(firsts[1:], len(order))
    start = lists.offsets[:-1][parts]
    below, not_above = np.empty_like(part), np.empty_like(part)
    below[order], not_above[order] = firsts[run] - start, afters[run] - start
    return below, not_above


def _back(kept: Array, observed: Array) -> Array:
    """Return the values of kept scores in the places of all scores, 0 elsewhere."""
    filled = np.zeros(len(observed), dtype=np.int64)
    filled[observed] = kept
    return filled
