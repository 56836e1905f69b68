"""Linear recurrences of first order, the same bits wherever a series is cut."""

from __future__ import annotations

import numpy as np
from scipy.linalg.blas import dtbsv

from normalizers.data.arrays import Array


def linear_recurrence(factors: Array, added: Array, start: Array) -> Array:
    """Return ``y[t] = factors[t] y[t - 1] + added[t]``, with ``y[-1] = start``.

    Parameters
    ----------
    factors, added : float64 array of shape (s, t)
        Finite; one recurrence a row.
    start : array of shape (s,)
        What stands before the first step.

    Returns
    -------
    array of shape (s, t)

    Notes
    -----
    The recurrence is the forward substitution in a matrix with ones on its diagonal and
    ``-factors`` below it, which BLAS does step by step: what is answered for a step depends on
    no later one, and going on from an answer gives the bits of going through. Cost O(s t).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.recurrences import linear_recurrence
    >>> linear_recurrence(np.full((1, 3), 0.5), np.ones((1, 3)), np.array([4.0])).tolist()
    [[3.0, 2.5, 2.25]]
    """
    series, steps = factors.shape
    if not series or not steps:
        return np.empty((series, steps))
    # The series stand one after the other, each behind its start, which nothing is added to.
    below = np.zeros((series, steps + 1, 2))
    np.negative(factors, out=below[:, :steps, 1])
    known = np.empty((series, steps + 1))
    known[:, 0], known[:, 1:] = start, added
    band = below.reshape(-1, 2).T
    solved = dtbsv(1, band, known.reshape(-1), lower=1, diag=1, overwrite_x=1)
    return np.asarray(solved.reshape(series, steps + 1)[:, 1:])


def shifted(values: Array, start: Array) -> Array:
    """Return what stood one step before, `start` before the first; shape (s, t)."""
    return np.concatenate([start[:, None], values[:, :-1]], axis=1)[:, : values.shape[1]]
