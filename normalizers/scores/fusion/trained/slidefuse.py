"""SlideFuse: how often each run was right at the ranks around a rank, added up."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from normalizers.contract import Example, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.search.space import Scale
from normalizers.scores.fusion.search.trained_search import SearchingTrainedFusion
from normalizers.scores.fusion.training.rank_shares import RankShares
from normalizers.scores.fusion.training.training_example import GIVEN, TRAINING

WIDEST = 10_000


class SlideFuse(SearchingTrainedFusion, RankShares):
    """Fuse ranked lists: the sum of how often each run was right around that rank.

    ``score = sum over runs of the mean of P(rank - w) .. P(rank + w)``, the window cut to the
    list; P(r) is the share of relevant documents at rank r among the training lists that reach
    rank r, as in `posfuse`.

    Notes
    -----
    Ranks beyond the longest training list count as 0 in a mean, with the warning
    ``beyond_trained_depth``. ``w`` 0 is `posfuse`. Statistics are exact counts: parts of the
    queries merge to the same fit. Sums are exactly rounded, the parts of `explain` add up to the
    score. Cost O(N log N) for N hits in all, and O(n w) for each length n of a list.

    A fit on judged runs with a `measure` finds `w`: 1 to 100 is tried, or `grid`; of equally good
    values the smallest is taken.

    References
    ----------
    Lillis, Toolan, Collier, Dunnion, "Extending probabilistic data fusion using sliding windows",
    ECIR 2008.

    Examples
    --------
    >>> from normalizers import SlideFuse
    >>> runs = [{"name": "words", "ids": [["a", "b"], ["c", "d"]]}]
    >>> fusion = SlideFuse(w=1).fit(runs, qrels={"ids": [["a"], ["c", "d"]]})
    >>> fusion.apply_to(runs=[{"name": "words", "ids": ["x", "y"]}])["scores"].tolist()
    [0.75, 0.75]
    """

    name = "slidefuse"
    searched = "w"
    example = Example(params={"w": 1}, fit=TRAINING, input=GIVEN)

    w: int | None = param(
        default=None,
        affects="answer",
        ge=0,
        le=WIDEST,
        help="ranks to either side that a mean takes in; required, or found by a fit",
    )

    @property
    def space(self) -> Scale:
        """Ranks from 1 to 100."""
        return Scale("w", 1.0, 100.0, 1.0, whole=True)

    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return the mean share of relevant documents around the rank of each hit."""
        shares, lengths = fitted["probabilities"][row], run.lengths
        means = np.zeros(len(run.ranks))
        for length in np.unique(lengths).tolist():
            mine = lengths == length
            means[mine] = _smoothed(shares, length, unwrap(self.w))[run.ranks[mine] - 1]
        return means


def _smoothed(shares: Array, length: int, w: int) -> Array:
    """Return the mean of the shares around each rank of a list of this length."""
    reach = min(w, length)
    padded = np.zeros(length + 2 * reach)
    kept = min(length, len(shares))
    padded[reach : reach + kept] = shares[:kept]
    sums = sliding_window_view(padded, 2 * reach + 1).sum(axis=1)
    ranks = np.arange(length)
    # Near the ends fewer ranks lie within w: the zeros beyond the list do not count.
    counts = np.minimum(ranks + reach, length - 1) - np.maximum(ranks - reach, 0) + 1
    return np.asarray(sums / counts)
