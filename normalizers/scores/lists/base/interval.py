"""The interval that becomes 0..1: of the list, of a sample, of percentiles, or fixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import ecdf, segments
from normalizers.kernels.min_max import rescale, unscale
from normalizers.scores.lists.base.bounds import PERCENT, EndMode

# Scores without spread, and what they give with a scale of 1, to what they give.
OfConstant: TypeAlias = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Interval:
    """The ends that hold for each score, in input units.

    Parameters
    ----------
    lower, upper : array of shape (N,)
        The ends of each score.
    higher_is_better : bool
        Whether the lower end becomes 0; else the upper one does.
    """

    lower: Array
    upper: Array
    higher_is_better: bool

    @classmethod
    def observed(cls, scores: Ragged, higher_is_better: bool) -> Interval:
        """Return the smallest and largest observed score of each list."""
        observed = ~np.isnan(scores.values)
        lowest, highest = segments.minima(scores, observed), segments.maxima(scores, observed)
        return cls._by_list(scores, lowest, highest, higher_is_better)

    @classmethod
    def percentiles(
        cls, scores: Ragged, percentiles: Sequence[float], higher_is_better: bool
    ) -> Interval:
        """Return two percentiles (0..100) of each list, interpolated linearly."""
        shares = np.array(percentiles) / PERCENT
        pairs = np.array([_quantiles(part, shares) for part in scores]).reshape(-1, 2)
        return cls._by_list(scores, pairs[:, 0], pairs[:, 1], higher_is_better)

    @classmethod
    def stored(cls, scores: Ragged, lower: float, upper: float, higher_is_better: bool) -> Interval:
        """Return the same two ends for every score."""
        n = len(scores.values)
        return cls(np.full(n, lower), np.full(n, upper), higher_is_better)

    def fixed(
        self,
        x: Array,
        lower: float | None,
        upper: float | None,
        lower_mode: EndMode,
        upper_mode: EndMode,
    ) -> Interval:
        """Return fixed ends in place of these of a list, but for what their modes leave to it.

        ``ignore`` leaves the end of the list for all scores, ``apply`` for the scores `x` at or
        beyond the fixed end.
        """
        low = _replaced(lower, self.lower, lower_mode, lambda end: x <= end)
        high = _replaced(upper, self.upper, upper_mode, lambda end: x >= end)
        return Interval(low, high, self.higher_is_better)

    @cached_property
    def degenerate(self) -> Array:
        """Which scores have no room between their ends, shape (N,)."""
        return np.asarray(self.lower >= self.upper)

    @property
    def first(self) -> Array:
        """The ends that become 0."""
        return self.lower if self.higher_is_better else self.upper

    @property
    def last(self) -> Array:
        """The ends that become 1."""
        return self.upper if self.higher_is_better else self.lower

    @property
    def below(self) -> float:
        """The value of a score at or below the lower end, where values are clamped."""
        return 0.0 if self.higher_is_better else 1.0

    @classmethod
    def _by_list(
        cls, scores: Ragged, lower: Array, upper: Array, higher_is_better: bool
    ) -> Interval:
        low, high = segments.broadcast(lower, scores), segments.broadcast(upper, scores)
        return cls(low, high, higher_is_better)

    def scale(self, x: Array, of_constant: OfConstant, *, sided: bool = False) -> Array:
        """Return 0..1 between the ends, and what scores give whose ends leave no room.

        Parameters
        ----------
        x : array of shape (N,)
            Scores, NaN where they are missing.
        of_constant : function
            What scores without spread give, from them and from their differences to the end.
        sided : bool
            Whether a score on one side of two ends that meet gets the value of that side: ends
            that are not of the list itself may coincide between its scores.
        """
        values = rescale(x, self.first, self.last)
        flat = self.degenerate & ~np.isnan(x)
        centred = (x[flat] - self.first[flat]) * (1.0 if self.higher_is_better else -1.0)
        values[flat] = of_constant(x[flat], centred)
        if sided:
            values[flat & (x < self.lower)] = self.below
            values[flat & (x > self.upper)] = 1.0 - self.below
        return values

    def unscale(self, y: Array, on_constant: str) -> Array:
        """Return the score of each value."""
        if on_constant == "keep":
            of_constant = y
        else:
            # scale_one answered x - lower; other rules forgot x, and the end itself is the nearest.
            slope = 1.0 if self.higher_is_better else -1.0
            of_constant = self.lower + (slope if on_constant == "scale_one" else 0.0) * y
        return np.where(self.degenerate, of_constant, unscale(y, self.first, self.last))

    def loc_scale(self, scores: Ragged) -> tuple[Array, Array]:
        """Return by list the end that becomes 0 and the signed width, 0 where nothing is observed.

        Raises
        ------
        InvalidInput
            A width beyond the largest float64.
        """
        filled = scores.lengths > 0
        # All scores of a list have its ends: the first one tells them.
        starts = scores.offsets[:-1][filled]
        loc, scale = np.zeros(len(scores)), np.zeros(len(scores))
        loc[filled] = np.nan_to_num(self.first[starts])
        with np.errstate(over="ignore"):
            scale[filled] = self.last[starts] - self.first[starts]
        if np.isinf(scale).any():
            raise InvalidInput(
                "a list's scores lie too far apart for a float64", path="input.scores"
            )
        return loc, np.nan_to_num(scale)

    def as_dicts(self, scores: Ragged) -> list[dict[str, object]]:
        """Return by list the ends of each of its scores."""
        pairs = zip(scores.with_values(self.lower), scores.with_values(self.upper), strict=True)
        return [{"lower": low.tolist(), "upper": high.tolist()} for low, high in pairs]


def _replaced(
    fixed: float | None, own: Array, mode: EndMode, beyond: Callable[[float], Array]
) -> Array:
    if fixed is None or mode == "ignore":
        return own
    return np.where(beyond(fixed), own, fixed) if mode == "apply" else np.full(len(own), fixed)


def _quantiles(scores: Array, shares: Array) -> Array:
    observed = scores[~np.isnan(scores)]
    return ecdf.quantile(*np.unique(observed, return_counts=True), shares)
