"""CSLS: similarities less the mean similarity of both sides to their neighbours."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import NO_FIELDS, Fields, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.hubness.base.live import Live
from normalizers.hubness.base.nearest import NEAREST_EXAMPLE, NearestNormalizer, query_means
from normalizers.kernels import segments
from normalizers.statistics import TopK
from normalizers.statistics.base.stacking import plain


class Csls(NearestNormalizer):
    """Subtract half the mean of the item's `k` largest similarities to a bank of queries.

    ``s - strength h_j`` with ``h_j = r_j / 2``, r_j that mean. `output` ``score`` is the published
    form, ``2 (s - strength h_j) - r_q`` with r_q the mean of the query's `k` largest scores: a
    constant of each query, which ranks its items alike.

    Notes
    -----
    r_q is taken over the scores sent: of the gallery, or of the candidates, of all of them where
    there are fewer than `k`; ``score`` has no way back. `k` 10 is MUSE's and vecmap's; kiez, on
    distances, takes all candidates of both sides.

    See Also
    --------
    Nnn : The same mean, taken as a whole.

    References
    ----------
    Lample et al.: Word translation without parallel data, 2018. Code: facebookresearch/MUSE
    (src/utils.py), dobraczka/kiez.

    Examples
    --------
    >>> from normalizers import Csls
    >>> hub = Csls(k=1).fit([[0.9, 0.2], [0.8, 0.4]])
    >>> hub.transform([[0.8, 0.6]]).round(4).tolist()
    [[0.35, 0.4]]
    >>> published = Csls(k=1, output="score").fit([[0.9, 0.2], [0.8, 0.1]])
    >>> published.transform([[0.8, 0.6]]).round(4).tolist()
    [[-0.1, 0.2]]
    """

    name = "csls"
    example = NEAREST_EXAMPLE

    output: Literal["bias", "score"] | None = param(
        default=None,
        default_value="bias",
        affects="answer",
        help="in units of the score, or the published form with the query's own mean",
    )

    @property
    def inverse_takes(self) -> Fields:
        """Corrected scores in the units of the input."""
        return NO_FIELDS if self.output == "score" else super().inverse_takes

    def bias_of(self, kept: TopK) -> Array:
        """Return half the mean of the largest similarities."""
        return kept.means / 2

    def formed(self, adjusted: Array, fitted: Fitted, live: Live) -> Array:
        """Return corrected scores, or the published form."""
        if self.output == "bias":
            return adjusted
        of_query = segments.broadcast(query_means(live.scores, unwrap(self.k)), live.scores)
        return np.asarray(2 * adjusted - of_query)

    def parts(self, fitted: Fitted, live: Live) -> dict[str, object]:
        """Return the parts behind each score; the means of queries too."""
        means = query_means(live.scores, unwrap(self.k))
        return {**super().parts(fitted, live), "query_means": plain(means)}
