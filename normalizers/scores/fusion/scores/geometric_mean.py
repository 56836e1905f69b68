"""The weighted geometric mean of the positive normalized scores of a document."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.base.weighted import WeightedFusion
from normalizers.scores.fusion.runs.example import TWO_WEIGHTED_RUNS
from normalizers.scores.fusion.runs.pool import Entries, Pool
from normalizers.scores.fusion.runs.selection import positive_weights


class GeometricMean(WeightedFusion, ScoreFusion):
    """Fuse scored lists: the weighted geometric mean of normalized scores.

    ``score = exp(sum w ln s / sum w)`` over the runs that found the document with s > 0; 0 without
    any.

    Notes
    -----
    A run that lacks a document, or scores it 0 or less, is skipped with its weight. Without weights
    each is 1; they are used as given unless `normalize_weights`. A run of weight 0 gives 0 and its
    documents stay unless `drop_zero_weight`.

    In `explain` the runs share the score by their weights: the parts add up to it. The preset
    ``opensearch`` lifts a 0 to 0.001.

    References
    ----------
    The combination techniques of OpenSearch's normalization processor.

    Examples
    --------
    >>> from normalizers import GeometricMean
    >>> words = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
    >>> vectors = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
    >>> answer = GeometricMean(weights=[0.4, 0.6]).apply_to(runs=[words, vectors])
    >>> list(zip(answer["ids"].tolist(), answer["scores"].round(4).tolist()))
    [('c', 1.0), ('a', 0.736), ('b', 0.7), ('d', 0.0)]
    """

    name = "geometric_mean"
    presets = {
        "opensearch": {"normalizer": {"method": "min_max", "params": {"preset": "opensearch"}}}
    }
    example = TWO_WEIGHTED_RUNS

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the share of each run in the mean, by its weight."""
        weights = positive_weights(entries)
        logs = np.log(np.where(weights > 0, entries.values.values, 1.0))
        whole = entries.totals(weights)
        whole[whole == 0] = 1.0
        # The exponential of the mean logarithm: a product of many scores would leave the range.
        mean = np.exp(entries.totals(weights * logs) / whole)
        # Shares by weight add up to the mean, as `explain` promises; single factors do not.
        return weights * entries.spread(mean / whole)
