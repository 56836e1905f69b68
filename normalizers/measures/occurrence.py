"""How often each item of a gallery is among the nearest of queries."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

MISSING = -1


@dataclass(frozen=True, eq=False)
class Occurrences:
    """The nearest items of each query, the nearest first.

    Parameters
    ----------
    neighbors : Ragged
        Positions of items; -1 is a neighbour that is missing, and counts for nobody.
    items : int
        Number of items of the gallery, those that are near to no query among them.
    weights : array of shape (q,)
        How often each query counts.

    Examples
    --------
    >>> from normalizers.data.ragged import Ragged
    >>> from normalizers.measures.occurrence import Occurrences
    >>> import numpy as np
    >>> Occurrences.of(Ragged.of([[0, 2], [0, -1]], np.int64), 3).counts(2).tolist()
    [2.0, 0.0, 1.0]
    """

    neighbors: Ragged
    items: int
    weights: Array

    @classmethod
    def of(cls, neighbors: Ragged, items: int) -> Occurrences:
        """Return the neighbours of queries that count once each."""
        return cls(neighbors, items, np.ones(len(neighbors)))

    def __len__(self) -> int:
        return len(self.neighbors)

    @property
    def rows(self) -> int:
        """Number of queries."""
        return len(self)

    def weighted(self, units: Array) -> Occurrences:
        """Return the queries with the weights of their units, shape (q,)."""
        return replace(self, weights=np.asarray(units, dtype=np.float64))

    def depth(self, k: int | None) -> int:
        """Return how many neighbours of each query count: `k`, or as many as the longest has."""
        return int(np.max(self.neighbors.lengths, initial=0)) if k is None else k

    def slots(self, k: int | None) -> float:
        """Return how many places the lists have together, missing neighbours among them."""
        return float(self.weights.sum()) * self.depth(k)

    def counts(self, k: int | None) -> Array:
        """Return how often each item is among the first `k` of a query, shape (g,)."""
        lists = self.neighbors
        part = lists.part_of_each()
        place = np.arange(len(lists.values)) - lists.offsets[:-1][part]
        taken = (place < self.depth(k)) & (lists.values != MISSING)
        counted = np.bincount(
            lists.values[taken], weights=self.weights[part[taken]], minlength=self.items
        )
        return np.asarray(counted, dtype=np.float64)
