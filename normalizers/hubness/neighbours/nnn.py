"""Nearest neighbour normalization: scores less the mean similarity of the item to its queries."""

from __future__ import annotations

from normalizers.contract import param
from normalizers.hubness.base.nearest import NEAREST_EXAMPLE, NearestNormalizer


class Nnn(NearestNormalizer):
    """Subtract a share of the mean of the item's `k` largest similarities to a bank of queries.

    ``s - strength h_j``, h_j that mean.

    Notes
    -----
    `strength` is the published alpha, 0.5; the published `k` is 256, with the advice of 128 and
    alpha 0.75. `k` of the whole bank and strength 1 is the mean correction ``s - mean S_j``; `k` 1
    and strength 1 subtract the largest similarity.

    See Also
    --------
    Csls : Half the mean, and a constant of each query.

    References
    ----------
    Chowdhury et al.: Nearest neighbor normalization improves multimodal retrieval, 2024. Code:
    multimodal-interpretability/nnn.

    Examples
    --------
    >>> from normalizers import Nnn
    >>> hub = Nnn(k=1).fit([[0.9, 0.2], [0.8, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[0.35, 0.4]]
    """

    name = "nnn"
    aliases = {"nearest_neighbor_normalization": {}}
    example = NEAREST_EXAMPLE

    k: int | None = param(
        default=None,
        default_value=16,
        ge=1,
        affects="statistics",
        help="bank similarities of each item that count: its largest",
    )
    strength: float | None = param(
        default=None, default_value=0.5, ge=0, affects="answer", help="share of the bias subtracted"
    )
