"""A fitted linear map y = (x - mean) W, made ready for rows of one floating type and device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

import numpy as np

from normalizers.data.arrays import Array, all_finite, namespace
from normalizers.data.devices import Device
from normalizers.errors import InvalidInput
from normalizers.runtime.apply import TOO_LARGE

# Up to this ratio of the mean's length to the spread, folding the mean costs less than 1e-8 of
# the cosine in float32.
LARGEST_FOLDED_OFFSET = 10.0
# Entries of W outside these sizes would overflow or lose digits in float32.
SMALLEST_FLOAT32, LARGEST_FLOAT32 = 1e-30, 1e30

DType: TypeAlias = np.dtype[np.generic]


@dataclass(frozen=True)
class LinearMap:
    """The map y = (x - shift) W + bias in one floating type, on one device.

    Parameters
    ----------
    matrix : array of shape (d, k)
        Contiguous.
    centre : array of shape (d,)
        The rows whose image is zero, in the type of the rows.
    shift : array of shape (d,), optional
        Subtracted from the rows first.
    bias : array of shape (k,), optional
        Added to the product.
    norm_bound : float
        Length of the mean times that of W: images about as long as its rounding are no images.
    """

    matrix: Array
    centre: Array
    shift: Array | None = None
    bias: Array | None = None
    norm_bound: float = np.inf

    def __call__(self, x: Array) -> Array:
        """Return the image of the rows ``x (m, d)``; a row with a missing value is missing.

        Raises
        ------
        InvalidInput
            An image that overflowed.
        """
        product = self.product(x)
        self.complete(product, x)
        return product

    def product(self, x: Array) -> Array:
        """Return the images of the rows before the bias."""
        rows = namespace(x).astype(x, self.matrix.dtype, copy=False)
        if self.shift is not None:
            rows = rows - self.shift
        with np.errstate(over="ignore", invalid="ignore"):
            return cast(Array, rows @ self.matrix)

    def complete(self, product: Array, x: Array) -> bool:
        """Make some rows of a product the images of `x` in place; return whether all are finite."""
        if self.bias is not None:
            product += self.bias
        finite = all_finite(product)
        if not finite:
            _refuse_overflow(product, x)
        return finite

    def on(self, device: Device) -> LinearMap:
        """Return the same map there."""
        return replace(
            self,
            matrix=device.put(self.matrix),
            centre=device.put(self.centre),
            shift=None if self.shift is None else device.put(self.shift),
            bias=None if self.bias is None else device.put(self.bias),
        )


@dataclass(frozen=True, eq=False)
class AffineMaps:
    """The map of one fit and its way back, made ready once for each type and device.

    Parameters
    ----------
    mean : array of shape (d,)
        Subtracted from the rows.
    matrix : array of shape (d, k)
        W.
    way_back : array of shape (k, d), optional
        What undoes W; None where nothing does.
    spread : float
        Root of the summed variance of the rows that will come.
    """

    mean: Array
    matrix: Array
    way_back: Array | None = None
    spread: float = np.inf
    _ready: dict[tuple[object, ...], LinearMap] = field(default_factory=dict, init=False)

    def forward(self, dtype: DType, device: Device, k: int | None = None) -> LinearMap:
        """Return the map (x - mean) W, of its first `k` columns."""
        return self._made(self._there, dtype, device, k)

    def inverse(self, dtype: DType, device: Device, k: int | None = None) -> LinearMap:
        """Return the way back of the first `k` columns, y W_inverse + mean."""
        return self._made(self._back, dtype, device, k)

    def _made(
        self,
        make: Callable[[DType, int | None], LinearMap],
        dtype: DType,
        device: Device,
        k: int | None,
    ) -> LinearMap:
        key = (make.__name__, dtype, device, k)
        if key not in self._ready:
            self._ready[key] = make(dtype, k).on(device)
        return self._ready[key]

    def _there(self, dtype: DType, k: int | None) -> LinearMap:
        return centred_map(self.mean, self.matrix[:, :k], self.spread, dtype)

    def _back(self, dtype: DType, k: int | None) -> LinearMap:
        if self.way_back is None:
            raise TypeError("a map without a way back was asked for it")
        return uncentred_map(self.mean, self.way_back[:k], dtype)


def centred_map(mean: Array, matrix: Array, spread: float, dtype: DType) -> LinearMap:
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
    # |mean W| <= |mean| |W|: the scale against which a row at the mean is judged.
    reach = length * float(np.linalg.norm(matrix))
    centre = mean.astype(dtype)
    if not length:
        whole = dtype == np.float64 or not _fits_float32(matrix)
        return LinearMap(np.asarray(matrix, np.float64 if whole else np.float32, order="C"), centre)
    if dtype == np.float64 or not _fits_float32(matrix):
        return LinearMap(np.asarray(matrix, order="C"), centre, mean, norm_bound=reach)
    rounded = np.asarray(matrix, dtype=np.float32, order="C")
    if length <= LARGEST_FOLDED_OFFSET * spread:
        return LinearMap(rounded, centre, bias=_as_float32(-mean @ matrix), norm_bound=reach)
    # What rounding the mean to float32 left, (centre - mean) W, is the same for every row.
    rest = _as_float32((centre.astype(np.float64) - mean) @ matrix)
    return LinearMap(rounded, centre, centre, rest, reach)


def uncentred_map(mean: Array, matrix: Array, dtype: DType) -> LinearMap:
    """Return the way back, y W + mean, for rows of `dtype`."""
    centre = np.zeros(len(matrix), dtype)
    if dtype == np.float64 or not _fits_float32(matrix):
        return LinearMap(np.asarray(matrix, order="C"), centre, bias=mean)
    rounded = np.asarray(matrix, dtype=np.float32, order="C")
    return LinearMap(rounded, centre, bias=_as_float32(mean))


def _refuse_overflow(product: Array, x: Array) -> None:
    """Refuse what is not finite although its row misses nothing: infinities cancel to NaN too."""
    xp = namespace(x)
    lost = ~xp.all(xp.isfinite(product), axis=1)
    if bool(xp.any(lost & ~xp.any(xp.isnan(x), axis=1))):
        raise InvalidInput(TOO_LARGE)


def _as_float32(array: Array) -> Array:
    return np.asarray(array, dtype=np.float32)


def _fits_float32(matrix: Array) -> bool:
    largest = np.max(np.abs(matrix), initial=0.0)
    return bool(largest == 0 or SMALLEST_FLOAT32 <= largest <= LARGEST_FLOAT32)
