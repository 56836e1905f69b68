"""Posted moments and extrema that can, or cannot, be those of one sample of scores."""

from __future__ import annotations

import numpy as np

from normalizers.errors import InvalidInput, ShapeError
from normalizers.statistics import Extrema, Moments
from normalizers.statistics.base.magnitude import rounding_bound
from normalizers.statistics.both_ends import PRINTED, mean_near_an_end, spread_too_small

# The variance of a sample is at most a quarter of its squared range (Popoviciu).
LARGEST_VARIANCE = 1 / 4


def require_same_sample(moments: Moments, extrema: Extrema, path: str) -> None:
    """Refuse moments and a range that contradict each other.

    Parameters
    ----------
    moments : Moments
        Of one column.
    extrema : Extrema
        Of one column.
    path : str
        Where both stand.

    Raises
    ------
    ShapeError
        Other columns.
    InvalidInput
        Another count, a mean that the range does not allow, or a spread larger or smaller than it.
    """
    if moments.is_empty or extrema.is_empty:
        return
    if moments.mean.shape != extrema.min.shape:
        raise ShapeError("moments and extrema have other columns", path=f"{path}.extrema")
    both = moments.mergeable and extrema.mergeable
    if both and (moments.observed != extrema.observed).any():
        raise InvalidInput("'n' is another in moments", path=f"{path}.extrema.n")
    # Ends and mean may each have been printed with fewer digits.
    slack = PRINTED * np.maximum(np.abs(extrema.min), np.abs(extrema.max))
    low, high = extrema.min - slack, extrema.max + slack
    if ((moments.mean < low) | (moments.mean > high)).any():
        raise InvalidInput("the mean lies outside 'min' and 'max'", path=f"{path}.moments.mean")
    with np.errstate(over="ignore"):
        # An infinite bound allows every spread.
        widest = (high - low) ** 2 * LARGEST_VARIANCE * moments.observed
    if (moments.m2 > widest + rounding_bound(moments.observed, moments.mean)).any():
        raise InvalidInput(
            "the spread is larger than 'min' and 'max' allow", path=f"{path}.moments"
        )
    if moments.mergeable:
        _require_both_ends(moments, extrema, path)


def _require_both_ends(moments: Moments, extrema: Extrema, path: str) -> None:
    """Refuse counted moments of a sample that cannot hold both ends of the range."""
    if mean_near_an_end(moments, extrema).any():
        raise InvalidInput(
            "the mean is too near an end: 'min' and 'max' are both of the sample",
            path=f"{path}.moments.mean",
        )
    if spread_too_small(moments, extrema).any():
        raise InvalidInput(
            "'m2' is at least (max - min)^2 / 2, as both ends are of the sample",
            path=f"{path}.moments.m2",
        )
