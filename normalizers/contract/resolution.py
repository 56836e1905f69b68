"""What follows from the declarations of a method, whatever the method."""

from __future__ import annotations

from normalizers.contract.method import Method
from normalizers.statistics.base.statistics_set import Statistics


def empty_statistics(method: Method) -> Statistics:
    """Return the statistics of no data, as a fit with these parameters keeps them."""
    return Statistics(method.keeps, optional=method.optional_statistics)


def is_invertible(method: Method) -> bool:
    """Return whether there is a way back with these parameters."""
    return bool(method.inverse_takes)
