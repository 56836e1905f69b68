"""Sigmoid of the z-score: an increasing map of scores into (0, 1) around their mean."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.kernels.logspace import logit, sigmoid
from normalizers.scores.lists.base.distribution import DistributionMap


class ZSigmoid(DistributionMap):
    """Map deviations from the mean into (0, 1) by the logistic function.

    ``value = 1 / (1 + exp(-z))``, ``z = (score - mean) / std``, mean and deviation of the list
    itself (``scope: query``) or of a stored sample (``scope: fitted``). Where lower scores are
    better all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the mean and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly) gives `constant_value` (0.5) and is flagged ``constant``; a stored sample without
    spread divides by 1. Scores beyond a stored sample are flagged ``out_of_range``. In the
    inverse 0 and 1 count as the nearest numbers within and are flagged ``clipped``. Cost O(N).

    References
    ----------
    The logistic function is ``scipy.special.expit``.

    Examples
    --------
    >>> from normalizers import ZSigmoid
    >>> ZSigmoid().transform([3.0, 2.0, 1.0]).round(3).tolist()
    [0.773, 0.5, 0.227]
    """

    name = "z_sigmoid"
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    def curve(self, z: Array) -> Array:
        """Return the logistic function."""
        return sigmoid(z)

    def quantile(self, shares: Array) -> Array:
        """Return the log-odds."""
        return logit(shares)
