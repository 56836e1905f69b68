"""Arrays: the alias all modules share, conversions done one way, and where they are computed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

# NumPy's, or those of a device: what takes either begins with `namespace`.
Array: TypeAlias = npt.NDArray[Any]
# The largest integer up to which every one is a float64, so that arrays and JSON carry it.
LARGEST_INTEGER = 2**53


# Up to so many values a temporary costs less than a change of NumPy's error state.
FEW_VALUES = 4096
ONE_THREAD = 8192  # values
PRODUCT_TYPES = (np.dtype(np.float64), np.dtype(np.float32))


@cache
def dtype_name(dtype: np.dtype[Any]) -> str:
    """Return the name of a type; NumPy puts it together anew each time."""
    return dtype.name


def readonly(array: Array) -> Array:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def all_finite(array: Array) -> bool:
    """Return whether no element is missing or infinite, in one pass without a temporary.

    A sum that overflows says nothing; only then every element is looked at.
    """
    xp = np if type(array) is np.ndarray else namespace(array)
    if xp is np and array.size <= FEW_VALUES:
        return bool(np.isfinite(array).all())
    with np.errstate(over="ignore", invalid="ignore"):
        if xp is np and array.dtype in PRODUCT_TYPES and array.flags.c_contiguous:
            # BLAS sums squares in two thirds of the time that NumPy sums in. Pieces are too short
            # for it to wake its threads, for which a busy machine would let the call wait.
            values = array.reshape(-1)
            end = values.size - values.size % ONE_THREAD
            pieces, rest = values[:end].reshape(-1, ONE_THREAD), values[end:]
            total = np.sum(np.vecdot(pieces, pieces)) + rest @ rest
            return bool(np.isfinite(total)) or bool(np.isfinite(array).all())
        return bool(xp.isfinite(xp.sum(array))) or bool(xp.all(xp.isfinite(array)))


def as_stored(array: Array) -> Array:
    """Return `array` as C-contiguous little-endian memory, the only form that is written to disk.

    ``safetensors.numpy.save`` ignores strides: a transposed or sliced array would be written
    wrong without an error. ``ascontiguousarray`` is avoided because it turns a scalar into an
    array of one.
    """
    return np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")


def allow_overflow() -> np.errstate:
    """Return the context of a method's arithmetic: what overflows is infinite, without a warning.

    Whoever opens it refuses what is infinite. An invalid operation keeps its warning, since its
    NaN would pass for a missing value.
    """
    return np.errstate(over="ignore", divide="ignore")


def string_array(values: Iterable[object]) -> Array:
    """Return an object array of ``str``; NumPy's fixed-width strings would drop trailing NULs."""
    items = list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def namespace(array: object) -> ModuleType:
    """Return the functions of the array API for this array: NumPy's, or those of its library."""
    if isinstance(array, np.ndarray):
        return np
    from array_api_compat import array_namespace

    return array_namespace(array)
