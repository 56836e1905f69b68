"""WMNZ: the sum of normalized scores times the weights of the runs that agree."""

from __future__ import annotations

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.search.searched_weights import SearchedWeights


class WeightedMnz(SearchedWeights, ScoreFusion):
    """Fuse scored lists: the sum of normalized scores, times the sum of its runs' weights.

    ``score = (sum s) * (sum w)``, both over the runs that found the document, s normalized list by
    list.

    Notes
    -----
    A run that lacks a document is skipped. Without weights each is 1; they are used as given unless
    `normalize_weights`. A run of weight 0 gives 0 and its documents stay unless `drop_zero_weight`.

    The parts of `explain` add up to the score divided by its ``factor``.

    References
    ----------
    Wu and McClean, "Performance prediction of data fusion for information retrieval", Information
    Processing and Management, 2006; ranx's ``wmnz``.

    Examples
    --------
    >>> from normalizers import WeightedMnz
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = WeightedMnz(weights=[0.4, 0.6]).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 1.6), ('c', 1.0), ('b', 0.28), ('d', 0.0)]
    """

    name = "wmnz"
    example = TWO_WEIGHTED_RUNS

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the sum of the weights of the runs that found a document."""
        return entries.finders_weight()
