"""CombANZ: the mean of the normalized scores that a document has."""

from __future__ import annotations

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.example import TWO_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool


class CombAnz(ScoreFusion):
    """Fuse scored lists: the mean of the normalized scores over the runs that found a document.

    ``score = (sum s) / |L|`` over the runs L that found the document, s normalized list by list.

    Notes
    -----
    A run that lacks a document is skipped. A document that one run alone puts first stands above
    one that all runs put second.

    The parts of `explain` add up to the score.

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Examples
    --------
    >>> from normalizers import CombAnz
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = CombAnz().apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 0.8), ('b', 0.7), ('c', 0.5), ('d', 0.0)]
    """

    name = "combanz"
    fusion_aliases = {"anz": {}}
    example = TWO_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return each score's share of the mean."""
        return entries.values.values / entries.spread(entries.finders)
