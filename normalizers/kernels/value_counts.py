"""Spreads of a sample that is its distinct values with their counts."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import ecdf


def mean_absolute_deviation(values: Array, counts: Array) -> tuple[float, float]:
    """Return the mean of a sample and the mean distance to it.

    Parameters
    ----------
    values : array of shape (k,)
        Distinct values.
    counts : int64 array of shape (k,)
        How often each occurs; they add up to more than 0.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.value_counts import mean_absolute_deviation
    >>> mean_absolute_deviation(np.array([0.0, 4.0]), np.array([3, 1]))
    (1.0, 1.5)
    """
    mean = weighted_mean(values, counts)
    return mean, weighted_mean(np.abs(values - mean), counts)


def median_absolute_deviation(values: Array, counts: Array) -> tuple[float, float]:
    """Return the mean of a sample and the median distance to its median.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.value_counts import median_absolute_deviation
    >>> median_absolute_deviation(np.array([1.0, 2.0, 9.0]), np.array([1, 1, 1]))
    (4.0, 1.0)
    """
    half = np.array(0.5)
    distances = np.abs(values - ecdf.quantile(values, counts, half))
    order = np.argsort(distances, kind="stable")
    return weighted_mean(values, counts), float(
        ecdf.quantile(distances[order], counts[order], half)
    )


def lower_median(values: Array, counts: Array) -> float:
    """Return the middle value, of an even number the lower one of the two; `values` ascend.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.value_counts import lower_median
    >>> lower_median(np.array([1.0, 5.0]), np.array([1, 1]))
    1.0
    """
    upto = np.cumsum(counts)
    return float(values[np.searchsorted(upto, (upto[-1] + 1) // 2)])


def weighted_mean(values: Array, counts: Array) -> float:
    """Return the mean of values that occur `counts` times; no sum overflows."""
    # Shares before products: each term is at most the largest value.
    return float(np.sum(values * (counts / np.sum(counts))))
