"""Quantiles, medians and distances to them of ragged lists, from one sort."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged


def sort_lists(lists: Ragged) -> Ragged:
    """Return every list in ascending order."""
    lengths = lists.lengths
    if not len(lists.values):
        return lists
    if (lengths == lengths[0]).all():
        table = lists.values.reshape(len(lists), int(lengths[0]))
        return lists.with_values(np.sort(table, axis=1).reshape(-1))
    return lists.with_values(lists.values[np.lexsort((lists.values, lists.part_of_each()))])


def list_quantiles(ascending: Ragged, share: float) -> Array:
    """Return one quantile of each list by linear interpolation, NaN where it is empty.

    Parameters
    ----------
    ascending : Ragged
        As :func:`sort_lists` returns them.
    share : float
        Within 0..1.

    Examples
    --------
    >>> from normalizers.kernels.list_quantiles import list_quantiles, sort_lists
    >>> from normalizers.data.ragged import Ragged
    >>> lists = sort_lists(Ragged.of([[4.0, 1.0, 2.0, 8.0], [], [5.0]]))
    >>> list_quantiles(lists, 0.5).tolist()
    [3.0, nan, 5.0]
    """
    places = (ascending.lengths - 1) * share
    below = np.floor(places).astype(np.int64)
    low, high = _at(ascending, below), _at(ascending, np.ceil(places).astype(np.int64))
    return np.asarray(low + (high - low) * (places - below))


def lower_medians(ascending: Ragged) -> Array:
    """Return the lower of the two values in the middle of each list, NaN where it is empty."""
    return _at(ascending, (ascending.lengths - 1) // 2)


def _at(lists: Ragged, places: Array) -> Array:
    """Return one value of each list by its place, NaN where the list is empty."""
    found = np.full(len(lists), np.nan)
    filled = lists.lengths > 0
    found[filled] = lists.values[lists.offsets[:-1][filled] + places[filled]]
    return found
