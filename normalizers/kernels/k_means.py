"""Clusters of rows around their means, the same for the same rows and seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from normalizers.data.arrays import Array

RUNS = 4
MOST_ROUNDS = 100
BLOCK_ROWS = 4096


class Clusters(NamedTuple):
    """Rows around centres.

    Parameters
    ----------
    centres : array of shape (k, d)
        Means of the clusters.
    labels : int64 array of shape (n,)
        The cluster of each row.
    inertia : float
        Sum of squared distances to the centres.
    """

    centres: Array
    labels: Array
    inertia: float


def k_means(x: Array, count: int, seed: int) -> Clusters:
    """Return `count` clusters of the rows ``x (n, d)``, the tightest of a few runs.

    Parameters
    ----------
    x : array of shape (n, d)
        At least `count` distinct rows.
    count : int
        Clusters.
    seed : int
        Of the first centres, which are drawn by their squared distance to those before.

    Notes
    -----
    A row at one distance from two centres belongs to the first. A cluster that loses its rows takes
    the row that is farthest from its centre. Cost O(n k d) a round.

    References
    ----------
    Lloyd, 1982; Arthur, Vassilvitskii: k-means++, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.k_means import k_means
    >>> found = k_means(np.array([[0.0], [1.0], [9.0], [10.0]]), 2, seed=0)
    >>> sorted(found.centres.ravel().tolist()), found.inertia
    ([0.5, 9.5], 1.0)
    """
    # About the mean and in units of a power of two: distances neither cancel nor overflow.
    exponent = int(np.frexp(np.max(np.abs(x), initial=0.0))[1])
    scaled = np.ldexp(x, -exponent)
    middle = scaled.mean(axis=0)
    rows = scaled - middle
    draws = np.random.default_rng(seed).random((RUNS, count))
    runs = [_settled(rows, _first_centres(rows, drawn.tolist())) for drawn in draws]
    best = min(runs, key=lambda run: run.inertia)
    inertia = float(np.ldexp(best.inertia, 2 * exponent))
    return Clusters(np.ldexp(best.centres + middle, exponent), best.labels, inertia)


def nearest(x: Array, centres: Array) -> tuple[Array, Array]:
    """Return the nearest centre of each row, the first of several, and its squared distance."""
    index = np.zeros(len(x), dtype=np.int64)
    least = np.full(len(x), np.inf)
    for start in range(0, len(x), BLOCK_ROWS):
        part = slice(start, start + BLOCK_ROWS)
        for place, centre in enumerate(centres):
            distance = np.sum(np.square(x[part] - centre), axis=1)
            closer = distance < least[part]
            index[part][closer] = place
            least[part][closer] = distance[closer]
    return index, least


def _first_centres(rows: Array, draws: Sequence[float]) -> Array:
    """Return one row for each number between 0 and 1 that was drawn."""
    chosen = [int(draws[0] * len(rows))]
    least = np.sum(np.square(rows - rows[chosen[0]]), axis=1)
    for drawn in draws[1:]:
        reached = np.cumsum(least)
        place = int(np.searchsorted(reached, drawn * reached[-1], side="right"))
        chosen.append(min(place, len(rows) - 1))
        least = np.minimum(least, np.sum(np.square(rows - rows[chosen[-1]]), axis=1))
    return np.array(rows[chosen])


def _settled(rows: Array, centres: Array) -> Clusters:
    """Return the clusters where no row moves any more."""
    index, least = nearest(rows, centres)
    for _ in range(MOST_ROUNDS):
        centres = _means(rows, index, least, len(centres))
        moved, least = nearest(rows, centres)
        if np.array_equal(moved, index):
            break
        index = moved
    return Clusters(centres, index, float(least.sum()))


def _means(rows: Array, index: Array, least: Array, count: int) -> Array:
    sizes = np.bincount(index, minlength=count)
    farthest = iter(np.argsort(-least, kind="stable").tolist())
    centres = np.zeros((count, rows.shape[1]))
    for place in range(count):
        centres[place] = rows[index == place].mean(axis=0) if sizes[place] else rows[next(farthest)]
    return centres
