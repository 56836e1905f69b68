"""Inverse square rank fusion with a logarithmic bonus that single finders share in."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.inverse_square import InverseSquareFusion
from normalizers.scores.fusion.search.grid_search import GridSearchFusion
from normalizers.scores.fusion.search.space import Scale

# ranx's default.
STANDARD_SIGMA = 0.01


class LogNInverseSquareRank(GridSearchFusion, InverseSquareFusion):
    """Fuse ranked lists: as `log_isr`, but documents of one run keep their order.

    ``score = ln(|L| + sigma) * sum 1 / rank^2`` over the runs L that found the document, ranks
    from 1.

    Notes
    -----
    With ``sigma`` 0 it is `log_isr`. There are no weights. The parts of `explain` add up to the
    score divided by their ``factor``, the logarithm. Cost O(N log N) for N hits in all.

    A fit on judged runs with a `measure` finds `sigma`: 0 to 1 by 0.01 is tried, or `grid`; of
    equally good values the smallest is taken.

    References
    ----------
    Mourao, Martins, Magalhaes, "Multimodal medical information retrieval with unsupervised rank
    fusion", Computerized Medical Imaging and Graphics, 2015; ranx's ``logn_isr``.

    Examples
    --------
    >>> from normalizers import LogNInverseSquareRank
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> LogNInverseSquareRank(sigma=0.5).apply_to(runs=runs)["scores"].round(4).tolist()
    [1.1454, 0.4055, 0.1014]
    """

    name = "logn_isr"
    searched = "sigma"
    example = Example(
        params={"sigma": 0.01}, input={"runs": [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]}
    )

    sigma: float | None = param(
        default=None,
        default_value=STANDARD_SIGMA,
        affects="answer",
        ge=0,
        le=1,
        help="what is added to the number of runs before the logarithm",
    )

    @property
    def space(self) -> Scale:
        """Sigma from 0 to 1 in hundredths."""
        return Scale("sigma", 0.0, 1.0, 0.01)

    def bonus(self, finders: Array) -> Array:
        """Return the logarithm of the number of runs plus sigma."""
        return np.log(np.maximum(finders, 1) + unwrap(self.sigma))
