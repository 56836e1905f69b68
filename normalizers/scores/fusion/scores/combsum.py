"""CombSUM: normalized scores of the runs, added up."""

from __future__ import annotations

from normalizers.scores.fusion.base.summing import SummingFusion
from normalizers.scores.fusion.runs.example import TWO_RUNS


class CombSum(SummingFusion):
    """Fuse scored lists: the score of a document is the sum of its normalized scores.

    ``score = sum s`` over the runs, s normalized list by list (`normalizer`, min_max without one).

    Notes
    -----
    A document that a run lacks counts as `missing` says: with ``auto`` as 0 where the run's
    normalizer is bounded, else as the run's lowest value, because 0 would mean an average document.

    The parts of `explain` add up to the score. Presets: ``qdrant`` adds distribution-based scores,
    ``ranx`` gives constant lists 0, ``trectools`` adds raw scores.

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994.

    Examples
    --------
    >>> from normalizers import CombSum
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = CombSum().apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 1.6), ('c', 1.0), ('b', 0.7), ('d', 0.0)]
    """

    name = "combsum"
    fusion_aliases = {"sum": {}}
    presets = {
        "qdrant": {"normalizer": "dbsf", "missing": "zero"},
        "ranx": {
            "normalizer": {"method": "min_max", "params": {"constant_value": 0.0}},
            "missing": "zero",
        },
        "trectools": {"normalizer": "identity", "missing": "zero"},
    }
    example = TWO_RUNS
