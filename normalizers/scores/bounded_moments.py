"""Methods that map deviations into (0, 1) by a distribution function."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from normalizers.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.scores.moment_list import MomentList

SMALLEST = float(np.finfo(np.float64).smallest_normal)
LARGEST = 1.0 - float(np.finfo(np.float64).epsneg)


class DistributionFunction(MomentList):
    """Base of the methods whose value is a distribution function of the deviation."""

    standard_constant = 0.5

    @abstractmethod
    def quantile(self, shares: Array) -> Array:
        """Return the deviation at each share, strictly between 0 and 1."""

    def deviation(self, values: Array) -> tuple[Array, Array]:
        """Return the deviation at each value; an end counts as its next neighbour."""
        inside, at_an_end = inner_shares(values)
        return self.quantile(inside), at_an_end


def inner_shares(values: Array) -> tuple[Array, Array]:
    """Return shares strictly between 0 and 1, and which of them lay at an end.

    Raises
    ------
    InvalidInput
        A value outside 0..1.
    """
    if ((values < 0) | (values > 1)).any():
        raise InvalidInput("these values are shares, 0 to 1", path="input.values")
    return np.clip(values, SMALLEST, LARGEST), (values <= 0) | (values >= 1)
