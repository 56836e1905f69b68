"""Margin: similarities beside those of both sides to their neighbours."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import NO_FIELDS, Fields, Fitted, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.nearest import NEAREST_EXAMPLE, NearestNormalizer, query_means
from normalizers.kernels import segments
from normalizers.statistics import TopK
from normalizers.statistics.base.stacking import plain


class Margin(NearestNormalizer):
    """Compare each score with the mean similarity of its query and of its item to their neighbours.

    ``m = strength r_j / 2 + f_q / 2``, r_j the mean of the item's `k` largest similarities to the
    bank and f_q that of the query's `k` largest scores; `variant` ``ratio`` is s / m, ``distance``
    s - m, ``absolute`` s. `output` ``bias`` is ``s - strength r_j / 2``, which ranks the items of a
    query as ``distance`` does and has a way back.

    Notes
    -----
    f_q is taken over the scores sent: of the gallery, or of the candidates. A ratio by a mean of 0
    is missing.

    See Also
    --------
    Csls : Twice the distance.

    References
    ----------
    Artetxe and Schwenk: Margin-based parallel corpus mining, 2019. Code: facebookresearch/LASER
    (source/mine_bitexts.py).

    Examples
    --------
    >>> from normalizers import Margin
    >>> Margin(k=1).fit([[0.9, 0.2], [0.8, 0.4]]).transform([[0.8, 0.6]]).round(4).tolist()
    [[0.9412, 1.0]]
    """

    name = "margin"
    example = NEAREST_EXAMPLE

    k: int | None = param(
        default=None,
        default_value=4,
        ge=1,
        affects="statistics",
        help="bank similarities of each item that count: its largest",
    )
    variant: Literal["ratio", "distance", "absolute"] | None = param(
        default=None,
        default_value="ratio",
        resolves="distance where the output is bias, else ratio",
        affects="answer",
        help="how score and mean compare",
    )
    output: Literal["bias", "score"] | None = param(
        default=None,
        default_value="score",
        affects="answer",
        help="the published form, or in units of the score with a way back",
    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Take the variant that has a bias form where that is asked for."""
        chosen = {"variant": "distance"} if self.output == "bias" else {}
        return {**super().defaults(statistics), **chosen}

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores in the units of the input."""
        return super().inverse_takes if self.output == "bias" else NO_FIELDS

    def check(self, path: str) -> None:
        """Refuse the bias form of what has none."""
        if self.output == "bias" and self.variant not in (None, "distance"):
            raise InvalidParams(
                f"variant '{self.variant}' has no bias form; 'distance' has", path=f"{path}.output"
            )

    def bias_of(self, kept: TopK) -> Array:
        """Return half the mean of the largest similarities."""
        return kept.means / 2

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return the margin, or corrected scores."""
        if self.output == "bias":
            return adjusted
        raw = live.scores.values
        if self.variant == "absolute":
            return raw
        of_query = segments.broadcast(query_means(live.scores, unwrap(self.k)), live.scores) / 2
        if self.variant == "distance":
            return np.asarray(adjusted - of_query)
        mean = raw - adjusted + of_query
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(mean == 0, np.nan, raw / mean)

    def parts(self, fitted: Fitted, live: Live) -> dict[str, object]:
        """Return the parts behind each score; the means of queries too."""
        means = query_means(live.scores, unwrap(self.k))
        return {**super().parts(fitted, live), "query_means": plain(means)}
