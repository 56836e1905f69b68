"""Monotone fits: pool adjacent violators, and the line through its knots."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels.ecdf import curve_quantile
from normalizers.kernels.lines import between, share_between

OutOfBounds: TypeAlias = Literal["clip", "linear", "missing", "error"]


def pooled_means(sums: Array, weights: Array) -> Array:
    """Return the non-decreasing means nearest to ``sums / weights`` by weighted squares.

    Parameters
    ----------
    sums, weights : array of shape (m,)
        Weighted sum of the values at each knot, and its weight, above 0.

    Returns
    -------
    array of shape (m,)
        The knots of one pool have exactly one value.

    Notes
    -----
    A knot whose mean is not above that of the pool before it joins that pool, so means are equal
    only inside a pool. Exact sums give the same bits in whatever order they were added.
    Cost O(m).

    References
    ----------
    Ayer, Brunk, Ewing, Reid, Silverman: An empirical distribution function for sampling with
    incomplete information, 1955.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.monotone import pooled_means
    >>> pooled_means(np.array([0.0, 2.0, 1.0]), np.array([1.0, 2.0, 2.0])).tolist()
    [0.0, 0.75, 0.75]
    """
    pools: list[tuple[float, float, int]] = []
    for total, weight in zip(sums.tolist(), weights.tolist(), strict=True):
        size = 1
        while pools and pools[-1][0] / pools[-1][1] >= total / weight:
            earlier_total, earlier_weight, earlier_size = pools.pop()
            total, weight = earlier_total + total, earlier_weight + weight
            size += earlier_size
        pools.append((total, weight, size))
    means = np.array([total / weight for total, weight, _ in pools])
    return np.repeat(means, np.array([size for _, _, size in pools], dtype=np.int64))


def corners(heights: Array) -> Array:
    """Return which knots a line through all of them needs: ends, and those with a step beside."""
    steps = heights[1:] != heights[:-1]
    needed = np.ones(len(heights), dtype=bool)
    needed[1:-1] = steps[:-1] | steps[1:]
    return needed


def piecewise_linear(
    knots: Array, heights: Array, x: Array, out_of_bounds: OutOfBounds = "clip"
) -> Array:
    """Return the height at each `x` of the line through the knots.

    Parameters
    ----------
    knots, heights : array of shape (m,)
        At least one; the knots ascend.
    x : array of any shape
        NaN is missing.
    out_of_bounds : {"clip", "linear", "missing", "error"}
        Beyond the ends: the end's height, the line of the last two knots, or NaN; ``error`` is
        NaN too, for the caller to refuse.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.monotone import piecewise_linear
    >>> knots, heights = np.array([0.0, 2.0]), np.array([0.0, 1.0])
    >>> piecewise_linear(knots, heights, np.array([-1.0, 0.5]), "linear").tolist()
    [-0.5, 0.25]
    """
    within = curve_quantile(knots, heights, x)
    if out_of_bounds == "clip":
        return within
    beyond = (x < knots[0]) | (x > knots[-1])
    if out_of_bounds != "linear":
        return np.where(beyond, np.nan, within)
    return np.where(beyond, _extended(knots, heights, x), within)


def _extended(knots: Array, heights: Array, x: Array) -> Array:
    """Return the lines of the first two and the last two knots, on their sides."""
    if len(knots) == 1:
        return np.full(np.shape(x), heights[0])
    # Counted from the end's own knot, so that the line meets the curve there exactly.
    end = np.where(x < knots[0], 0, len(knots) - 1)
    inner = np.where(x < knots[0], 1, len(knots) - 2)
    with np.errstate(over="ignore"):
        share = share_between(x, knots[end], knots[inner])
    line = between(heights[end], heights[inner], share)
    # A share beyond the largest float of no rise is no rise.
    return np.where(heights[end] == heights[inner], heights[end], line)
