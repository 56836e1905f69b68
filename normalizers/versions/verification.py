"""Whether what a version claims follows from what it holds: for files from elsewhere."""

from __future__ import annotations

from normalizers.data.arrays import allow_overflow
from normalizers.errors import CorruptVersion, NormalizerError
from normalizers.versions.version import Version


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
        with allow_overflow():
            parameter = version.method.conflicting_param(version.resolved_method, statistics)
            array = version.resolved_method.inconsistent_array(version.fitted, statistics)
    except CorruptVersion:
        raise
    except NormalizerError as error:
        raise CorruptVersion(f"the statistics determine no fit: {error.message}") from error
    if parameter is not None:
        raise CorruptVersion(f"the resolved '{parameter}' is not the one that was given")
    if array is not None:
        raise CorruptVersion(f"the fitted '{array}' is not what the statistics determine")
    _require_columns(version)


def _require_columns(version: Version) -> None:
    width, columns = version.width, version.columns
    if width is not None and columns is not None and len(columns) != width:
        raise CorruptVersion(f"the file names {len(columns)} columns, and the fit has {width}")
