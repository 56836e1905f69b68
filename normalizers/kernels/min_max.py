"""Min-max: an interval mapped onto another, exact at its ends."""

from __future__ import annotations

import math

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.lines import between, share_between

UNIT = (0.0, 1.0)


def rescale(
    x: Array, lower: Array | float, upper: Array | float, range: tuple[float, float] = UNIT
) -> Array:
    """Return ``a + (b - a)(x - lower) / (upper - lower)`` for the range ``(a, b)``.

    Parameters
    ----------
    x : array of any shape
        NaN stays NaN; beyond the ends the line goes on.
    lower, upper : array, broadcast to `x`
        What becomes `a` and `b`, exactly; `lower` may be the larger one. Where they are equal
        the width counts as 1, so that the constant itself gives `a`.
    range : tuple of two floats
        The ends ``a < b``.

    Returns
    -------
    array of the shape of `x`

    Notes
    -----
    Values within the ends never leave the range, and no difference overflows.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.min_max import rescale
    >>> rescale(np.array([-1e308, 0.0, 1e308]), -1e308, 1e308, (1.0, 3.0)).tolist()
    [1.0, 2.0, 3.0]
    """
    first, last = range
    share = share_between(x, lower, upper)
    if (first, last) == UNIT:
        # The line is the share, and 0 added to it: -0 becomes 0.
        return np.asarray(share + 0.0)
    line = first + (last - first) * share
    # Rounding may put a + (b - a) share an ulp outside a..b, or beside b at share 1; only what lies
    # outside the ends is to leave the range.
    inside = np.clip(line, first, last)
    return np.where(
        share == 1, last, np.where((share >= 0) & (share <= 1), inside, np.asarray(line))
    )


def unscale(
    y: Array, lower: Array | float, upper: Array | float, range: tuple[float, float] = UNIT
) -> Array:
    """Return the x that :func:`rescale` maps to `y`; `a` and `b` give the ends exactly.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.min_max import unscale
    >>> unscale(np.array([1.0, 2.0, 3.0]), -1e308, 1e308, (1.0, 3.0)).tolist()
    [-1e+308, 0.0, 1e+308]
    """
    first, last = range
    # As `rescale`: where the ends are equal, 1 divides.
    width = np.where(np.equal(lower, upper), 1.0, 0.0)
    return between(np.asarray(lower), upper + width, (y - first) / (last - first))


def scaled_alone(x: Array, *, higher_is_better: bool) -> tuple[Array, float, float] | None:
    """Return one list between its own ends, the end that became 0, and the signed width.

    None for a list that is a case of its own: empty, constant, with a missing value, or wider than
    float64. The values are those of :func:`rescale` bit by bit: few numbers cost what is called.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.min_max import scaled_alone
    >>> values, loc, scale = scaled_alone(np.array([3.0, 1.0, 2.0]), higher_is_better=False)
    >>> values.tolist(), loc, scale
    ([0.0, 1.0, 0.5], 3.0, -2.0)
    """
    if not len(x):
        return None
    lowest, highest = float(np.minimum.reduce(x)), float(np.maximum.reduce(x))
    first, last = (lowest, highest) if higher_is_better else (highest, lowest)
    width = last - first
    # Not only equal ends: with NaN nothing is less.
    if not lowest < highest or math.isinf(width):
        return None
    # Rounding keeps order: |x - first| <= |width| holds of what is rounded, so no share exceeds 1.
    shares = (x - first) / width
    # 0 / -width is -0.
    return shares if higher_is_better else shares + 0.0, first, width


def clamp(values: Array, low: float | None = None, high: float | None = None) -> Array:
    """Return `values` within ``low..high``; None is no end, NaN stays NaN."""
    lifted = values if low is None else np.maximum(values, low)
    return np.asarray(lifted if high is None else np.minimum(lifted, high))
