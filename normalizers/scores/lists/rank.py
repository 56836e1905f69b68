"""Rank: from 1 for the best score of a list down to 1/n."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.scores.lists.base.ranked import RankList


class Rank(RankList):
    """Replace a score by one minus the share of its list that is ranked before it.

    ``value = 1 - (r - 1) / n`` with the rank ``r``, 1 for the best score of the list's ``n``.

    Notes
    -----
    Equal scores have the ranks of their places unless `ties` is ``average`` or ``min``. Where a
    score is missing the places of the list count in its stead; with a `nan_policy` missing scores
    are refused, or left out and missing in their place. A lone hit gets 1, as does the best of
    every list. Nothing but the order of the scores counts. Cost O(N log N).

    References
    ----------
    Montague and Aslam, "Relevance score normalization for metasearch", CIKM 2001; the
    normalizer ``rank`` of ranx.

    Examples
    --------
    >>> from normalizers import Rank
    >>> Rank().transform([12.0, 7.0, 9.0, 2.0]).tolist()
    [1.0, 0.5, 0.75, 0.25]
    >>> Rank(ties="min").transform([5.0, 5.0]).tolist()
    [1.0, 1.0]
    """

    name = "rank"
    example = Example(input={"scores": [[12.7, 0.4, 9.3], [3.0], []]})

    def of_ranks(self, ranks: Array, lengths: Array) -> Array:
        """Return ``(n - r + 1) / n``."""
        return np.asarray((lengths - ranks + 1) / lengths)
