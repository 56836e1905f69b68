"""Measures of ranked lists against relevance judgements: one value a query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from normalizers.arrays import Array
from normalizers.kernels import segments
from normalizers.measures.measure import CutOff, Measure
from normalizers.ragged import Ragged


@dataclass(frozen=True)
class Judged:
    """Ranked lists with what the judgements say of each hit.

    Parameters
    ----------
    relevance : Ragged
        Booleans, one list a query, best rank first.
    relevant : int64 array of shape (q,)
        Relevant documents of each query, found or not.

    Examples
    --------
    >>> from normalizers.measures.rankings import Judged, recall
    >>> from normalizers.ragged import Ragged
    >>> import numpy as np
    >>> judged = Judged(Ragged.of([[True, False], [False]], bool), np.array([2, 1]))
    >>> recall(judged).tolist()
    [0.5, 0.0]
    """

    relevance: Ragged
    relevant: Array

    def __len__(self) -> int:
        return len(self.relevant)

    @property
    def rows(self) -> int:
        """Number of hits."""
        return len(self.relevance.values)

    def weighted(self, units: Array) -> Judged:
        """Return the lists with each query as often as `units`, shape (q,), says."""
        drawn = np.repeat(np.arange(len(self)), units)
        parts = list(self.relevance)
        return Judged(Ragged.of([parts[index] for index in drawn], bool), self.relevant[drawn])

    @property
    def ranks(self) -> Array:
        """Rank of each hit from 1, shape (N,)."""
        starts = segments.spread(self.relevance.offsets[:-1], self.relevance)
        return np.arange(1, len(self.relevance.values) + 1) - starts

    def hits(self, k: int | None) -> Array:
        """Return which hits are relevant and within the first `k`, shape (N,)."""
        found = self.relevance.values.astype(bool)
        return found if k is None else found & (self.ranks <= k)

    def summed(self, gains: Array) -> Array:
        """Return the sum of gains of each query, shape (q,)."""
        return segments.sums(self.relevance.with_values(gains))

    def where_judged(self, values: Array) -> Array:
        """Return values with NaN for queries without a relevant document."""
        return np.where(self.relevant > 0, values, np.nan)


def ndcg(judged: Judged, k: int | None = None) -> Array:
    """Return the normalized discounted cumulative gain of each query.

    ``sum over relevant hits of 1 / log2(rank + 1)``, divided by what the best list of `k` would
    have; the ideal counts all relevant documents, found or not.

    Parameters
    ----------
    judged : Judged
        The lists and their judgements.
    k : int, optional
        Ranks that count.

    Returns
    -------
    array of shape (q,)
        NaN for queries without a relevant document.

    References
    ----------
    Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, 2002.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.rankings import Judged, ndcg
    >>> from normalizers.ragged import Ragged
    >>> ndcg(Judged(Ragged.of([[True, False, True]], bool), np.array([2])), k=3).round(4).tolist()
    [0.9197]
    """
    gains = judged.hits(k) / np.log2(judged.ranks + 1)
    best = np.minimum(judged.relevant, judged.relevant if k is None else k).astype(np.int64)
    longest = int(best.max(initial=0))
    ideal = np.concatenate(([0.0], np.cumsum(1 / np.log2(np.arange(2, longest + 2)))))
    return judged.where_judged(judged.summed(gains) / np.maximum(ideal[best], 1.0))


def recall(judged: Judged, k: int | None = None) -> Array:
    """Return the share of the relevant documents that are within the first `k`, by query.

    NaN for queries without a relevant document.
    """
    return judged.where_judged(judged.summed(judged.hits(k)) / np.maximum(judged.relevant, 1))


def precision(judged: Judged, k: int | None = None) -> Array:
    """Return the share of relevant documents among the first `k`, by query.

    A shorter list counts as filled up with documents that are not relevant. NaN for queries
    without a relevant document, and without `k` for empty lists.
    """
    lengths = judged.relevance.lengths
    size = lengths if k is None else np.full(len(judged), k)
    share = judged.summed(judged.hits(k)) / np.maximum(size, 1)
    return judged.where_judged(np.where(size > 0, share, np.nan))


def average_precision(judged: Judged, k: int | None = None) -> Array:
    """Return the average precision of each query.

    The sum of the precision at the rank of every relevant hit, divided by the number of relevant
    documents, found or not. NaN for queries without a relevant document.
    """
    hits = judged.hits(k)
    upto = np.cumsum(hits)
    before = np.concatenate(([0], upto))[judged.relevance.offsets[:-1]]
    found = upto - segments.spread(before, judged.relevance)
    total = judged.summed(np.where(hits, found / judged.ranks, 0.0))
    return judged.where_judged(total / np.maximum(judged.relevant, 1))


def reciprocal_rank(judged: Judged, k: int | None = None) -> Array:
    """Return one over the rank of the first relevant document, 0 where there is none, by query.

    NaN for queries without a relevant document.
    """
    best = segments.maxima(
        judged.relevance.with_values(np.where(judged.hits(k), 1 / judged.ranks, 0.0))
    )
    return judged.where_judged(np.where(judged.relevance.lengths > 0, best, 0.0))


_ranking = partial(
    Measure,
    needs="rankings",
    parameters=CutOff,
    by_unit=True,
    undefined="no query has a relevant document",
)
MEASURES = (
    _ranking("ndcg", function=ndcg, help="normalized discounted cumulative gain, binary gains"),
    _ranking("recall", function=recall, help="share of the relevant documents that were found"),
    _ranking("precision", function=precision, help="share of relevant documents in the list"),
    _ranking("map", function=average_precision, help="mean average precision"),
    _ranking("mrr", function=reciprocal_rank, help="mean reciprocal rank of the first relevant"),
)
