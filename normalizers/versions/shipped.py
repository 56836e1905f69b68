"""Fits on statistics that come with the package: ``{"preset": name}`` in place of data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from normalizers.contract.method import Method
from normalizers.contract.shipped import PRESET, named_fit
from normalizers.errors import InvalidParams
from normalizers.messages import did_you_mean, printable_name, quoted
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.versions import fitting
from normalizers.versions.version import Version


class Shipped(NamedTuple):
    """Statistics of a named fit, and the parameters that they were kept with."""

    statistics: Statistics
    settled: Mapping[str, object]


def shipped_fit(method: Method, values: Mapping[str, object], path: str = "fit") -> Shipped | None:
    """Return the statistics that a checked method is shipped with under this name.

    None where `values` are the data of a fit.

    Raises
    ------
    InvalidParams
        An unknown name, or parameters that are not those of the statistics.
    """
    name = named_fit(values, method.fits)
    if name is None:
        return None
    place = f"{path}.{PRESET}"
    ships = method.shipped.get(name) if isinstance(name, str) else None
    if ships is None:
        known = ", ".join(map(quoted, sorted(method.shipped))) or "none"
        shown = printable_name(str(name)) if isinstance(name, str) else "this"
        raise InvalidParams(
            f"'{method.name}' comes with no statistics {quoted(shown)}; it has {known}"
            f"{did_you_mean(shown, method.shipped)}",
            path=place,
        )
    found = ships.fit(method, place)
    for param, value in found.params.items():
        given = getattr(method, param)
        if given is not None and given != value:
            raise InvalidParams(
                f"the statistics {quoted(str(name))} are of {param} {value!r}",
                path=f"params.{param}",
            )
    read = fitting.read_statistics(method, found.statistics, place, found.params)
    return Shipped(read, found.params)


def shipped_version(
    method: Method, values: Mapping[str, object], path: str = "fit"
) -> Version | None:
    """Return the version that a checked method is shipped with, None for the data of a fit."""
    found = shipped_fit(method, values, path)
    if found is None:
        return None
    return fitting.solve(method, found.statistics, found.settled)
