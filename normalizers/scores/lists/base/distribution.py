"""Methods that map deviations into (0, 1) by a distribution function."""

from __future__ import annotations

from abc import abstractmethod

from normalizers.data.arrays import Array
from normalizers.scores.lists.base.moments import MomentList
from normalizers.scores.lists.base.open_interval import inner_shares


class DistributionMap(MomentList):
    """Base of the methods whose value is a distribution function of the deviation."""

    standard_constant = 0.5

    @abstractmethod
    def quantile(self, shares: Array) -> Array:
        """Return the deviation at each share, strictly between 0 and 1."""

    def deviation(self, values: Array) -> tuple[Array, Array]:
        """Return the deviation at each value; an end counts as its next neighbour."""
        inside, at_an_end = inner_shares(values)
        return self.quantile(inside), at_an_end
