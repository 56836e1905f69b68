"""PosFuse: the share of relevant documents that each run had at a rank, added up."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Fitted
from normalizers.data.arrays import Array
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.training.rank_shares import RankShares
from normalizers.scores.fusion.training.training_example import TRAINED


class PosFuse(RankShares):
    """Fuse ranked lists: the sum of how often each run was right at that rank.

    ``score = sum P(rank)`` over the runs, P(r) the share of relevant documents at rank r among
    the training lists that reach rank r.

    Notes
    -----
    A rank beyond the longest training list gives 0, with the warning ``beyond_trained_depth``.
    Every query of a fit counts, also one without relevant documents. Statistics are exact counts:
    parts of the queries merge to the same fit. Sums are exactly rounded, the parts of `explain` add
    up to the score. Cost O(N log N) for N hits in all.

    References
    ----------
    Lillis, Zhang, Toolan, Collier, Leonard, Dunnion, "Estimating probabilities for effective data
    fusion", SIGIR 2010.

    Examples
    --------
    >>> from normalizers import PosFuse
    >>> runs = [{"name": "words", "ids": [["a", "b"], ["c", "d"]]}]
    >>> fusion = PosFuse().fit(runs, qrels={"ids": [["a"], ["c", "d"]]})
    >>> fusion.apply_to(runs=[{"name": "words", "ids": ["x", "y"]}])["scores"].tolist()
    [1.0, 0.5]
    """

    name = "posfuse"
    example = TRAINED

    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return the share of relevant documents at the rank of each hit."""
        shares = np.append(fitted["probabilities"][row], 0.0)
        return np.asarray(shares[np.minimum(run.ranks, len(shares)) - 1])
