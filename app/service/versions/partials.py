"""Partial statistics as bytes, and their sum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.resolution import empty_statistics
from normalizers.statistics import Statistics
from normalizers.statistics.total import total
from normalizers.versions.tensor_tree import pack, unpack


def packed(statistics: Statistics) -> bytes:
    """Return statistics as bytes for the log of observations."""
    return pack(statistics.to_arrays())


def opening_settings(settled: Mapping[str, object], part: Statistics) -> dict[str, object]:
    """Return what open statistics begin with: parameters, and what every later part must share.

    The latter have a dot in their names, which no parameter has.
    """
    return {**settled, **part.identity()}


def parameters_of(opening: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters among what open statistics began with."""
    return {name: value for name, value in opening.items() if "." not in name}


def sum_partials(
    method: Method, settled: Mapping[str, object], partials: Sequence[bytes]
) -> Statistics:
    """Return the sum of stored partials, in the order they came."""
    empty = empty_statistics(method.resolved(UNKNOWN_STATISTICS, settled))
    told = (members for members in map(unpack, partials) if members)
    return total(chain([empty], (empty.from_arrays(members, "statistics") for members in told)))
