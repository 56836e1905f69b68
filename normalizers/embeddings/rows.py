"""Rows of vectors: what a fit leaves out, unit lengths, zero rows, average cosine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from normalizers.arrays import Array
from normalizers.errors import NonFiniteError
from normalizers.kernels.linalg import row_norms, unit_rows

BLOCK_ROWS = 4096
# A difference below this share of the lengths it was taken from is rounding.
ZERO_SHARES = {"float64": 1e-12, "float32": 1e-6}


def fit_rows(x: Array, omit: bool) -> Iterator[Array]:
    """Yield the rows of a fit in float64 blocks, without those that miss a value if `omit`.

    Raises
    ------
    NonFiniteError
        A value is missing and `omit` is False.
    """
    for start in range(0, len(x), BLOCK_ROWS):
        block = np.asarray(x[start : start + BLOCK_ROWS], dtype=np.float64)
        missing = np.isnan(block)
        if missing.any() and not omit:
            row, column = (int(index) for index in np.argwhere(missing)[0])
            path = f"fit.x[{start + row}][{column}]"
            raise NonFiniteError(
                f"a missing value at {path}; nan_policy 'omit' leaves its row out of the fit",
                path=path,
                positions=[(start + row, column)],
            )
        yield block[~missing.any(axis=1)]


def zero_rows(x: Array) -> Array:
    """Return which rows are zero throughout, boolean of shape (n,)."""
    return np.asarray(~np.any(x, axis=1))


def unit_about(y: Array, x: Array, mean: Array) -> Array:
    """Return the rows of `y` at length 1; where `x` is the mean up to rounding they are zero.

    Parameters
    ----------
    y : array of shape (m, k)
        Images of the rows of `x` about the mean.
    x : array of shape (m, d)
        The rows.
    mean : array of shape (d,)
        Float64.
    """
    centre = mean.astype(x.dtype)
    lengths = row_norms(x) + row_norms(centre[None, :])
    at_mean = row_norms(x - centre) < ZERO_SHARES[x.dtype.name] * lengths
    return unit_rows(np.where(at_mean[:, None], np.zeros((), dtype=y.dtype), y))


def average_cosine(x: Array) -> float | None:
    """Return the mean cosine over pairs of distinct rows that miss nothing, None below two.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.rows import average_cosine
    >>> average_cosine(np.array([[2.0, 0.0], [5.0, 0.0], [0.0, 1.0]])).__round__(6)
    0.333333
    """
    total, squares, n = np.zeros(x.shape[1]), 0.0, 0
    for rows in fit_rows(x, omit=True):
        unit = unit_rows(rows)
        total, n = total + unit.sum(axis=0), n + len(unit)
        squares += float(np.count_nonzero(~zero_rows(unit)))
    return None if n < 2 else float((total @ total - squares) / (n * (n - 1)))
