"""Z-score: scores in deviations from their mean."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import NO_FIELDS, Example, Fields, Statistics, param
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.scores.lists.base.moments import MomentList

# What the processor writes in place of a value that is not above 0.
OPENSEARCH_FLOOR = 0.001


class ZScore(MomentList):
    """Centre scores and divide by their deviation.

    ``value = (score - mean) / std`` with ``std = sqrt(sum (score - mean)^2 / (n - ddof))``, mean
    and deviation of the list itself (``scope: query``) or of a stored sample
    (``scope: fitted``). Where lower scores are better all scores change their sign first.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the mean and
    missing in their place. Ties keep equal values. A list without spread (maximum = minimum,
    exactly) gives `constant_value` (0) and is flagged ``constant``; a stored sample without
    spread gives the difference to it. Scores beyond a stored sample are flagged
    ``out_of_range``. No size of scores and no offset costs digits in a list; stored moments take
    scores between 1e-140 and 1e140 in size. In a sum over runs a value of 0 means "average", so
    an absent document should not count as 0. Cost O(N).

    ``variant: opensearch`` reproduces that engine: sample deviation, values of at most 0 become
    0.001 and a score equal to the mean, of a list without spread every score, gives the list's
    largest score. It is not monotone and has no inverse.

    References
    ----------
    Montague and Aslam, "Relevance score normalization for metasearch", CIKM 2001 (ZMUV); the
    variant is OpenSearch's normalization processor.

    Examples
    --------
    >>> from normalizers import ZScore
    >>> ZScore().transform([3.0, 2.0, 1.0]).round(4).tolist()
    [1.2247, 0.0, -1.2247]
    >>> ZScore().fit([0.0, 10.0]).transform([[5.0], [20.0]])
    [array([0.]), array([3.])]
    """

    name = "z_score"
    bounded = False
    aliases = {"zmuv": {}, "zscore": {}, "standard": {}}
    presets = {
        "opensearch": {"variant": "opensearch", "ddof": 1},
        "ranx": {"ddof": 0, "constant_value": 0.0},
    }
    example = Example(input={"scores": [[12.7, 9.3, 0.4], [3.0], []]})

    variant: Literal["standard", "opensearch"] | None = param(
        default=None,
        default_value="standard",
        fits_when=lambda variant: variant != "opensearch",  # which is of one list
        affects="answer",
        help="the formula, or what OpenSearch makes of it",
    )

    @property
    def inverse_takes(self) -> Fields:
        """What the formula needs; the variant of OpenSearch has no way back."""
        return NO_FIELDS if self.variant == "opensearch" else super().inverse_takes

    def check(self, path: str) -> None:
        """Refuse what the variant of OpenSearch, with its own rules and scope, does not use."""
        if self.variant == "opensearch":
            fixed = {"scope": "query", "ddof": 1, "on_constant": None, "constant_value": None}
            for name, only in fixed.items():
                if getattr(self, name) not in (None, only):
                    needed = f"is {only}" if only else "is not used"
                    raise InvalidParams(
                        f"with variant 'opensearch' {name} {needed}", path=f"{path}.{name}"
                    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the sample deviation for the variant of OpenSearch."""
        decided = super().defaults(statistics)
        if self.variant != "opensearch":
            return decided
        return {**decided, "ddof": 1, "on_constant": None, "constant_value": None}

    def curve(self, z: Array) -> Array:
        """Return the deviations as they are."""
        return z

    def deviation(self, values: Array) -> tuple[Array, Array]:
        """Return the values as they are."""
        return values, np.zeros(len(values), dtype=bool)

    def of_constant(self, scores: Array, centred: Array) -> Array:
        """Return what scores without spread give; the variant has a rule of its own."""
        return centred if self.variant == "opensearch" else super().of_constant(scores, centred)

    def adjusted(self, values: Array, scores: Ragged) -> Array:
        """Return the values with the rules of OpenSearch where they are asked for."""
        return _as_opensearch(values, scores) if self.variant == "opensearch" else values


def _as_opensearch(values: Array, scores: Ragged) -> Array:
    """Return lifted values; a score at the mean gets the largest score of its list."""
    highest = segments.broadcast(segments.maxima(scores, ~np.isnan(scores.values)), scores)
    lifted = np.where(values <= 0, OPENSEARCH_FLOOR, values)
    return np.where(values == 0, highest, lifted)
