"""Measures of similarities of queries to a gallery: right items, and ties."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from normalizers.data.arrays import Array
from normalizers.measures.measure import CutOff, Measure

NEAREST = 1


@dataclass(frozen=True, eq=False)
class Similarities:
    """Similarities of queries to items, and the right item of each query where it is known.

    Parameters
    ----------
    sims : array of shape (q, g)
        Larger is nearer.
    weights : array of shape (q,)
        How often each query counts.
    matches : int64 array of shape (q,), optional
        Position of the right item of each.
    """

    sims: Array
    weights: Array
    matches: Array | None = None

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def rows(self) -> int:
        """Number of queries."""
        return len(self)

    def weighted(self, units: Array) -> Self:
        """Return the queries with the weights of their units."""
        return replace(self, weights=units.astype(np.float64))


def hit_rate(evidence: Similarities, k: int | None = None) -> Array:
    """Return for each query whether its right item is among its `k` nearest, by default the first.

    Equal similarities are ordered by position.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.similarity import Similarities, hit_rate
    >>> sims = np.array([[0.9, 0.1], [0.5, 0.5]])
    >>> hit_rate(Similarities(sims, np.ones(2), np.array([0, 1]))).tolist()
    [1.0, 0.0]
    """
    if evidence.matches is None:
        return np.full(len(evidence), np.nan)
    rows = np.arange(len(evidence))
    own = evidence.sims[rows, evidence.matches][:, None]
    before = np.arange(evidence.sims.shape[1]) < evidence.matches[:, None]
    ahead = (evidence.sims > own) | ((evidence.sims == own) & before)
    return np.asarray(ahead.sum(axis=1) < (k or NEAREST), dtype=np.float64)


def tie_share(evidence: Similarities, k: int | None = None) -> Array:
    """Return for each query whether a tie decides who is among its `k` nearest.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.measures.similarity import Similarities, tie_share
    >>> tie_share(Similarities(np.array([[0.9, 0.1], [0.5, 0.5]]), np.ones(2))).tolist()
    [0.0, 1.0]
    """
    last, items = k or NEAREST, evidence.sims.shape[1]
    if last >= items:
        return np.zeros(len(evidence))
    ordered = np.partition(-evidence.sims, (last - 1, last), axis=1)
    return np.asarray(ordered[:, last - 1] == ordered[:, last], dtype=np.float64)


MEASURES = (
    Measure(
        "hit_rate",
        needs="matches",
        function=hit_rate,
        help="share of queries whose right item is among their k nearest (R@k); by default k is 1",
        undefined="there are no queries",
        parameters=CutOff,
        by_unit=True,
    ),
    Measure(
        "tie_share",
        needs="similarities",
        function=tie_share,
        help="share of queries for which a tie decides who is among the k nearest",
        undefined="there are no queries",
        parameters=CutOff,
        by_unit=True,
        higher_is_better=False,
    ),
)
