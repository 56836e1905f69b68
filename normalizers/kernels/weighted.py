"""Moments of weighted rows."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array


def weighted_moments(rows: Array, weights: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Return count, mean, second moment and sums of weights and their squares of each column.

    Parameters
    ----------
    rows : array of shape (n, c)
        NaN is a missing value.
    weights : array of shape (n,)
        Above 0.

    Returns
    -------
    n, mean, m2, sum_w, sum_w2 : arrays of shape (c,)
        The mean of no value is 0.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.weighted import weighted_moments
    >>> n, mean, m2, total, _ = weighted_moments(np.array([[1.0], [4.0]]), np.array([2.0, 1.0]))
    >>> n.tolist(), mean.tolist(), m2.tolist(), total.tolist()
    ([2], [2.0], [6.0], [3.0])
    """
    # In one order in memory, so that sums are in one order too.
    rows = np.ascontiguousarray(rows)
    observed = ~np.isnan(rows)
    w = np.where(observed, weights[:, None], 0.0)
    x = np.where(observed, rows, 0.0)
    total = w.sum(axis=0)
    divisor = np.where(total > 0, total, 1.0)
    # The first value of a column is within its range: deviations from it do not cancel as x would.
    first = x[np.argmax(observed, axis=0), np.arange(x.shape[1])] if len(x) else total * 0.0
    mean = first + (w * (x - first)).sum(axis=0) / divisor
    deviations = x - mean
    # One more step takes away what rounding left of the mean: sum w d is 0 but for that.
    mean = mean + (w * deviations).sum(axis=0) / divisor
    m2 = (w * np.square(x - mean)).sum(axis=0)
    n = observed.sum(axis=0).astype(np.int64)
    return n, np.where(n > 0, mean, 0.0), m2, total, np.square(w).sum(axis=0)
