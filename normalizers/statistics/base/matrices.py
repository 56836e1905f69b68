"""Symmetric matrices that may be a scatter: made symmetric, checked, never trusted."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.statistics.base import posted

# What numbers printed with ten digits, or added in another order, may lose.
INDEFINITE_TOLERANCE = 1e-8  # smallest eigenvalue, of the largest entry
ASYMMETRY_TOLERANCE = 1e-9  # of the largest entry


def symmetric(matrix: Array) -> Array:
    """Return the exactly symmetric part."""
    return (matrix + matrix.T) / 2


def is_semidefinite(matrix: Array, tolerance: float) -> bool:
    """Return whether no eigenvalue is below ``-tolerance``, by a Cholesky factorization."""
    largest = float(np.max(np.abs(matrix), initial=0.0))
    # Entries this small are rounding of either sign.
    if largest <= tolerance:
        return True
    # A + t I has a Cholesky factor unless an eigenvalue of A is below -t; by a power of two, so
    # that squares of the factor stay in range.
    exponent = np.frexp(largest)[1]
    shifted = np.ldexp(matrix, -exponent)
    np.einsum("ii->i", shifted)[:] += np.ldexp(tolerance, -exponent)
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        return False
    return True


def checked(matrix: Array, path: str) -> Array:
    """Return a posted matrix made exactly symmetric; refuse an asymmetric or indefinite one."""
    largest = float(np.max(np.abs(matrix), initial=0.0))
    # A + A^T must be finite before it is halved.
    if largest > np.finfo(np.float64).max / 2:
        raise InvalidInput("the matrix is too large", path=path)
    posted.refuse_where(
        np.abs(matrix - matrix.T) > ASYMMETRY_TOLERANCE * largest, "the matrix is asymmetric", path
    )
    halves = symmetric(matrix)
    if not is_semidefinite(halves, INDEFINITE_TOLERANCE * largest):
        raise InvalidInput("the matrix has a negative eigenvalue", path=path)
    return halves
