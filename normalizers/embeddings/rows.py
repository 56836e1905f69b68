"""Rows of vectors: what a fit leaves out, unit lengths, zero rows, average cosine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from normalizers.arrays import Array
from normalizers.errors import NonFiniteError
from normalizers.kernels.linalg import row_norms, unit_rows
from normalizers.work import require_representable

BLOCK_ROWS = 4096
# A difference below this share of the lengths it was taken from is rounding.
ZERO_SHARES = {"float64": 1e-12, "float32": 1e-6}
MARGIN = 10.0  # twice the length of the mean, and what the product itself rounds
# Squares of norms between these are ordinary float32 numbers.
SMALLEST_NORM, LARGEST_NORM = 1e-15, 1e15


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


def unit_about(y: Array, x: Array, mean: Array, reach: float) -> Array:
    """Scale the rows of `y` to length 1 in place; where `x` is the mean they become zero.

    Parameters
    ----------
    y : array of shape (m, k)
        Images of the rows of `x` about the mean; overwritten.
    x : array of shape (m, d)
        The rows; one is the mean where their difference is rounding.
    mean : array of shape (d,)
        Float64.
    reach : float
        Length of the mean times that of the matrix. A row that is the mean is as long as it, so
        its image is not longer than this times the rounding, and only such images are looked at.

    Raises
    ------
    InvalidInput
        An image that overflowed has no direction.
    """
    require_representable(y)
    with np.errstate(over="ignore", under="ignore"):
        norms = np.sqrt(np.einsum("ij,ij->i", y, y))
    odd = np.flatnonzero(~((norms > SMALLEST_NORM) & (norms < LARGEST_NORM)))
    norms[odd], scaled = row_norms(y[odd]), unit_rows(y[odd])
    share = ZERO_SHARES[x.dtype.name]
    short = np.flatnonzero(norms <= MARGIN * share * reach)
    norms[odd] = 1
    y /= norms[:, None]
    y[odd] = scaled
    if len(short):
        y[short[_at(x[short], mean.astype(x.dtype), share)]] = 0
    return y


def _at(x: Array, mean: Array, share: float) -> Array:
    lengths = row_norms(x) + row_norms(mean[None, :])
    return np.asarray(row_norms(x - mean) < share * lengths)


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
