"""SegFuse: how often each run was right in growing segments of ranks, times the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.contract import Batch, Notice
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.score_fusion import ScoreFusion
from normalizers.scores.fusion.runs.pool import Entries, Pool, Share
from normalizers.scores.fusion.training.bands import band_of, band_shares
from normalizers.scores.fusion.training.rank_tallies import RankTallies
from normalizers.scores.fusion.training.trained_fusion import (
    TrainedFusion,
    beyond_depth,
    depths_of,
    rows_of,
)
from normalizers.scores.fusion.training.training_example import TRAINED
from normalizers.statistics import Counts

# Ten segments that end at rank 10 * 2^(j - 1) - 5.
ENDS = 10 * 2 ** np.arange(10) - 5


class SegFuse(TrainedFusion, ScoreFusion):
    """Fuse scored lists: the sum of how often each run was right around that rank, times a score.

    ``score = sum over runs of P(j) (s + 1)``, s normalized list by list and j the segment of the
    document's rank; segments end at ranks 5, 15, 35, 75 and so on, ten of them, each twice as
    long as the one before but for the first. P(j) is the relevant training hits of a segment
    divided by its size and the number of queries.

    Notes
    -----
    A rank past the last segment, 5115, gives 0; lists longer than those of the fit give the warning
    ``beyond_trained_depth``. A document that a run did not return gets nothing from it. Statistics
    are exact counts: parts of the queries merge to the same fit. Sums are exactly rounded, the
    parts of `explain` add up to the score.

    References
    ----------
    Shokouhi, "Segmentation of search results for effective data-fusion", ECIR 2007.

    Examples
    --------
    >>> from normalizers import SegFuse
    >>> runs = [{"name": "words", "ids": [["a", "b"]], "scores": [[3.0, 1.0]]}]
    >>> fusion = SegFuse().fit(runs, qrels={"ids": [["a"]]})
    >>> given = [{"name": "words", "ids": ["x", "y"], "scores": [9.0, 7.0]}]
    >>> fusion.apply_to(runs=given)["scores"].tolist()
    [0.4, 0.2]
    """

    name = "segfuse"
    example = TRAINED

    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the share of relevant hits in each segment, one row a run."""
        tallies = [RankTallies.of(each) for each in counts]
        shares = np.array([band_shares(each, ENDS) for each in tallies]).reshape(-1, len(ENDS))
        return {"depths": depths_of(tallies), "probabilities": shares}

    def shares(self, pool: Pool, batch: Batch) -> tuple[list[Share], list[Notice]]:
        """Return the normalized scores of each run."""
        shares, notices = super().shares(pool, batch)
        return shares, [*notices, *beyond_depth(pool, rows_of(pool))]

    def contributions(self, entries: Entries, pool: Pool) -> Array:
        """Return the share of the segment of each hit, times its score plus 1."""
        by_run = [
            np.append(pool.fitted["probabilities"][row], 0.0)[band_of(run.ranks, ENDS)]
            for run, row in zip(pool.runs, rows_of(pool), strict=True)
        ]
        shares = np.concatenate([np.empty(0), *by_run])
        return np.asarray(shares[entries.hits] * (entries.values.values + 1))
