"""ProbFuse: how often each run was right in a segment of its list, over the segment's number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.contract import Example, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.search.space import Scale
from normalizers.scores.fusion.search.trained_search import SearchingTrainedFusion
from normalizers.scores.fusion.training.rank_tallies import RankTallies
from normalizers.scores.fusion.training.training_example import GIVEN, TRAINING
from normalizers.statistics import Counts

MOST_SEGMENTS = 10_000


class ProbFuse(SearchingTrainedFusion):
    """Fuse ranked lists: the sum of how often each run was right in a segment of its lists.

    ``score = sum over runs of P(j) / j``, j the segment of the document: every list of n hits is
    cut into `n_segments` segments of ``ceil(n / n_segments)`` hits. P(j) is the mean over the
    training queries of the share of relevant hits in segment j; an empty segment counts 0.

    Notes
    -----
    Served lists are cut like those of the fit, whatever their length. Documents of one segment tie
    in a run. Statistics are exact counts: parts of the queries merge to the same fit, and another
    `n_segments` needs no other fit. Sums are exactly rounded, the parts of `explain` add up to the
    score. Cost O(N log N) for N hits in all.

    A fit on judged runs with a `measure` finds `n_segments`: 1 to 100 is tried, or `grid`; of
    equally good values the smallest is taken.

    References
    ----------
    Lillis, Toolan, Collier, Dunnion, "ProbFuse: a probabilistic approach to data fusion", SIGIR
    2006.

    Examples
    --------
    >>> from normalizers import ProbFuse
    >>> runs = [{"name": "words", "ids": [["a", "b", "c"], ["d", "e", "f"]]}]
    >>> fusion = ProbFuse(n_segments=2).fit(runs, qrels={"ids": [["a"], ["d", "e", "f"]]})
    >>> fusion.apply_to(runs=[{"name": "words", "ids": ["x", "y", "z"]}])["scores"].tolist()
    [0.75, 0.75, 0.25]
    """

    name = "probfuse"
    searched = "n_segments"
    example = Example(params={"n_segments": 2}, fit=TRAINING, input=GIVEN)

    n_segments: int | None = param(
        default=None,
        affects="solution",
        ge=1,
        le=MOST_SEGMENTS,
        help="how many segments a list is cut into; required, or found by a fit",
    )

    @property
    def space(self) -> Scale:
        """Segments from 1 to 100."""
        return Scale("n_segments", 1.0, 100.0, 1.0, whole=True)

    def solve_runs(self, counts: Sequence[Counts]) -> Mapping[str, Array]:
        """Return the mean share of relevant hits in each segment, one row a run."""
        segments = unwrap(self.n_segments)
        shares = [_shares(RankTallies.of(each), segments) for each in counts]
        return {"probabilities": np.array(shares).reshape(len(counts), segments)}

    def by_rank(self, run: Run, row: int, fitted: Fitted) -> Array:
        """Return the share of the segment of each hit over its number."""
        shares = fitted["probabilities"][row]
        segment = (run.ranks - 1) // _sizes(run.lengths, len(shares))
        return np.asarray(shares[segment] / (segment + 1))


def _sizes(lengths: Array, segments: int) -> Array:
    """Return how many hits the segments of lists of these lengths have."""
    return np.asarray(-(-lengths // segments))


def _shares(tallies: RankTallies, segments: int) -> Array:
    size = _sizes(tallies.lengths, segments)
    segment = (tallies.ranks - 1) // np.maximum(size, 1)
    # The last segment of a list may be shorter than the others.
    held = np.minimum(size, tallies.lengths - segment * size)
    shares = np.bincount(segment, tallies.relevant / held, segments)
    return np.asarray(shares / max(tallies.queries, 1))
