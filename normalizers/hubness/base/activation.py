"""Rows that are corrected only where their best item is one that a bank query had as its best."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.hubness.base.live import Live
from normalizers.kernels import segments


def activated(live: Live, active: Array) -> Array:
    """Return which queries have an active item as the best of their raw scores, shape (q,).

    `active` is boolean of shape (g + 1,), the last for no item. Ties go to the lowest item; a
    query without a score is not activated.
    """
    items = np.arange(live.gallery) if live.items is None else live.items
    positions = np.tile(items, len(live.scores)) if live.items is None else items
    observed = ~np.isnan(live.scores.values)
    best = segments.broadcast(segments.maxima(live.scores, observed), live.scores)
    ties = live.scores.values == best
    lowest = segments.minima(
        live.scores.with_values(np.where(ties, positions, live.gallery).astype(np.float64))
    )
    known = np.where(np.isnan(lowest), live.gallery, lowest).astype(np.int64)
    return np.asarray(active[known])


def of_rows(rows: Array, live: Live) -> Array:
    """Return a number of each query for each of its scores."""
    return segments.broadcast(rows, live.scores)
