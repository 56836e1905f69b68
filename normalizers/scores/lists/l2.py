"""L2: scores divided by the Euclidean length of their list."""

from __future__ import annotations

from normalizers.contract import Answer, Example
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import list_scales, segments
from normalizers.kernels.list_scales import Scaled
from normalizers.scores.lists.base.self_scaled import OwnListScale


class L2(OwnListScale):
    """Divide scores by the Euclidean length of their list.

    ``value = score / sqrt(sum score^2)``. Where lower scores are better all scores change their
    sign first. Rows of vectors are brought to unit length by ``unit_norm``.

    Notes
    -----
    Missing scores follow `nan_policy`: refused with their position, or left out of the sum and
    missing in their place. Ties keep equal values. A list of zeros stays zeros and is flagged
    ``zero_norm``; a constant list of n other scores gives ``1 / sqrt(n)`` in size. No square
    overflows or underflows. The answer carries the length as ``scale``, which the inverse takes.
    Cost O(N).

    References
    ----------
    OpenSearch's and Elasticsearch's ``l2`` and ``l2_norm``; ``sklearn.preprocessing.normalize``.

    Examples
    --------
    >>> from normalizers import L2
    >>> L2().transform([3.0, 4.0]).tolist()
    [0.6, 0.8]
    """

    name = "l2"
    aliases = {"l2_norm": {}}
    presets = {
        "opensearch": {"nan_policy": "reject"},
        "elasticsearch": {"nan_policy": "propagate"},
    }
    example = Example(input={"scores": [[3.0, 4.0], [0.83, 0.42, -0.1], []]})

    def scale_lists(self, scores: Ragged) -> Scaled:
        """Return scores in lengths of their lists."""
        return list_scales.unit_length(scores)

    def on_zero_scale(self, answer: Answer, scores: Ragged, flat: Array) -> Answer:
        """Return the answer with the lists of zeros flagged."""
        return self.flag_lists(answer, zero_norm=segments.counts(scores, flat) > 0)
