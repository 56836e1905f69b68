"""Mean and variance that move with every row, and what they were before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array


class Moved(NamedTuple):
    """What stood before each row, and what the last one left.

    Parameters
    ----------
    means, variances : array of shape (m, c)
        Before each row.
    mean, variance : array of shape (c,)
        After the last one.
    """

    means: Array
    variances: Array
    mean: Array
    variance: Array


def moved_by_rows(x: Array, mean: Array, variance: Array, weights: Sequence[float]) -> Moved:
    """Return mean and variance before each row of ``x (m, c)``, moved by one after the other.

    With d = x - mean and the weight w of the row, ``mean += w d`` and
    ``variance = (1 - w)(variance + w d^2)``.

    Parameters
    ----------
    x : array of shape (m, c)
        NaN is missing: it moves nothing.
    mean, variance : array of shape (c,)
        Before the first row.
    weights : sequence of m floats
        The weight of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.moving import moved_by_rows
    >>> x = np.array([[1.0], [3.0]])
    >>> moved = moved_by_rows(x, np.zeros(1), np.ones(1), [0.5, 0.5])
    >>> moved.means.tolist(), moved.mean.tolist(), moved.variance.tolist()
    ([[0.0], [0.5]], [1.75], [1.9375])
    """
    means, variances = np.empty(x.shape), np.empty(x.shape)
    known = ~np.isnan(x)
    rows = np.where(known, x, 0.0)
    for step, weight in enumerate(weights):
        means[step], variances[step] = mean, variance
        share = np.where(known[step], weight, 0.0)
        shift = share * (rows[step] - mean)
        # w d^2 as (w d) d: no square of its own may overflow before it is weighted.
        variance = (1 - share) * (variance + shift * (rows[step] - mean))
        mean = mean + shift
    return Moved(means, variances, mean, variance)
