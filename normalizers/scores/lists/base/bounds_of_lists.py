"""The two ends that min-max scales between: of the list, of a sample, percentiles, or fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, ShapeError
from normalizers.kernels import ecdf, segments
from normalizers.kernels.loc_scale import restore
from normalizers.scores.lists.base.bounds import PERCENT, EndMode


@dataclass(frozen=True)
class Interval:
    """The ends that hold for each score, in input units.

    Parameters
    ----------
    lower, upper : array of shape (N,)
        The ends of each score.
    """

    lower: Array
    upper: Array

    @property
    def degenerate(self) -> Array:
        """Which scores have no room between their ends, shape (N,)."""
        return np.asarray(self.lower >= self.upper)

    def directed(self, higher_is_better: bool) -> tuple[Array, Array]:
        """Return the ends that become 0 and 1."""
        return (self.lower, self.upper) if higher_is_better else (self.upper, self.lower)

    def as_dicts(self, scores: Ragged) -> list[dict[str, object]]:
        """Return by list the ends of each of its scores."""
        pairs = zip(scores.with_values(self.lower), scores.with_values(self.upper), strict=True)
        return [{"lower": low.tolist(), "upper": high.tolist()} for low, high in pairs]


def observed_ends(scores: Ragged) -> Interval:
    """Return the smallest and largest observed score of each list."""
    observed = ~np.isnan(scores.values)
    lowest, highest = segments.minima(scores, observed), segments.maxima(scores, observed)
    return Interval(segments.broadcast(lowest, scores), segments.broadcast(highest, scores))


def percentile_ends(scores: Ragged, low: float, high: float) -> Interval:
    """Return two percentiles (0..100) of each list, interpolated linearly."""
    shares = np.array([low, high]) / PERCENT
    pairs = np.array([_quantiles(part, shares) for part in scores]).reshape(-1, 2)
    return Interval(
        segments.broadcast(pairs[:, 0], scores), segments.broadcast(pairs[:, 1], scores)
    )


def stored_ends(scores: Ragged, lower: float, upper: float) -> Interval:
    """Return the same two ends for every score."""
    return Interval(np.full(len(scores.values), lower), np.full(len(scores.values), upper))


def fixed_ends(
    scores: Ragged,
    lower: float | None,
    upper: float | None,
    lower_mode: EndMode,
    upper_mode: EndMode,
) -> Interval:
    """Return fixed ends; ``ignore`` and ``apply`` put the list's own end in their place.

    ``ignore`` always does, ``apply`` for the scores at or beyond the fixed end.
    """
    own = observed_ends(scores)
    return Interval(
        _replaced(lower, own.lower, lower_mode, lambda low: scores.values <= low),
        _replaced(upper, own.upper, upper_mode, lambda high: scores.values >= high),
    )


def loc_and_scale(first: Ragged, last: Ragged) -> tuple[Array, Array]:
    """Return by list the end that becomes 0 and the signed width, 0 where nothing is observed.

    Raises
    ------
    InvalidInput
        A width beyond the largest float64.
    """
    filled = first.lengths > 0
    starts = first.offsets[:-1][filled]
    loc, scale = np.zeros(len(first)), np.zeros(len(first))
    loc[filled] = np.nan_to_num(first.values[starts])
    with np.errstate(over="ignore"):
        # All scores of a list have its ends: the first one tells them.
        scale[filled] = last.values[starts] - first.values[starts]
    if np.isinf(scale).any():
        raise InvalidInput("a list's scores lie too far apart for a float64", path="input.scores")
    return loc, np.nan_to_num(scale)


def from_loc_and_scale(values: Ragged, loc: Array, scale: Array) -> Array:
    """Return scores from values and the ``loc`` and ``scale`` of their lists."""
    require_one_a_list(values, loc=loc, scale=scale)
    return restore(
        values.values, segments.broadcast(loc, values), segments.broadcast(scale, values)
    )


def require_one_a_list(values: Ragged, **arrays: Array) -> None:
    """Refuse what was sent beside lists and has not one number for each of them."""
    for name, array in arrays.items():
        if len(array) != len(values):
            raise ShapeError(
                f"there are {len(values)} lists, but '{name}' has {len(array)}",
                path=f"input.{name}",
            )


def _replaced(
    fixed: float | None, own: Array, mode: EndMode, beyond: Callable[[float], Array]
) -> Array:
    if fixed is None or mode == "ignore":
        return own
    return np.where(beyond(fixed), own, fixed) if mode == "apply" else np.full(len(own), fixed)


def _quantiles(scores: Array, shares: Array) -> Array:
    observed = scores[~np.isnan(scores)]
    return ecdf.quantile(*np.unique(observed, return_counts=True), shares)
