"""What counted moments must be where both ends of a range are of the same rows."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.statistics.base.magnitude import rounding_bound
from normalizers.statistics.extrema import Extrema
from normalizers.statistics.moments import Moments

# Numbers may have been printed with this relative precision.
PRINTED = 1e-6


def mean_near_an_end(moments: Moments, extrema: Extrema) -> Array:
    """Return by column whether the mean is nearer to an end than the other end allows."""
    n = moments.observed
    with np.errstate(over="ignore", invalid="ignore"):
        # The rows hold each end at least once, so their mean keeps a share of the width from both.
        share = (extrema.max - extrema.min) / np.maximum(n, 1)
        slack = _slack(extrema)
        low, high = extrema.min + share - slack, extrema.max - share + slack
    return np.asarray((n > 1) & ((moments.mean < low) | (moments.mean > high)))


def spread_too_small(moments: Moments, extrema: Extrema) -> Array:
    """Return by column whether the squared deviations are less than those of the two ends."""
    with np.errstate(over="ignore", invalid="ignore"):
        width = extrema.max - extrema.min - 2 * _slack(extrema)
        # The two ends alone deviate by this much, wherever the mean lies between them.
        least = np.maximum(width, 0.0) ** 2 / 2 * (1 - PRINTED)
    return np.asarray(moments.m2 + rounding_bound(moments.observed, moments.mean) < least)


def _slack(extrema: Extrema) -> Array:
    # Relative to the larger end: both were printed with the same number of digits.
    return PRINTED * np.maximum(np.abs(extrema.min), np.abs(extrema.max))
