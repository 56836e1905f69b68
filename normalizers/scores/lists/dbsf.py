"""Distribution-based score fusion's normalizer: mean minus and plus some deviations as 0 and 1."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels.min_max import clamp
from normalizers.scores.lists.base.moments import MomentList


class Dbsf(MomentList):
    """Put the mean minus and plus `n_sigma` deviations at 0 and 1.

    ``value = (score - (mean - a std)) / (2 a std)`` with ``a = n_sigma``, mean and deviation of
    the list itself (``scope: query``) or of a stored sample (``scope: fitted``). Where lower
    scores are better all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the mean and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly), a lone hit among them, gives `constant_value` (0.5) and is flagged ``constant``; a
    stored sample without spread divides by 1. Values beyond 0..1 stay as they are unless `clip`
    is true; then they are flagged ``clipped``. Scores beyond a stored sample are flagged
    ``out_of_range``. Cost O(N).

    References
    ----------
    Mazzeschi, "Distribution-based score fusion", 2023, as Qdrant has it (sample deviation,
    ``ddof`` 1); Haystack and LlamaIndex take the population's, see the presets.

    Examples
    --------
    >>> from normalizers import Dbsf
    >>> Dbsf().transform([3.0, 2.0, 1.0]).round(4).tolist()
    [0.6667, 0.5, 0.3333]
    >>> Dbsf().transform([0.1, 0.1, 0.1]).tolist()
    [0.5, 0.5, 0.5]
    """

    name = "dbsf"
    aliases = {"distribution_based": {}, "dist_based_score": {}}
    presets = {
        "qdrant": {"ddof": 1, "n_sigma": 3.0, "constant_value": 0.5},
        "haystack": {"ddof": 0, "n_sigma": 3.0, "on_constant": "keep"},
        "llama_index": {"ddof": 0, "n_sigma": 3.0, "on_constant": "one_if_positive"},
    }
    standard_constant = 0.5
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    n_sigma: float | None = param(
        default=None,
        default_value=3.0,
        affects="answer",
        gt=0,
        help="deviations between the mean and an end",
    )
    clip: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="clamp values to 0..1",
    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the sample deviation."""
        return {**super().defaults(statistics), "ddof": 1}

    def curve(self, z: Array) -> Array:
        """Return ``1/2 + z / (2 a)``."""
        # (s - (mean - a sd)) / (2 a sd), from the deviation: mean and ends are never formed.
        return np.asarray(0.5 + z / (2 * unwrap(self.n_sigma)))

    def deviation(self, values: Array) -> tuple[Array, Array]:
        """Return ``(v - 1/2) 2 a``; what was clamped lies at an end."""
        at_an_end = self.clips & ((values <= 0) | (values >= 1))
        return (values - 0.5) * (2 * unwrap(self.n_sigma)), at_an_end

    @property
    def clips(self) -> bool:
        """Whether values are clamped to 0..1."""
        return bool(self.clip)

    def adjusted(self, values: Array, scores: Ragged) -> Array:
        """Return values within 0..1 where they are clamped."""
        return clamp(values, 0.0, 1.0) if self.clip else values
