"""How far off numbers of another processor may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import CorruptVersion

# Relative: far above what another processor's last bits change, far below what a use would notice.
RTOL = 1e-6


class Tolerance(NamedTuple):
    """How far off a number may be, as shares of its own size and of the array's largest entry."""

    own: float
    largest: float


CLOSE = Tolerance(RTOL, RTOL * RTOL)  # with what is left of terms that cancel
EXACT = Tolerance(0.0, 0.0)
ELEMENTWISE = Tolerance(RTOL, 0.0)
NORMWISE = Tolerance(0.0, RTOL)


def differing(
    found: Mapping[str, Array], expected: Mapping[str, Array], tolerance: Tolerance
) -> str | None:
    """Return the name of the first array that only one side has, or that differs; None if none."""
    for name in sorted(found.keys() | expected.keys()):
        both = name in found and name in expected
        if not both or not agree(found[name], expected[name], tolerance):
            return name
    return None


def require_ascending(array: Array | None, name: str) -> None:
    """Refuse knots that fall from one row to the next; an array that is not there is none.

    Raises
    ------
    CorruptVersion
        Names the array.
    """
    if array is None or not array.ndim or array.dtype.kind not in "fi":
        return
    # Differences would overflow between ends that are far apart.
    if (array[1:] < array[:-1]).any():
        raise CorruptVersion(f"the values of the fitted '{name}' do not ascend")


def agree(found: Array, expected: Array, tolerance: Tolerance) -> bool:
    """Return whether two arrays have one shape and type, and the same numbers or texts."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if expected.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    size = np.abs(expected)
    allowed = tolerance.own * size + tolerance.largest * np.max(size, initial=0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.all(np.abs(found - expected) <= allowed))
