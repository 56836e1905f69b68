"""Whether what a version claims follows from what it holds: for files from elsewhere."""

from __future__ import annotations

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method
from normalizers.contract.resolution import references_of, unfitted
from normalizers.data.arrays import allow_overflow
from normalizers.errors import CorruptVersion, NormalizerError
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions.version import Version
from normalizers.versions.weights import wrong_weight


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
            parameter = conflicting_param(version.method, version.resolved_method, statistics)
            array = inconsistent_array(version.resolved_method, version.fitted, statistics)
    except CorruptVersion:
        raise
    except NormalizerError as error:
        raise CorruptVersion(f"the statistics determine no fit: {error.message}") from error
    if parameter is not None:
        raise CorruptVersion(f"the resolved '{parameter}' is not the one that was given")
    if array is not None:
        raise CorruptVersion(f"the fitted '{array}' is not what the statistics determine")
    _require_columns(version)


def conflicting_param(method: Method, used: Method, statistics: Statistics | None) -> str | None:
    """Return the place of a given parameter that `used`, from a file, does not follow, or None.

    Without statistics, what the data settle is not known.
    """
    known = references_of(method)
    for name, references in known.items():
        given = getattr(method, name)
        if given is not None:
            place = references.conflict(given, getattr(used, name), statistics)
            if place is not None:
                return f"{name}{place}"
    return _conflicting_value(method.with_values(dict.fromkeys(known)), used, statistics)


def _conflicting_value(method: Method, used: Method, statistics: Statistics | None) -> str | None:
    """Return the name of a given parameter that holds no methods and is not followed, or None."""
    method = method.in_one_spelling()
    expected, names = method.explicit_params, list(method.explicit_params)
    if statistics is None:
        names = [name for name in names if method.parameters[name].affects != "statistics"]
    else:
        expected = method.resolved(statistics, method.decide(statistics)).explicit_params
    found = used.explicit_params
    return next((name for name in names if expected.get(name) != found.get(name)), None)


def inconsistent_array(method: Method, fitted: Fitted, statistics: Statistics | None) -> str | None:
    """Return the name of a fitted array that these statistics do not determine, or None.

    Imported weights follow from nothing: they must be weights of the method.
    """
    known = references_of(method)
    for name, references in known.items():
        value = getattr(method, name)
        wrong = references.inconsistent_array(value, fitted, statistics)
        if wrong is not None:
            return wrong
    if any(references.owns_fit for references in known.values()):
        return None
    if method.weight_fields and statistics is None:
        return wrong_weight(method, fitted)
    expected = unfitted(method) if statistics is None else method.solve(statistics)
    return method.first_difference(fitted, expected, statistics)


def _require_columns(version: Version) -> None:
    width, columns = version.width, version.columns
    if width is not None and columns is not None and len(columns) != width:
        raise CorruptVersion(f"the file names {len(columns)} columns, and the fit has {width}")
