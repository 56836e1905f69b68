"""Rank-biased centroids: a document's score falls geometrically with its ranks."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.fusion import RankFusion
from normalizers.scores.fusion.runs.pool import Pool
from normalizers.scores.fusion.runs.run import Run
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Scale


class RankBiasedCentroids(GridSearchFusion, RankFusion):
    """Fuse ranked lists: the sum of ``(1 - phi) phi^(rank - 1)`` over the runs.

    ``phi`` is the chance that a reader goes on to the next rank: small values look at the top
    only, values near 1 far down. It must be given, or found by a fit; 0.95 did best on the
    Cranfield and CACM collections.

    Notes
    -----
    A document that a run did not return gets nothing from it. There are no weights. Sums are
    exactly rounded: the order of the runs changes no bit, and the parts of `explain` add up to the
    score. Far down, contributions fall below the smallest float and are 0. Cost O(N log N) for N
    hits in all.

    A fit on judged runs with a `measure` finds `phi`: 0.01 to 0.99 by 0.01 is tried, or `grid`; of
    equally good values the smallest is taken.

    References
    ----------
    Bailey, Moffat, Scholer, Thomas, "Retrieval consistency in the presence of query variations",
    SIGIR 2017.

    Examples
    --------
    >>> from normalizers import RankBiasedCentroids
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> RankBiasedCentroids(phi=0.5).apply_to(runs=runs)["scores"].tolist()
    [0.75, 0.5, 0.25]
    """

    name = "rbc"
    searched = "phi"
    required_or_fitted = ("phi",)
    aliases = {"rbp": {}, "rank_biased_centroids": {}}
    example = Example(
        params={"phi": 0.95}, input={"runs": [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]}
    )

    phi: float | None = param(
        default=None,
        affects="answer",
        gt=0,
        lt=1,
        help="chance that a reader goes on to the next rank; required, or found by a fit",
    )

    @property
    def space(self) -> Scale:
        """Phi from 0.01 to 0.99 in hundredths."""
        return Scale("phi", 0.01, 0.99, 0.01)

    def by_rank(self, run: Run, weight: float, pool: Pool) -> Array:
        """Return ``(1 - phi) phi^(rank - 1)`` for each hit of a run."""
        phi = unwrap(self.phi)
        # phi^(rank - 1) of a far rank is 0 to every digit of the sum.
        with np.errstate(under="ignore"):
            return np.asarray((1 - phi) * phi ** (run.ranks - 1.0))
