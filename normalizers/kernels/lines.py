"""A point on the way from one number to another, and how far it is."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.loc_scale import standardize


def between(left: Array, right: Array, share: Array) -> Array:
    """Return the point at `share` of the way, exact at both ends and without overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        # left + width may miss right by rounding, so each half is counted from its own end; where
        # the width overflows, neither product of the weighted form does.
        width = right - left
        near_left, near_right = left + width * share, right - width * (1 - share)
        weighted = left * (1 - share) + right * share
    point = np.where(share < 1 / 2, near_left, near_right)
    return np.asarray(np.where(np.isfinite(width), point, weighted))


def share_between(x: Array, lower: Array | float, upper: Array | float) -> Array:
    """Return ``(x - lower) / (upper - lower)``, 0 and 1 exactly at the ends.

    Only what would overflow is halved: half of a subnormal number loses its last bit.
    """
    with np.errstate(over="ignore"):
        width = np.asarray(np.subtract(upper, lower))
    wide = np.isinf(width)
    if not wide.any():
        return standardize(x, lower, np.where(width == 0, 1.0, width))
    halves = np.where(wide, 2.0, 1.0)
    narrow = np.where(wide, np.asarray(upper) / 2 - np.asarray(lower) / 2, width)
    return standardize(x / halves, lower / halves, np.where(narrow == 0, 1.0, narrow))
