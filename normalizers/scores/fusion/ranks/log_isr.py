"""Inverse square rank fusion with a logarithmic bonus."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.inverse_square import InverseSquareFusion


class LogInverseSquareRank(InverseSquareFusion):
    """Fuse ranked lists: the sum of inverse square ranks, times the log of the number of runs.

    ``score = ln(|L|) * sum 1 / rank^2`` over the runs L that found the document, ranks from 1.

    Notes
    -----
    A document that one run alone found gets exactly 0, whatever its rank: such documents tie and
    are ordered by id, which costs recall; `logn_isr` keeps them apart. There are no weights. The
    parts of `explain` add up to the score divided by their ``factor``, the logarithm. Cost O(N log
    N) for N hits in all.

    References
    ----------
    Mourao, Martins, Magalhaes, "Multimodal medical information retrieval with unsupervised rank
    fusion", Computerized Medical Imaging and Graphics, 2015.

    Examples
    --------
    >>> from normalizers import LogInverseSquareRank
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> LogInverseSquareRank().apply_to(runs=runs)["scores"].round(4).tolist()
    [0.8664, 0.0, 0.0]
    """

    name = "log_isr"
    example = Example(input={"runs": [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]})

    def bonus(self, finders: Array) -> Array:
        """Return the logarithm of the number of runs; documents of no run count as of one."""
        # ln 0 is infinite, and an infinite factor of nothing NaN.
        return np.log(np.maximum(finders, 1))
