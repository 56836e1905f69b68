"""Whether what a version claims follows from what it holds: for files from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from normalizers.arrays import Array, overflowing
from normalizers.errors import CorruptVersion, NormalizerError

if TYPE_CHECKING:
    from normalizers.version import Version

Same: TypeAlias = Callable[[Array, Array], bool]

# Relative: far above what another processor's last bits change, far below what a use would notice.
AGREEMENT = 1e-6
NEGLIGIBLE = AGREEMENT * AGREEMENT  # of the largest entry: what is left of terms that cancel


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


def differing(found: Mapping[str, Array], expected: Mapping[str, Array], same: Same) -> str | None:
    """Return the name of the first array that only one side has, or that differs; None if none."""
    for name in sorted(found.keys() | expected.keys()):
        both = name in found and name in expected
        if not both or not agree(found[name], expected[name], same):
            return name
    return None


def agree(found: Array, expected: Array, same: Same) -> bool:
    """Return whether two arrays have one shape and type, and the same numbers or texts."""
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if expected.dtype.kind != "f":
        return bool(np.array_equal(found, expected))
    with np.errstate(over="ignore", invalid="ignore"):
        return same(found, expected)


def close(found: Array, expected: Array) -> bool:
    """Return whether every number agrees, each by its own size."""
    largest = np.max(np.abs(expected), initial=0.0)
    allowed = AGREEMENT * np.abs(expected) + NEGLIGIBLE * largest
    return bool(np.all(np.abs(found - expected) <= allowed))


def close_each(found: Array, expected: Array) -> bool:
    """Return whether every number agrees, however small it is beside the others."""
    return bool(np.all(np.abs(found - expected) <= AGREEMENT * np.abs(expected)))


def close_as_a_whole(found: Array, expected: Array) -> bool:
    """Return whether no number is further off than a share of the largest one."""
    largest = np.max(np.abs(expected), initial=0.0)
    return bool(np.all(np.abs(found - expected) <= AGREEMENT * largest))


def _require_columns(version: Version) -> None:
    fields = version.worker.fits or version.worker.takes
    shape = fields[fields.main].shape
    size = version.fitted.sizes.get(str(shape[-1])) if shape else None
    named = len(version.columns) if version.columns is not None else size
    if size is not None and named != size:
        raise CorruptVersion(f"the file names {named} columns, and the fit has {size}")
