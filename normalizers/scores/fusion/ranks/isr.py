"""Inverse square rank fusion."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.scores.fusion.base.inverse_square import InverseSquareFusion


class InverseSquareRank(InverseSquareFusion):
    """Fuse ranked lists: the sum of inverse square ranks, times the number of runs that agree.

    ``score = |L| * sum 1 / rank^2`` over the runs L that found the document, ranks from 1.

    Notes
    -----
    A document that a run did not return gets nothing from it. There are no weights. Sums are
    exactly rounded, so neither the order of the runs nor of their hits changes a bit. The parts of
    `explain` add up to the score divided by their ``factor``, the number of runs. Cost O(N log N)
    for N hits in all.

    References
    ----------
    Mourao, Martins, Magalhaes, "Multimodal medical information retrieval with unsupervised rank
    fusion", Computerized Medical Imaging and Graphics, 2015.

    Examples
    --------
    >>> from normalizers import InverseSquareRank
    >>> runs = [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]
    >>> InverseSquareRank().apply_to(runs=runs)["scores"].tolist()
    [2.5, 1.0, 0.25]
    """

    name = "isr"
    example = Example(input={"runs": [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]})

    def bonus(self, finders: Array) -> Array:
        """Return the number of runs."""
        return finders.astype(np.float64)
