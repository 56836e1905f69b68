"""Statistics that come with the package, by which a method is fitted without data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

PRESET = "preset"


class ShippedFit(NamedTuple):
    """What a named fit is made of.

    Parameters
    ----------
    statistics : mapping
        The statistics, as a client would post them.
    params : mapping
        Parameters that they imply: other ones are refused.
    """

    statistics: Mapping[str, object]
    params: Mapping[str, object]


# From the method with its parameters as they were given, and the place of the name in the request.
MakesFit: TypeAlias = Callable[[Any, str], ShippedFit]


class ShippedStatistics(NamedTuple):
    """A named fit.

    Parameters
    ----------
    fit : callable
        What it is made of, for a method with its given parameters.
    attribution : str
        Whose numbers they are, and their licence.
    """

    fit: MakesFit
    attribution: str


def named_fit(values: Mapping[str, object], taken: Mapping[str, object]) -> object | None:
    """Return the name in ``{"preset": name}``, None for data; `taken` are the fields of a fit."""
    return values[PRESET] if set(values) == {PRESET} and PRESET not in taken else None
