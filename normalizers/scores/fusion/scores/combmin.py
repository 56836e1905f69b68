"""CombMIN: the lowest of the normalized scores of a document."""

from __future__ import annotations

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.selection import chosen


class CombMin(ScoreFusion):
    """Fuse scored lists: the lowest normalized score over the runs that found a document.

    ``score = min s`` over the runs that found the document, s normalized list by list.

    Notes
    -----
    A run that lacks a document is skipped.

    In `explain` the runs whose scores count contribute them, the others 0: the parts add up to the
    score.

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Examples
    --------
    >>> from normalizers import CombMin
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = CombMin().apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('b', 0.7), ('a', 0.6), ('c', 0.0), ('d', 0.0)]
    """

    name = "combmin"
    fusion_aliases = {"min": {}}
    example = TWO_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the lowest score, of several equal ones the first."""
        return chosen(entries, segments.minima(entries.values))
