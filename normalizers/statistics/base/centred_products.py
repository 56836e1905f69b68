"""Mean and centred products of many rows: one pass of matrix products about a near centre."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import dsyrk

from normalizers.data.arrays import Array
from normalizers.statistics.base.magnitude import rounding_bound
from normalizers.statistics.base.matrices import symmetric

# Values held at once in float64: large enough for matrix products, small beside the data.
BLOCK_VALUES = 2**22
# Rows multiplied at once: enough for their product to outweigh adding it, few enough to stay near.
PRODUCT_ROWS, PRODUCT_VALUES = 2**10, 2**20
# Rows between two corrections of the centre, in blocks.
BLOCKS = 32
# Rows whose mean is the first centre; the sum of so many equal float32 values is exact.
PROBES = 64
# Variances that the squared distance of centre and mean may be: products about 0 in place of the
# mean then lose less than one digit. Beyond the second, they are taken again.
NEAR_ZERO = 4.0
LARGEST_OFFSET = 100.0
# Share of the columns that are centred one by one.
FEW_COLUMNS = 1 / 16
# Squares of values beyond these sizes, and their sums, are near the ends of float64.
SMALLEST_SQUARED, LARGEST_SQUARED = 2.0**-250, 2.0**250


class Products(NamedTuple):
    """Mean, shape (d,), and sum of (x - mean)(x - mean)^T, exactly symmetric, shape (d, d)."""

    mean: Array
    scatter: Array


def span_rows(d: int) -> int:
    """Return how many rows of `d` dims :func:`centred_products` should get at once."""
    return block_rows(d) * BLOCKS


def centred_products(x: Array) -> Products:
    """Return mean and centred products of finite rows.

    Parameters
    ----------
    x : array of shape (n, d)
        Float32 or float64, at least one row, every value within 1e-140..1e140 in size or zero.

    Notes
    -----
    Rows are centred about the mean of a few of them, or not where that is near 0, and multiplied
    with a column of ones beside them, which gives their sum; what the centre is off by is
    subtracted from the products. A column of one value has exactly that mean and no scatter.
    Columns of extreme size are scaled by a power of two. Cost O(n d^2).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.statistics.base.centred_products import centred_products
    >>> centred_products(np.array([[1.0, 7.0], [3.0, 7.0]])).scatter.tolist()
    [[2.0, 0.0], [0.0, 0.0]]
    """
    exponent = _exponents(x)
    if not exponent.any():
        return _of_ordinary(x)
    scaled = _of_ordinary(np.ldexp(x, -exponent))
    products = np.ldexp(scaled.scatter, exponent[:, None] + exponent)
    return Products(np.ldexp(scaled.mean, exponent), products)


def _exponents(x: Array) -> Array:
    """Return by which power of two each column is divided: 0 but for extreme sizes."""
    if x.dtype == np.float32:
        return np.zeros(x.shape[1], dtype=np.int64)
    largest = np.maximum(x.max(axis=0), -x.min(axis=0))
    extreme = (largest > LARGEST_SQUARED) | ((largest < SMALLEST_SQUARED) & (largest > 0))
    return np.where(extreme, np.frexp(largest)[1], 0)


def _of_ordinary(x: Array) -> Products:
    products, far = _about(x, _centre(x))
    if far:
        products, _ = _about(x, products.mean)
    return _with_constants(x, products)


def _centre(x: Array) -> Array:
    """Return the mean of a few rows, and 0 in columns where that is near enough."""
    rows = np.asarray(x[:: max(1, len(x) // PROBES)][:PROBES], dtype=np.float64)
    mean = rows.mean(axis=0)
    return np.where(mean * mean > NEAR_ZERO * rows.var(axis=0), mean, 0.0)


def _about(x: Array, centre: Array) -> tuple[Products, bool]:
    """Return the products about `centre`, corrected, and whether it was too far from the mean."""
    n, d = x.shape
    total = _products_about(x, centre)
    offset = total[d, :d] / n
    # sum (x - c)(x - c)^T - n (mean - c)(mean - c)^T; the last row of the products is n (mean - c).
    scatter = total[:d, :d] - np.outer(offset, total[d, :d])
    variance, noise = np.diagonal(scatter) / n, rounding_bound(1, centre)
    # A centre whose distance is within its own rounding cannot be bettered.
    missed = offset * offset
    far = bool(np.any((missed > LARGEST_OFFSET * variance) & (missed > noise)))
    return Products(centre + offset, symmetric(scatter)), far


def _products_about(x: Array, centre: Array) -> Array:
    """Return the products of (x - centre, 1), shape (d + 1, d + 1)."""
    n, d = x.shape
    rows = min(max(PRODUCT_ROWS, PRODUCT_VALUES // (d + 1)), n)
    block = np.ones((rows, d + 1))
    # BLAS adds a product to the triangle that it holds of those before it: `+=` of whole matrices
    # would take a third of the time again. It counts by columns.
    total = np.zeros((d + 1, d + 1), order="F")
    for start in range(0, n, rows):
        taken = block[: min(rows, n - start)]
        _subtract(x[start : start + rows], centre, taken[:, :d])
        total = dsyrk(1.0, taken.T, beta=1.0, c=total, overwrite_c=1, lower=1)
    # Of a lower triangle by columns, the transpose is the upper one by rows.
    return np.asarray(np.tril(total) + np.tril(total, -1).T)


def _subtract(x: Array, centre: Array, out: Array) -> None:
    """Put x - centre into `out`; widening alone is several times faster than subtracting."""
    columns = np.flatnonzero(centre)
    if len(columns) > FEW_COLUMNS * len(centre):
        np.subtract(x, centre, out=out)
        return
    out[...] = x
    if len(columns):
        out[:, columns] -= centre[columns]


def _with_constants(x: Array, products: Products) -> Products:
    """Return the products with what rounding left of columns of one value taken away."""
    mean, scatter = products
    suspects = np.flatnonzero(np.diagonal(scatter) <= rounding_bound(len(x), mean))
    columns = x[:, suspects]
    constant = suspects[columns.min(axis=0) == columns.max(axis=0)] if len(suspects) else suspects
    mean[constant] = x[0, constant]
    scatter[constant] = 0.0
    scatter[:, constant] = 0.0
    return products


def block_rows(d: int) -> int:
    """Return how many rows of `d` dims are looked at with temporaries of their size."""
    return max(1, BLOCK_VALUES // (d + 1))
