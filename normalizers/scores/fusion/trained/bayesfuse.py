"""BayesFuse: the log odds of relevance that each run had in bands of ranks, added up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.contract import Fitted
from normalizers.data.arrays import Array
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.training.bands import band_of, band_shares
from normalizers.scores.fusion.training.rank_tallies import RankTallies
from normalizers.scores.fusion.training.trained_fusion import TrainedRankFusion, depths_of
from normalizers.scores.fusion.training.training_example import TRAINED
from normalizers.statistics import Counts

# The ends of the bands, as ranx has them: finer where lists differ most.
ENDS = np.array([5, 10, 15, 20, 30, 100, 200, 500, 1000])
# What a share of 0 counts as, right or wrong.
SMALLEST = 0.001
LOWEST = float(np.log(SMALLEST / (1 - SMALLEST)))


class BayesFuse(TrainedRankFusion):
    """Fuse ranked lists: the sum of the log odds that each run was right in that band of ranks.

    ``score = sum ln(p / (1 - p))`` over the runs, p the relevant training hits of a band divided
    by its size and the number of queries. Bands end at ranks 5, 10, 15, 20, 30, 100, 200, 500 and
    1000. A p or 1 - p of 0 counts as 0.001.

    Notes
    -----
    A document that a run did not return, and a rank past 1000, gives ``ln(0.001 / 0.999)``; an
    empty list gives nothing. Lists longer than those of the fit give the warning
    ``beyond_trained_depth``. Documents of one band tie in a run. Statistics are exact counts: parts
    of the queries merge to the same fit. Sums are exactly rounded, the parts of `explain` add up to
    the score. Cost O(N log N + C m) for N hits of m runs.

    References
    ----------
    Aslam, Montague, "Models for metasearch", SIGIR 2001; ranx's ``bayesfuse``.

    Examples
    --------
    >>> from normalizers import BayesFuse
    >>> runs = [{"name": "words", "ids": [["a", "b"], ["c", "d"]]}]
    >>> fusion = BayesFuse().fit(runs, qrels={"ids": [["a"], ["c", "d"]]})
    >>> fusion.apply_to(runs=[{"name": "words", "ids": ["x"]}])["scores"].round(4).tolist()
    [-0.8473]
    """

    name = "bayesfuse"
    example = TRAINED

    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the log odds of each band, one row a run."""
        tallies = [RankTallies.of(each) for each in counts]
        shares = np.array([band_shares(each, ENDS) for each in tallies]).reshape(-1, len(ENDS))
        # ln(p / (1 - p)) is infinite at 0 and 1; each side counts as SMALLEST there.
        right = np.where(shares == 0, SMALLEST, shares)
        odds = np.log(right / np.where(right == 1, SMALLEST, 1 - right))
        return {"depths": depths_of(tallies), "log_odds": odds}

    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return the log odds of the band of each hit."""
        odds = np.append(fitted["log_odds"][row], LOWEST)
        return np.asarray(odds[band_of(run.ranks, ENDS)])

    def by_absence(self, run: Run) -> Array | None:
        """Return the lowest log odds; nothing of an empty list."""
        return np.where(run.ids.lengths > 0, LOWEST, np.nan)
