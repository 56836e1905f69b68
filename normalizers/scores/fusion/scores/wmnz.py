"""WMNZ: the sum of normalized scores times the weights of the runs that agree."""

from __future__ import annotations

from normalizers.contract.example import Example
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
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
    Missing scores follow `nan_policy`. Lists without spread give their normalizer's constant and
    the warning ``constant_list``. An id twice in a list counts at its best place. Sums are exactly
    rounded: the order of the runs changes no bit, equal contributions tie exactly, and ties are
    ordered by id ascending.

    The parts of `explain` add up to the score divided by its ``factor``. Cost O(N log N) for N hits
    in all.

    A fit on judged runs with a `measure` finds the weights: all tuples of tenths that add up to 1
    are tried, or those of `grid`; of equally good ones the first, in ascending order, is taken.

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
    example = Example(
        params={"weights": {"words": 0.4, "vectors": 0.6}},
        input={
            "runs": [
                {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]},
                {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]},
            ]
        },
    )

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the sum of the weights of the runs that found a document."""
        return entries.finders_weight()
