"""What measures of hubs are on average where the nearest items of queries are drawn at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.occurrence import Occurrences

# Counts beyond so many deviations from the mean are left out: less than 1e-15 of them.
DEVIATIONS = 12.0


@dataclass(frozen=True)
class RandomRetrieval:
    """Occurrences of items that are all as likely to be near: binomial, each by itself.

    Parameters
    ----------
    queries : float
        How many lists there are.
    slots : float
        How many places they have together, missing neighbours left out.
    items : int
        Number of items of the gallery.

    Examples
    --------
    >>> from normalizers.measures.random_retrieval import RandomRetrieval
    >>> random = RandomRetrieval(queries=200, slots=2000, items=2000)
    >>> round(random.robin_hood, 3), round(random.antihub_rate, 3)
    (0.367, 0.367)
    """

    queries: float
    slots: float
    items: int

    @classmethod
    def of(cls, evidence: Occurrences, k: int | None) -> RandomRetrieval:
        """Return random lists of as many places as those of `evidence`."""
        queries = float(evidence.weights.sum())
        return cls(queries, float(evidence.counts(k).sum()), evidence.items)

    @property
    def mean(self) -> float:
        """The mean occurrence of an item."""
        return self.slots / self.items if self.items else 0.0

    @cached_property
    def counts(self) -> Array:
        """The occurrences that are possible, those next to impossible left out."""
        reach = DEVIATIONS * np.sqrt(self.mean + 1) + DEVIATIONS
        first = max(0, int(self.mean - reach))
        last = min(int(self.queries), int(self.mean + reach))
        return np.arange(first, last + 1, dtype=np.float64)

    @cached_property
    def shares(self) -> Array:
        """How often each of them is, shape of `counts`."""
        from scipy.stats import binom

        # A list holds an item at most once, so that each query is one draw of it.
        chance = min(self.mean / self.queries, 1.0) if self.queries else 0.0
        return np.asarray(binom.pmf(self.counts, int(self.queries), chance))

    def _mean_of(self, values: Array) -> float:
        return float(np.sum(self.shares * values))

    @property
    def k_skewness(self) -> float:
        """The skewness, NaN where every item has the same occurrence."""
        centred = self.counts - self.mean
        variance = self._mean_of(centred**2)
        return self._mean_of(centred**3) / variance**1.5 if variance > 0 else float("nan")

    @property
    def robin_hood(self) -> float:
        """The share of places that would have to move."""
        return self._mean_of(np.abs(self.counts - self.mean)) / (2 * self.mean)

    @property
    def gini(self) -> float:
        """The Gini index: the mean distance of two items over twice their mean."""
        below = np.cumsum(self.shares)
        # E|X - Y| = 2 sum_n F(n) (1 - F(n)) of two equal distributions on integers.
        return float(np.sum(below * (1 - below))) / self.mean

    @property
    def atkinson(self) -> float:
        """The Atkinson index."""
        return 1 - self._mean_of(np.sqrt(self.counts)) ** 2 / self.mean

    @property
    def antihub_rate(self) -> float:
        """The share of items without a query."""
        return float(self.shares[self.counts == 0].sum())

    def hub_occurrence(self, depth: float, hub_size: float) -> float:
        """Return the share of places of items with at least `hub_size` times `depth` of them."""
        hubs = self.counts >= hub_size * depth
        return float(np.sum((self.shares * self.counts)[hubs])) / self.mean

    def quantile(self, p: float) -> float:
        """Return the occurrence that a share `p` of the items has at most; of all, the largest."""
        if p == 1:
            return self.largest
        below = np.cumsum(self.shares)
        return float(self.counts[min(int(np.searchsorted(below, p)), len(below) - 1)])

    @property
    def largest(self) -> float:
        """The occurrence of the largest of all items."""
        below = np.cumsum(self.shares)
        # E max = first + sum over n of the chance that some item has more than n.
        return float(self.counts[0] + np.sum(1 - np.minimum(below[:-1], 1) ** self.items))


def expected(
    name: str, evidence: Occurrences, k: int | None = None, hub_size: float = 2.0
) -> float:
    """Return what a measure of hubs is on average for random lists of as many places.

    NaN where there is no place, or no item.
    """
    random = RandomRetrieval.of(evidence, k)
    if not random.slots or not random.items:
        return float("nan")
    if name == "hub_occurrence":
        return random.hub_occurrence(evidence.depth(k), hub_size)
    if name in LARGEST:
        return random.largest / LARGEST[name](evidence, k)
    return float(getattr(random, name))


LARGEST: Mapping[str, Callable[[Occurrences, int | None], float]] = {
    "max_hub_share": lambda evidence, k: evidence.slots(k),
    "max_hub_query_share": lambda evidence, k: float(evidence.weights.sum()),
}
