"""MAPFuse: each run's mean average precision over the rank, added up."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.contract import Fitted, Statistics
from normalizers.data.arrays import Array
from normalizers.measures.judged import Judged
from normalizers.measures.rankings import average_precision
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.training.trained_fusion import COUNTS, TrainedRankFusion
from normalizers.scores.fusion.training.training_example import TRAINED
from normalizers.statistics import Counts, Grouped
from normalizers.statistics.base.posted import refuse_where


class MapFuse(TrainedRankFusion):
    """Fuse ranked lists: the sum of the mean average precision of each run over the rank.

    ``score = sum MAP / rank`` over the runs; the average precision of a training list has all
    relevant documents of its query in the denominator, found or not.

    Notes
    -----
    Training queries without a relevant document have no average precision and do not count. A
    document that a run did not return gets nothing from it. The statistics are counts of the values
    of the average precision: parts of the queries merge to the same fit. Sums are exactly rounded,
    the parts of `explain` add up to the score. Cost O(N log N) for N hits in all.

    References
    ----------
    Lillis, Toolan, Collier, Dunnion, "Extending probabilistic data fusion using sliding windows",
    ECIR 2008; ranx's ``mapfuse``.

    Examples
    --------
    >>> from normalizers import MapFuse
    >>> runs = [{"name": "words", "ids": [["a", "b"], ["c", "d"]]}]
    >>> fusion = MapFuse().fit(runs, qrels={"ids": [["a"], ["d"]]})
    >>> fusion.apply_to(runs=[{"name": "words", "ids": ["x", "y"]}])["scores"].tolist()
    [0.75, 0.375]
    """

    name = "mapfuse"
    example = TRAINED

    def count(self, judged: Judged) -> tuple[Array, Array]:
        """Return the average precision of each query that has one."""
        values = average_precision(judged)
        known = values[~np.isnan(values)]
        return known, np.ones(len(known))

    def describe(self, counts: Counts) -> dict[str, object]:
        """Return what the fit report says of a run."""
        found = counts.n - int(counts.at(np.zeros(1))[0])
        return {"queries": counts.n, "map": _mean(counts), "relevant": found}

    def check_statistics(self, statistics: Statistics, path: str) -> None:
        """Refuse posted values that are no average precision."""
        kept = statistics[COUNTS]
        if isinstance(kept, Grouped):
            for key in kept:
                bins = kept[key].bins
                wrong = (bins < 0) | (bins > 1)
                place = f"{path}.{COUNTS}.bins"
                refuse_where(wrong, "an average precision is within 0..1", place)

    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the mean average precision of each run."""
        return {"map": np.array([_mean(each) for each in counts])}

    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return the mean average precision over the rank of each hit."""
        return np.asarray(fitted["map"][row] / run.ranks)


def _mean(counts: Counts) -> float:
    """Return the mean of counted values, exactly rounded but for the last division."""
    # fsum: merged parts come in any order, and the mean must not depend on it.
    return math.fsum(counts.bins * counts.counts) / max(counts.n, 1)
