"""Arrays: the alias all modules share, and the few conversions that must be done one way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
# The largest integer up to which every one is a float64, so that arrays and JSON carry it.
LARGEST_INTEGER = 2**53


def frozen(array: Array) -> Array:
    """Return a view that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def stored(array: Array) -> Array:
    """Return `array` as C-contiguous little-endian memory, the only form that is written to disk.

    ``safetensors.numpy.save`` ignores strides: a transposed or sliced array would be written
    wrong without an error. ``ascontiguousarray`` is avoided because it turns a scalar into an
    array of one.
    """
    return np.asarray(array, dtype=array.dtype.newbyteorder("<"), order="C")


def overflowing() -> np.errstate:
    """Return the context of a method's arithmetic: what overflows is infinite, without a warning.

    Whoever opens it refuses what is infinite. An invalid operation keeps its warning, since its
    NaN would pass for a missing value.
    """
    return np.errstate(over="ignore", divide="ignore")


def strings(values: Iterable[object]) -> Array:
    """Return an object array of ``str``; NumPy's fixed-width strings would drop trailing NULs."""
    items = list(values)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array
