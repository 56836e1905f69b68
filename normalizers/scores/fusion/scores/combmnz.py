"""CombMNZ: the sum of normalized scores times the number of runs that agree."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool


class CombMnz(ScoreFusion):
    """Fuse scored lists: the sum of normalized scores, times the number of runs that found it.

    ``score = |L| * sum s`` over the runs L that found the document, s normalized list by list.

    Notes
    -----
    A run that lacks a document is skipped.

    The parts of `explain` add up to the score divided by its ``factor``.

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Examples
    --------
    >>> from normalizers import CombMnz
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = CombMnz().apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 3.2), ('c', 2.0), ('b', 0.7), ('d', 0.0)]
    """

    name = "combmnz"
    fusion_aliases = {"mnz": {}}
    example = TWO_RUNS

    def factor(self, entries: Entries, pool: Pool) -> Array | None:
        """Return the number of runs."""
        return entries.finders.astype(np.float64)
