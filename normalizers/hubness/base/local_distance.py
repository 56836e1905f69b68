"""Distances in units of the neighbourhoods of both ends."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from normalizers.bases.bank_statistics import top_k_of
from normalizers.contract import Batch, Fitted, Statistic, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.hubness.base.bank_fit import clamped, fitted_bias, item_ids
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.nearest import kept_largest
from normalizers.hubness.base.secondary import SecondaryDistance, others
from normalizers.kernels import segments
from normalizers.kernels.list_order import sorted_lists
from normalizers.statistics import TopK


class LocalDistance(SecondaryDistance):
    """Base of the methods that measure both ends by their `k` nearest: they write two functions.

    Notes
    -----
    A side with fewer than `k` distances takes all of them; k_effective is in the report of a fit.
    """

    k: int | None = param(
        default=None, default_value=7, ge=1, affects="statistics", help="neighbours of each side"
    )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The nearest of every item."""
        if self.symmetric:
            return {}
        return {"top_k": TopK(self.similarity is not None, k=self.k)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the nearest of every item."""
        part = top_k_of(self.bank(batch), unwrap(self.k), item_ids(batch))
        return statistics.replace(top_k=kept_largest(statistics).merge(part))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the side of every item."""
        kept = kept_largest(statistics)
        nearest = -np.asarray(kept.values, dtype=np.float64)
        told = {"k": self.k, "k_effective": kept.k_effective}
        fitted = fitted_bias(self.side(nearest), kept, report=told, largest_is_hub=False)
        warnings = clamped(self.k, kept.k_effective)
        return Fitted(fitted.arrays, fitted.sizes, fitted.report, warnings)

    @abstractmethod
    def side(self, nearest: Array) -> Array:
        """Return what a side is measured by, from its nearest distances in ascending order."""

    @abstractmethod
    def measured(self, distances: Array, mine: Array, theirs: Array) -> Array:
        """Return distances in terms of both sides."""

    def of_square(self, distances: Array) -> Array:
        """Return the secondary distances of n objects."""
        if len(distances) < 2:
            return distances
        sides = self.square_sides(distances)
        return self.measured(distances, sides[:, None], sides[None, :])

    def square_sides(self, distances: Array) -> Array:
        """Return the side of each of n objects."""
        return self.side(others(distances)[:, : unwrap(self.k)])

    def of_live(self, distances: Array, fitted: Fitted, live: Live) -> Array:
        """Return the secondary distances of live queries."""
        of_query = self._query_sides(live.scores.with_values(distances))
        mine = segments.broadcast(of_query, live.scores)
        return self.measured(distances, mine, self.of_items(fitted["item_bias"], live))

    def _query_sides(self, lists: Ragged) -> Array:
        """Return the side of each query, missing where nothing was sent."""
        observed = ~np.isnan(lists.values)
        ascending = sorted_lists(segments.compress(lists, observed))
        sides = np.full(len(lists), np.nan)
        counts = np.minimum(ascending.lengths, unwrap(self.k))
        for count in np.unique(counts[counts > 0]).tolist():
            rows = np.flatnonzero(counts == count)
            places = ascending.offsets[:-1][rows][:, None] + np.arange(count)
            sides[rows] = self.side(ascending.values[places])
        return sides
