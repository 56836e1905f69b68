"""The weighted harmonic mean of the positive normalized scores of a document."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.kernels import segments
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.selection import positive_weights


class HarmonicMean(WeightedFusion, ScoreFusion):
    """Fuse scored lists: the weighted harmonic mean of normalized scores.

    ``score = sum w / sum (w / s)`` over the runs that found the document with s > 0; 0 without any.

    Notes
    -----
    A run that lacks a document, or scores it 0 or less, is skipped with its weight. Without weights
    each is 1; they are used as given unless `normalize_weights`. A run of weight 0 gives 0 and its
    documents stay unless `drop_zero_weight`.

    In `explain` a run contributes its weight over ``sum (w / s)``: the parts add up to the score.
    The preset ``opensearch`` lifts the lowest hit of a list to 0.001.

    References
    ----------
    The combination techniques of OpenSearch's normalization processor.

    Examples
    --------
    >>> from normalizers import HarmonicMean
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = HarmonicMean(weights=[0.4, 0.6]).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('c', 1.0), ('a', 0.7143), ('b', 0.7), ('d', 0.0)]
    """

    name = "harmonic_mean"
    presets = {
        "opensearch": {"normalizer": {"method": "min_max", "params": {"preset": "opensearch"}}}
    }
    example = TWO_WEIGHTED_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return each weight over the sum of weights over scores, in units of the lowest score."""
        weights = positive_weights(entries)
        scores = np.where(weights > 0, entries.values.values, np.inf)
        smallest = segments.minima(entries.values.with_values(scores))
        unit = np.where(np.isfinite(smallest), smallest, 0.0)
        # unit / score is at most 1, where 1 / score of a tiny score would overflow.
        inverse = entries.totals(weights * (entries.spread(unit) / scores))
        inverse[inverse == 0] = 1.0
        return weights * entries.spread(unit / inverse)
