"""Mean and centred products of rows that are checked first, with weights or without."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.statistics.base.centred_products import Products, block_rows, centred_products
from normalizers.statistics.base.magnitude import require_finite_rows, require_storable
from normalizers.statistics.base.matrices import symmetric


def row_products(x: Array, first_row: int) -> Products:
    """Return the products of rows; refuse a value that is missing, or cannot be squared."""
    if x.dtype == np.float32:
        return _of_float32(x, first_row)
    rows = np.asarray(x, dtype=np.float64)
    _require_usable(rows, first_row)
    return centred_products(rows)


def weighted_products(x: Array, weights: Array, first_row: int) -> Products:
    """Return mean and sum of w (x - mean)(x - mean)^T of rows with weights above 0."""
    rows = np.ascontiguousarray(x, dtype=np.float64)
    _require_usable(rows, first_row)
    total = weights.sum()
    # The first row is near enough for the sum not to cancel as that of x would.
    mean = rows[0] + weights @ (rows - rows[0]) / total
    mean = mean + weights @ (rows - mean) / total
    scaled = (rows - mean) * np.sqrt(weights)[:, None]
    return Products(mean, symmetric(scaled.T @ scaled))


def _require_usable(rows: Array, first_row: int) -> None:
    rows_at_once = block_rows(rows.shape[1])
    for start in range(0, len(rows), rows_at_once):
        require_finite_rows(rows[start : start + rows_at_once], first_row + start)
        require_storable(rows[start : start + rows_at_once], first_row + start)


def _of_float32(rows: Array, first_row: int) -> Products:
    """Return the products of rows that are storable by their type; finite, if their squares are."""
    # float32 ends at 3.4e38: squares are ordinary float64, and an infinity shows on the diagonal.
    with np.errstate(invalid="ignore"):
        products = centred_products(rows)
    if not np.isfinite(np.diagonal(products.scatter)).all():
        require_finite_rows(rows, first_row)
    return products
