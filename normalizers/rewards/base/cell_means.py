"""Weighted means of cells, whatever order their rows stand in."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array


def cell_means(x: Array, weights: Array, codes: Array, cells: int) -> Array:
    """Return sum w x / sum w of each cell and column, NaN where no weight is.

    Parameters
    ----------
    x : array of shape (n, c)
        NaN is a missing value.
    weights : array of shape (n,)
        Not negative.
    codes : int64 array of shape (n,)
        The cell of each row, 0 to `cells` - 1.
    cells : int
        How many there are.

    Notes
    -----
    Rows of a cell are added in ascending order, as differences to its smallest value: no bit
    depends on the order of rows. Cost O(c n log n).

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.rewards.base.cell_means import cell_means
    >>> x, weights = np.array([[1.0], [4.0], [9.0]]), np.array([2.0, 1.0, 1.0])
    >>> cell_means(x, weights, np.array([0, 0, 1]), 2).tolist()
    [[2.0], [9.0]]
    """
    columns = [_of_column(column, weights, codes, cells) for column in x.T]
    return np.stack(columns, axis=1) if columns else np.empty((cells, 0))


def _of_column(x: Array, weights: Array, codes: Array, cells: int) -> Array:
    mean = np.full(cells, np.nan)
    seen = ~np.isnan(x) & (weights > 0)
    if not seen.any():
        return mean
    order = np.lexsort((weights[seen], x[seen], codes[seen]))
    values, w, places = x[seen][order], weights[seen][order], codes[seen][order]
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    lengths = np.diff(np.append(starts, len(places)))
    lowest = values[starts]
    above = values - np.repeat(lowest, lengths)
    total = np.add.reduceat(w, starts)
    mean[places[starts]] = lowest + np.add.reduceat(w * above, starts) / total
    return mean
