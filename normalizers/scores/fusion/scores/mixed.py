"""Mixed fusion: the weighted sum of normalized scores times the root of the number of runs."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.search.searched_weights import SearchedWeights


class Mixed(SearchedWeights, ScoreFusion):
    """Fuse scored lists: the weighted sum of scores, times the root of the number of its runs.

    ``score = sqrt(|L|) * sum w s`` over the runs L that found the document, s normalized list by
    list.

    Notes
    -----
    A run that lacks a document is skipped. Without weights each is 1; they are used as given unless
    `normalize_weights`. A run of weight 0 gives 0 and its documents stay unless `drop_zero_weight`.

    The parts of `explain` add up to the score divided by its ``factor``.

    References
    ----------
    ranx's ``mixed``: Bassani and Romelli, "ranx.fuse", CIKM 2022.

    Examples
    --------
    >>> from normalizers import Mixed
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = Mixed(weights=[0.4, 0.6]).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 1.0748), ('c', 0.8485), ('b', 0.28), ('d', 0.0)]
    """

    name = "mixed"
    example = TWO_WEIGHTED_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the weighted scores."""
        return entries.weights * entries.values.values

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the root of the number of runs."""
        return np.sqrt(entries.finders)
