"""Parameters as they stand in a manifest, and methods from what stands there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from normalizers.contract.fitted import Fitted
from normalizers.contract.method import Method, MethodTable
from normalizers.contract.parameters import merge_params
from normalizers.contract.resolution import params_affecting, references_of
from normalizers.statistics.base.statistics_set import Statistics

M = TypeVar("M", bound=Method)


def params_json(method: Method, values: Mapping[str, object]) -> dict[str, object]:
    """Return parameter values as they stand in a manifest and in answers."""
    written = dict(values)
    for name, references in references_of(method).items():
        if name in values:
            written[name] = references.to_json(values[name])
    return written


def method_from_manifest(
    cls: type[M], values: Mapping[str, object], fitted: Fitted, table: MethodTable
) -> M:
    """Return the method that a manifest describes; `fitted` are the file's arrays."""
    read = dict(values)
    for name, references in references_of(cls).items():
        if name in values:
            read[name] = references.from_json(values[name], fitted, table)
    return cls(**read)


def fill_missing_params(method: M, resolved: M, statistics: Statistics | None) -> tuple[M, M]:
    """Return `method` and `resolved`, both read from a file, as they were written.

    A parameter that the file does not name yet has the value that it would get now.
    """
    given: dict[str, object] = {}
    used: dict[str, object] = {}
    known = references_of(method)
    for name, references in known.items():
        given[name], used[name] = references.fill_missing(
            getattr(method, name), getattr(resolved, name), statistics
        )
    if any(references.owns_fit for references in known.values()):
        return method.with_values(given), resolved.with_values(used)
    expected = method.resolved(statistics, params_affecting(resolved, "statistics"))
    filled = merge_params(type(method), expected.explicit_params, resolved.explicit_params)
    values = {name: filled.get(name) for name in method.parameters}
    return method.with_values(given), expected.with_values({**values, **used})
