"""Sigmoid: an increasing map of any score into (0, 1)."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, param, unwrap
from normalizers.data.arrays import Array
from normalizers.kernels.loc_scale import standardize
from normalizers.kernels.logspace import logit, sigmoid
from normalizers.scores.lists.base.open_interval import inner_shares
from normalizers.scores.lists.base.pointwise import PointwiseMap


class Sigmoid(PointwiseMap):
    """Map scores into (0, 1) by the logistic function of a line.

    ``value = 1 / (1 + exp(-(slope score + intercept)))``. Where lower scores are better all
    scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or missing in their place.
    Ties and lists without spread are ordinary: every score is mapped by itself. No score
    overflows; scores far from ``-intercept / slope`` round to 0 or 1, and in the inverse those
    count as the nearest numbers within and are flagged ``clipped``. The slope is positive: a
    direction is stated by `higher_is_better`. Cost O(N).

    References
    ----------
    ``scipy.special.expit``; MongoDB's ``$sigmoid`` in ``$scoreFusion``.

    Examples
    --------
    >>> from normalizers import Sigmoid
    >>> Sigmoid().transform([-800.0, 0.0, 800.0]).tolist()
    [0.0, 0.5, 1.0]
    """

    name = "sigmoid"
    presets = {"mongodb": {"slope": 1.0, "intercept": 0.0}}
    example = Example(params={"slope": 0.5}, input={"scores": [[2.7, 0.3, -1.4], [3.0], []]})

    slope: float | None = param(
        default=None, default_value=1.0, affects="answer", gt=0, help="steepness of the line"
    )
    intercept: float | None = param(
        default=None, default_value=0.0, affects="answer", help="value of the line at a score of 0"
    )

    def forward(self, scores: Array) -> Array:
        """Return the logistic function of the line."""
        # An infinite product has the sigmoid 0 or 1, the limit.
        with np.errstate(over="ignore"):
            return sigmoid(unwrap(self.slope) * scores + unwrap(self.intercept))

    def backward(self, values: Array) -> tuple[Array, Array]:
        """Return the point of the line at which each value is reached."""
        inside, at_an_end = inner_shares(values)
        return standardize(logit(inside), unwrap(self.intercept), unwrap(self.slope)), at_an_end

    def parts(self) -> dict[str, object]:
        """Return the line."""
        return {**super().parts(), "slope": self.slope, "intercept": self.intercept}
