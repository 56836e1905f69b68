"""Whether what a version claims follows from what it holds: for files from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from normalizers.data.arrays import Array, overflowing
from normalizers.errors import CorruptVersion, NormalizerError

if TYPE_CHECKING:
    from normalizers.versions.version import Version

# Relative: far above what another processor's last bits change, far below what a use would notice.
AGREEMENT = 1e-6


class Tolerance(NamedTuple):
    """How far off a number may be, as shares of its own size and of the array's largest entry."""

    own: float
    largest: float


CLOSE = Tolerance(AGREEMENT, AGREEMENT * AGREEMENT)  # with what is left of terms that cancel
EXACT = Tolerance(0.0, 0.0)
CLOSE_EACH = Tolerance(AGREEMENT, 0.0)
CLOSE_AS_A_WHOLE = Tolerance(0.0, AGREEMENT)


def require_agreement(version: Version) -> None:
    """Refuse fitted arrays, parameters or columns that contradict the rest of a version.

    Raises
    ------
    CorruptVersion
        Fitted arrays that the statistics do not determine, resolved parameters other than the
        given ones, or another number of column names than columns.
    """
    statistics = None if version.statistics.is_empty else version.statistics
    try:
        with overflowing():
            parameter = version.method.overruled(version.worker, statistics)
            array = version.worker.contradicted(version.fitted, statistics)
    except CorruptVersion:
        raise
    except NormalizerError as error:
        raise CorruptVersion(f"the statistics determine no fit: {error.message}") from error
    if parameter is not None:
        raise CorruptVersion(f"the resolved '{parameter}' is not the one that was given")
    if array is not None:
        raise CorruptVersion(f"the fitted '{array}' is not what the statistics determine")
    _require_columns(version)


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


def _require_columns(version: Version) -> None:
    width, columns = version.width, version.columns
    if width is not None and columns is not None and len(columns) != width:
        raise CorruptVersion(f"the file names {len(columns)} columns, and the fit has {width}")
