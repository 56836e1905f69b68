"""A fitted linear map y = (x - mean) W, made ready for rows of one floating type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.arrays import Array

# Up to this ratio of the mean's length to the spread, folding the mean costs less than 1e-8 of
# the cosine in float32.
LARGEST_FOLDED_OFFSET = 10.0
# Entries of W outside these sizes would overflow or lose digits in float32.
SMALLEST_FLOAT32, LARGEST_FLOAT32 = 1e-30, 1e30


@dataclass(frozen=True)
class LinearMap:
    """The map y = (x - shift) W + bias in one floating type.

    Parameters
    ----------
    matrix : array of shape (d, k)
        Contiguous.
    shift : array of shape (d,), optional
        Subtracted from the rows first.
    bias : array of shape (k,), optional
        Added to the product.
    reach : float
        Length of the mean times that of W: images about as long as its rounding are no images.
    """

    matrix: Array
    shift: Array | None = None
    bias: Array | None = None
    reach: float = np.inf

    def __call__(self, x: Array) -> Array:
        """Return the image of the rows ``x (m, d)``; a row with a missing value is missing."""
        rows = x if self.shift is None else x - self.shift
        with np.errstate(over="ignore", invalid="ignore"):
            product = rows @ self.matrix
        if self.bias is not None:
            product += self.bias
        return product


def centred_map(
    mean: Array, matrix: Array, spread: float, dtype: np.dtype[np.generic]
) -> LinearMap:
    """Return the map (x - mean) W for rows of `dtype`.

    Parameters
    ----------
    mean : array of shape (d,)
        Float64.
    matrix : array of shape (d, k)
        W, float64.
    spread : float
        Root of the summed variance of the rows that will come.
    dtype : dtype
        In float64 the mean is subtracted exactly. In float32 it is folded into a bias where it
        is short beside the spread; else the rounded mean is subtracted and the rest is folded.
    """
    length = float(np.linalg.norm(mean))
    reach = length * float(np.linalg.norm(matrix))
    if dtype == np.float64 or not _fits_float32(matrix):
        return LinearMap(np.asarray(matrix, order="C"), mean, reach=reach)
    rounded = np.asarray(matrix, dtype=np.float32, order="C")
    if length <= LARGEST_FOLDED_OFFSET * spread:
        return LinearMap(rounded, bias=_as_float32(-mean @ matrix), reach=reach)
    shift = _as_float32(mean)
    rest = _as_float32((shift.astype(np.float64) - mean) @ matrix)
    return LinearMap(rounded, shift, rest, reach)


def uncentred_map(mean: Array, matrix: Array, dtype: np.dtype[np.generic]) -> LinearMap:
    """Return the way back, y W + mean, for rows of `dtype`."""
    if dtype == np.float64 or not _fits_float32(matrix):
        return LinearMap(np.asarray(matrix, order="C"), bias=mean)
    return LinearMap(np.asarray(matrix, dtype=np.float32, order="C"), bias=_as_float32(mean))


def _as_float32(array: Array) -> Array:
    return np.asarray(array, dtype=np.float32)


def _fits_float32(matrix: Array) -> bool:
    largest = np.max(np.abs(matrix), initial=0.0)
    return bool(largest == 0 or SMALLEST_FLOAT32 <= largest <= LARGEST_FLOAT32)
