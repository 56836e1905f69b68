"""What follows from the declarations of a method, whatever the method."""

from __future__ import annotations

from normalizers.contract.fitted import NOT_FITTED, Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.references import References
from normalizers.statistics.base.statistics_set import Statistics

# By class, which every request asks anew.
_REFERENCES: dict[type, dict[str, References]] = {}


def empty_statistics(method: Method) -> Statistics:
    """Return the statistics of no data, as a fit with these parameters keeps them."""
    several = len(method.fits.summed) > 1
    return Statistics(method.keeps, method.optional_statistics, in_parts=several)


def resolved_alone(method: Method) -> Method:
    """Return the method with every parameter resolved as far as no data are needed."""
    return method.resolved(None if method.stateless else UNKNOWN_STATISTICS)


def is_invertible(method: Method) -> bool:
    """Return whether there is a way back with these parameters."""
    return bool(method.inverse_takes)


def references_of(method: Method | type[Method]) -> dict[str, References]:
    """Return what knows the methods that parameters may hold, by the name of the parameter."""
    cls = method if isinstance(method, type) else type(method)
    if cls not in _REFERENCES:
        _REFERENCES[cls] = {
            name: declared.references
            for name, declared in cls.parameters.items()
            if declared.references is not None
        }
    return dict(_REFERENCES[cls])


def params_affecting(method: Method, affects: str) -> dict[str, object]:
    """Return the values of the parameters that affect this, as they stand."""
    found: dict[str, object] = {}
    for name, value in method.explicit_params.items():
        declared = method.parameters[name]
        parts = declared.references.affecting(value, affects) if declared.references else None
        if parts is not None:
            found[name] = parts
        elif declared.affects == affects:
            found[name] = value
    return found


def given_statistics_params(method: Method) -> dict[str, object]:
    """Return the given parameters that decide which statistics are kept."""
    found: dict[str, object] = {}
    for name, value in method.in_one_spelling().explicit_params.items():
        declared = method.parameters[name]
        if declared.affects == "statistics":
            parts = declared.references.deciding(value) if declared.references else None
            found[name] = value if parts is None else parts
    return found


def unfitted(method: Method) -> Fitted:
    """Return the arrays that a version without a fit carries: none, but for references."""
    for name, references in references_of(method).items():
        value = getattr(method, name)
        if value is not None:
            # One parameter of a method holds methods at most: their arrays stand at one place.
            return references.unfitted(value)
    return NOT_FITTED
