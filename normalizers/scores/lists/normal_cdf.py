"""Normal distribution function of the z-score."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.scores.lists.base.distribution import DistributionMap


class NormalCdf(DistributionMap):
    """Replace a score by the share that a normal distribution has below it.

    ``value = Phi((score - mean) / std)``, mean and deviation of the list itself
    (``scope: query``) or of a stored sample (``scope: fitted``). Where lower scores are better
    all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the mean and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly) gives `constant_value` (0.5) and is flagged ``constant``; a stored sample without
    spread divides by 1. Scores beyond a stored sample are flagged ``out_of_range``. In the
    inverse 0 and 1 count as the nearest numbers within and are flagged ``clipped``. Cost O(N).

    References
    ----------
    ``scipy.special.ndtr``; Manmatha, Rath and Feng, "Modeling score distributions for combining
    the outputs of search engines", SIGIR 2001, for normal scores of relevant documents.

    Examples
    --------
    >>> from normalizers import NormalCdf
    >>> NormalCdf().transform([3.0, 2.0, 1.0]).round(4).tolist()
    [0.8897, 0.5, 0.1103]
    """

    name = "normal_cdf"
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    def curve(self, z: Array) -> Array:
        """Return the normal distribution function."""
        from scipy.special import ndtr

        return np.asarray(ndtr(z))

    def quantile(self, shares: Array) -> Array:
        """Return the normal quantiles."""
        from scipy.special import ndtri

        return np.asarray(ndtri(shares))
