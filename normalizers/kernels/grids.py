"""Grids of numbers made from integers, so that no point is lost to rounding."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from normalizers.data.arrays import Array


def simplex(steps: int, parts: int) -> Array:
    """Return every tuple of whole parts that add up to `steps`, in ascending order.

    Parameters
    ----------
    steps : int
        What the parts add up to.
    parts : int
        How many there are, at least 1.

    Returns
    -------
    int64 array of shape (t, parts)
        ``t = comb(steps + parts - 1, parts - 1)``: 66 for three parts of ten, 286 for four.

    Examples
    --------
    >>> from normalizers.kernels.grids import simplex
    >>> simplex(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    # Stars and bars: parts - 1 walls among the steps, and the gaps between them are the parts.
    walls = list(combinations(range(steps + parts - 1), parts - 1))
    placed = np.array(walls, dtype=np.int64).reshape(len(walls), parts - 1)
    edges = np.pad(placed, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, steps + parts - 1)))
    return np.asarray(np.diff(edges, axis=1) - 1)


def simplex_size(steps: int, parts: int) -> int:
    """Return how many tuples :func:`simplex` has."""
    return comb(steps + parts - 1, parts - 1)


def parts_of_one(step: float) -> int | None:
    """Return how many steps make 1, None when no whole number of them does.

    Examples
    --------
    >>> from normalizers.kernels.grids import parts_of_one
    >>> parts_of_one(0.1), parts_of_one(0.3)
    (10, None)
    """
    # 1 / parts must be the very float: 0.1 is a tenth, 0.1000001 is not.
    parts = round(1 / step)
    return parts if parts >= 1 and 1 / parts == step else None


def multiples(step: float, first: float, last: float) -> Array | None:
    """Return the multiples of a step within two ends, as exact as whole numbers and shares are.

    None for a step that neither is a whole number nor divides 1.

    Examples
    --------
    >>> from normalizers.kernels.grids import multiples
    >>> multiples(0.25, 0.01, 1.0).tolist(), multiples(30.0, 10.0, 100.0).tolist()
    ([0.25, 0.5, 0.75, 1.0], [30.0, 60.0, 90.0])
    """
    parts = parts_of_one(step)
    if parts is None and step != int(step):
        return None
    unit, shares = (step, 1) if parts is None else (1.0, parts)
    whole = np.arange(int(first * shares / unit), int(last * shares / unit) + 2)
    # k / parts is rounded once; k step would carry the error of the step (3 * 0.1 > 0.3).
    numbers = whole * unit / shares
    return np.asarray(numbers[(numbers >= first) & (numbers <= last)])
