"""Vectors as their products take them: of one type and, for cosines, of length 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from normalizers.data.arrays import Array, namespace
from normalizers.kernels.row_norms import row_norms, unit_rows

SMALLEST_NORM = 1e-30  # below it, or above its inverse, float32 has no norm of full precision
NUMBERS_AT_ONCE = 2**18


def unit_vectors(rows: Array, dtype: str) -> Array:
    """Return rows of length 1 in the type named; a zero row stays zero."""
    xp = namespace(rows)
    if xp is not np:
        return _unit_of_any(rows, dtype)
    made = np.empty(rows.shape, dtype)
    single = rows.dtype == made.dtype == np.float32
    for part, unit in zip(_parts(rows), _parts(made), strict=True):
        unit[:] = unit_float32(part) if single else _unit_of_any(part, dtype)
    return made


def norms(rows: Array) -> Array:
    """Return the length of each row in float64, shape (n,)."""
    if rows.dtype != np.float32:
        parts = (row_norms(np.asarray(part, dtype=np.float64)) for part in _parts(rows))
    else:
        parts = (_norms_of_float32(part) for part in _parts(rows))
    return np.concatenate([np.zeros(0), *parts])


def longest_norm(rows: Array) -> float:
    """Return the length of the longest row; 0 without rows."""
    return float(np.max(norms(rows), initial=0.0))


def unit_float32(rows: Array) -> Array:
    """Return float32 rows of unit length."""
    lengths = _norms_of_float32(rows)
    ordinary = (lengths > SMALLEST_NORM) & (lengths < 1 / SMALLEST_NORM)
    if not ordinary.all():
        return np.asarray(unit_rows(rows.astype(np.float64)), dtype=np.float32)
    # Divided by a float64: each entry is rounded once, and the norm of the row hardly at all.
    return np.divide(rows, lengths[:, None], out=np.empty_like(rows), casting="same_kind")


def _norms_of_float32(rows: Array) -> Array:
    # Squares of float32 neither overflow nor vanish in float64.
    squares = np.einsum("ij,ij->i", rows, rows, dtype=np.float64, casting="same_kind")
    return np.asarray(np.sqrt(squares))


def _parts(rows: Array) -> Iterator[Array]:
    """Yield ranges of rows, so that what is wider for a moment stays in the cache."""
    size = max(1, NUMBERS_AT_ONCE // max(1, rows.shape[1]))
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _unit_of_any(rows: Array, dtype: str) -> Array:
    xp = namespace(rows)
    # A norm in float32 would be off by as much as the whole product may be.
    unit = unit_rows(xp.astype(rows, xp.float64, copy=False))
    return cast(Array, xp.astype(unit, getattr(xp, dtype), copy=False))
