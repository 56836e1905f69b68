"""A map of any score to a positive one."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.scores.lists.base.open_interval import SMALLEST
from normalizers.scores.lists.base.pointwise import PointwiseMap


class PositiveMap(PointwiseMap):
    """Map scores to positive ones, increasing everywhere.

    ``value = max(score, 0) + min(exp(score), 1)``: the exponential below 0, ``score + 1`` above.
    Where lower scores are better all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or missing in their place.
    Ties and lists without spread are ordinary: every score is mapped by itself. Scores far below
    0 round to 0; in the inverse a value of 0 counts as the smallest positive number and is
    flagged ``clipped``, a negative one is refused. Cost O(N).

    References
    ----------
    Elasticsearch's map of the scores of rerankers (elastic/elasticsearch#120930).

    Examples
    --------
    >>> from normalizers import PositiveMap
    >>> PositiveMap().transform([-3.0, 0.0, 4.0]).round(4).tolist()
    [0.0498, 1.0, 5.0]
    """

    name = "positive_map"
    aliases = {"positive_map_elastic": {}}
    example = Example(input={"scores": [[4.0, 0.5, -0.5], [-3.0], []]})

    def forward(self, scores: Array) -> Array:
        """Return the exponential below 0 and ``score + 1`` above."""
        # Both branches in one: e^s + 0 below 0, 1 + s above; no large score is exponentiated.
        return np.asarray(np.maximum(scores, 0.0) + np.exp(np.minimum(scores, 0.0)))

    def backward(self, values: Array) -> tuple[Array, Array]:
        """Return the logarithm below 1 and ``value - 1`` above."""
        if (values < 0).any():
            raise InvalidInput("these values are positive", path="input.values")
        below = np.log(np.clip(values, SMALLEST, 1.0))
        return np.where(values < 1, below, values - 1.0), values < SMALLEST
