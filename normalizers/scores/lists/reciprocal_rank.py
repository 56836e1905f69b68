"""Reciprocal rank: what one list gives to reciprocal rank fusion."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Answer, Batch, Example, Fields, Fitted, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.scores.lists.base.ranked import RankList

# The constant of the published formula.
PUBLISHED_K = 60.0


class ReciprocalRank(RankList):
    """Replace a score by the reciprocal of its rank plus a constant.

    ``value = 1 / (k + r)`` with the rank ``r``, 1 for the best score of the list.

    Notes
    -----
    Equal scores have the ranks of their places unless `ties` is ``average`` or ``min``. Where a
    score is missing the places of the list count in its stead; with a `nan_policy` missing scores
    are refused, or left out and missing in their place. Nothing but the order of the scores
    counts, so the inverse gives ranks, ``1 / value - k``. Cost O(N log N).

    References
    ----------
    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
    rank learning methods", SIGIR 2009; Vespa's ``reciprocal_rank``.

    Examples
    --------
    >>> from normalizers import ReciprocalRank
    >>> ReciprocalRank(k=0.0).transform([-4.1, 11.0, -50.0, -3.0]).round(4).tolist()
    [0.3333, 1.0, 0.25, 0.5]
    """

    name = "reciprocal_rank"
    presets = {"vespa": {"k": 60.0}}
    example = Example(input={"scores": [[12.7, 0.4, 9.3], [3.0], []]})

    k: float | None = param(
        default=None,
        default_value=PUBLISHED_K,
        affects="answer",
        gt=-1,
        help="how slowly values fall with the rank",
    )

    @property
    def inverse_takes(self) -> Fields:
        """The values."""
        return self.gives

    def of_ranks(self, ranks: Array, lengths: Array) -> Array:
        """Return ``1 / (k + r)``."""
        return np.asarray(1 / (unwrap(self.k) + ranks))

    def restored(self, fitted: Fitted, batch: Batch) -> Answer:
        """Return the ranks."""
        values = batch.ragged("values")
        best = 1 / (unwrap(self.k) + 1)
        if ((values.values <= 0) | (values.values > best)).any():
            raise InvalidInput(f"these values lie above 0 and up to {best}", path="input.values")
        return Answer({"scores": values.with_values(1 / values.values - unwrap(self.k))})
