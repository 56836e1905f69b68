"""Milvus's fixed maps of scores into 0..1, one for each kind of similarity."""

from __future__ import annotations

from math import pi

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.scores.lists.base.pointwise import PointwiseMap

# An arctangent this near its end gives back no finite score.
LARGEST_ANGLE = float(np.nextafter(pi / 2, 0.0))


class MilvusMap(PointwiseMap):
    """Map scores by a fixed function of their similarity.

    ``(1 + s)/2`` for ``cosine``, ``1/2 + atan(s)/pi`` for ``dot``, ``2 atan(s)/pi`` for
    ``bm25``, ``1 - 2 atan(s)/pi`` for the distances ``l2``, ``l1``, ``euclidean``, ``hamming``
    and ``cosine_distance``, ``1/2 - atan(s)/pi`` for ``negative_dot``.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or missing in their place.
    Ties and lists without spread are ordinary: every score is mapped by itself. Values are within
    0..1 for scores that the similarity can have. The similarity states the direction. The
    arctangent rounds scores beyond about 1e16 to the end; in the inverse an end comes back as the
    nearest score within and is flagged ``clipped``. Cost O(N).

    References
    ----------
    Milvus's weighted ranker, ``internal/util/function/rerank``.

    Examples
    --------
    >>> from normalizers import MilvusMap
    >>> MilvusMap(similarity="cosine").transform([-1.0, 0.5]).tolist()
    [0.0, 0.75]
    >>> MilvusMap(similarity="l2").transform([0.0, 1.0]).tolist()
    [1.0, 0.5]
    """

    name = "milvus_map"
    aliases = {"milvus": {}}
    example = Example(
        params={"similarity": "bm25"}, input={"scores": [[12.7, 9.3, 0.4], [3.0], []]}
    )

    def forward(self, scores: Array) -> Array:
        """Return the map of scores that grow with quality: distances are negative here."""
        if self.similarity == "cosine":
            return (1.0 + scores) / 2.0
        offset, factor = self._line
        return np.asarray(offset + factor * np.arctan(scores) / pi)

    def backward(self, values: Array) -> tuple[Array, Array]:
        """Return the score at which each value is reached."""
        if self.similarity == "cosine":
            return 2.0 * values - 1.0, np.zeros(len(values), dtype=bool)
        offset, factor = self._line
        angle = (values - offset) * pi / factor
        if (np.abs(angle) > pi / 2).any():
            raise InvalidInput("a value lies beyond those of this similarity", path="input.values")
        inside = np.clip(angle, -LARGEST_ANGLE, LARGEST_ANGLE)
        return np.tan(inside), np.abs(angle) > LARGEST_ANGLE

    @property
    def _line(self) -> tuple[float, float]:
        match self.similarity:
            case None:
                raise InvalidParams(
                    "the map follows from the similarity: cosine, dot, bm25, l2, ...",
                    path="params.similarity",
                )
            case "dot" | "negative_dot":
                return 0.5, 1.0
            case "bm25":
                return 0.0, 2.0
            case _:
                return 1.0, 2.0

    def parts(self) -> dict[str, object]:
        """Return the similarity that decides the map."""
        return {**super().parts(), "similarity": self.similarity}
