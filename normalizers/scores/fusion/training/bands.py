"""Bands of ranks with fixed ends, and how often a run was right in each."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.scores.fusion.training.rank_tallies import RankTallies


def band_of(ranks: Array, ends: Array) -> Array:
    """Return the band of each rank from 1, ``len(ends)`` for one past the last.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.scores.fusion.training.bands import band_of
    >>> band_of(np.array([1, 5, 6, 16]), np.array([5, 15])).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(ends, ranks)


def band_shares(tallies: RankTallies, ends: Array) -> Array:
    """Return relevant hits over the size of the band and the queries, shape (bands,)."""
    band = band_of(tallies.ranks, ends)
    found = np.bincount(band, tallies.relevant, len(ends) + 1)[: len(ends)]
    sizes = np.diff(ends, prepend=0)
    # Every query has every place of a band, whether or not its list reaches it.
    return np.asarray(found / (sizes * max(tallies.queries, 1)))
