"""The weighted mean of the normalized scores over all runs."""

from __future__ import annotations

import math

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool


class ArithmeticMean(WeightedFusion, ScoreFusion):
    """Fuse scored lists: the weighted mean of normalized scores, over all runs.

    ``score = sum w s / sum w``; a run that lacks the document counts as 0 and keeps its weight.

    Notes
    -----
    Without weights each is 1; they are used as given unless `normalize_weights`. A run of weight 0
    gives 0 and its documents stay unless `drop_zero_weight`.

    The parts of `explain` add up to the score. The preset ``opensearch`` lifts the lowest hit of a
    list to 0.001, ``mongodb`` takes the sigmoid of raw scores.

    References
    ----------
    The combination techniques of OpenSearch's normalization processor; MongoDB's ``$scoreFusion``.

    Examples
    --------
    >>> from normalizers import ArithmeticMean
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = ArithmeticMean(weights=[0.4, 0.6]).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('a', 0.76), ('c', 0.6), ('b', 0.28), ('d', 0.0)]
    """

    name = "arithmetic_mean"
    presets = {
        "opensearch": {"normalizer": {"method": "min_max", "params": {"preset": "opensearch"}}},
        "mongodb": {"normalizer": "sigmoid"},
    }
    example = TWO_WEIGHTED_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return each score's share of the mean."""
        # Divided first: shares of the weights are at most 1, however large the weights are.
        return entries.weights / math.fsum(pool.weights) * entries.values.values
