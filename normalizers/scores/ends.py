"""The two ends that min-max scales between: of the list, of a sample, percentiles, or fixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from normalizers.arrays import Array
from normalizers.kernels import segments
from normalizers.ragged import Ragged

EndMode: TypeAlias = Literal["clip", "extend", "ignore", "apply"]
PERCENT = 100.0


@dataclass(frozen=True)
class Ends:
    """The ends that hold for each score, in input units.

    Parameters
    ----------
    lower, upper : array of shape (N,)
        The ends of each score.
    constant : bool array of shape (q,)
        Lists between whose ends there is no spread.
    """

    lower: Array
    upper: Array
    constant: Array


def observed_ends(scores: Ragged) -> Ends:
    """Return the smallest and largest observed score of each list."""
    observed = ~np.isnan(scores.values)
    return _of_lists(scores, segments.minima(scores, observed), segments.maxima(scores, observed))


def percentile_ends(scores: Ragged, low: float, high: float) -> Ends:
    """Return two percentiles (0..100) of each list, interpolated linearly."""
    pairs = np.array([_percentiles(part, low, high) for part in scores]).reshape(-1, 2)
    return _of_lists(scores, pairs[:, 0], pairs[:, 1])


def stored_ends(scores: Ragged, lower: float, upper: float) -> Ends:
    """Return the same two ends for every score."""
    ends = np.full(len(scores), lower), np.full(len(scores), upper)
    return _of_lists(scores, *ends)


def fixed_ends(
    scores: Ragged, lower: float, upper: float, lower_mode: EndMode, upper_mode: EndMode
) -> Ends:
    """Return fixed ends; ``ignore`` and ``apply`` put the list's own end in their place.

    ``ignore`` always does, ``apply`` for the scores at or beyond the fixed end.
    """
    own = observed_ends(scores)
    low = _replaced(lower, own.lower, lower_mode, scores.values <= lower)
    high = _replaced(upper, own.upper, upper_mode, scores.values >= upper)
    both_own = lower_mode == upper_mode == "ignore"
    return Ends(low, high, own.constant & both_own)


def _replaced(fixed: float, own: Array, mode: EndMode, beyond: Array) -> Array:
    if mode == "ignore":
        return own
    return np.where(beyond, own, fixed) if mode == "apply" else np.full(len(own), fixed)


def _of_lists(scores: Ragged, lower: Array, upper: Array) -> Ends:
    return Ends(segments.spread(lower, scores), segments.spread(upper, scores), lower == upper)


def _percentiles(scores: Array, low: float, high: float) -> Array:
    observed = scores[~np.isnan(scores)]
    if not len(observed):
        return np.array([np.nan, np.nan])
    return np.quantile(observed, np.array([low, high]) / PERCENT)
