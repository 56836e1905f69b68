"""Identity: raw scores, in the direction in which more is better."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.scores.lists.base.pointwise import PointwiseMap


class Identity(PointwiseMap):
    """Keep scores as they are; where lower ones are better they change their sign.

    ``value = score``, or ``-score`` where lower scores are better: a fusion takes larger values
    as better ones.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or missing in their place.
    Ties and lists without spread stay as they are. Raw scores of different retrievers are rarely
    on one scale; a sum of them follows the run of the largest spread. Cost O(N).

    References
    ----------
    Fox and Shaw, "Combination of multiple searches", TREC-2, 1994, add raw scores.

    Examples
    --------
    >>> from normalizers import Identity
    >>> Identity().transform([12.0, 7.0]).tolist()
    [12.0, 7.0]
    >>> Identity(similarity="l2").transform([0.1, 0.9]).tolist()
    [-0.1, -0.9]
    """

    name = "identity"
    bounded = False
    aliases = {"none": {}, "raw": {}}
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    def forward(self, scores: Array) -> Array:
        """Return the scores."""
        return scores

    def backward(self, values: Array) -> tuple[Array, Array]:
        """Return the values."""
        return values, np.zeros(len(values), dtype=bool)
