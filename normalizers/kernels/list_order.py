"""The values of every list in order: lists of about one length are the rows of one table."""

from __future__ import annotations

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged

SHORT_KEYS = 2**16
# A table may have so many places for each value of the lists that are its rows.
TABLE_SHARE = 2


def order_ascending(lists: Ragged) -> Array:
    """Return the flat indices that order every list ascending, equal values as they stand.

    NaN comes last. Lists that are in order already cost one look.

    Parameters
    ----------
    lists : Ragged
        Floats or integers.

    Returns
    -------
    int64 array of shape (N,)

    Examples
    --------
    >>> from normalizers.kernels.list_order import order_ascending
    >>> from normalizers.data.ragged import Ragged
    >>> order_ascending(Ragged.of([[2.0, 1.0], [], [5.0, 3.0, 4.0]])).tolist()
    [1, 0, 3, 4, 2]
    """
    if len(lists) <= 1:
        return np.argsort(lists.values, kind="stable")
    if _is_ascending(lists):
        return np.arange(len(lists.values))
    if not _is_table(lists):
        return _order_by_list(lists, np.argsort(lists.values, kind="stable"))
    rows, inside = _table(lists)
    order = np.argsort(rows, axis=1, kind="stable") + lists.offsets[:-1, None]
    return order.reshape(-1) if inside is None else np.asarray(order[inside])


def sorted_lists(lists: Ragged) -> Ragged:
    """Return every list in ascending order, NaN last.

    Examples
    --------
    >>> from normalizers.kernels.list_order import sorted_lists
    >>> from normalizers.data.ragged import Ragged
    >>> [part.tolist() for part in sorted_lists(Ragged.of([[3.0, 1.0], [2.0, 0.0]]))]
    [[1.0, 3.0], [0.0, 2.0]]
    """
    if len(lists) <= 1:
        return lists.with_values(np.sort(lists.values))
    if not _is_table(lists):
        return lists.with_values(lists.values[order_ascending(lists)])
    rows, inside = _table(lists)
    ordered = np.sort(rows, axis=1)
    return lists.with_values(ordered.reshape(-1) if inside is None else ordered[inside])


def _order_by_list(lists: Ragged, by_value: Array) -> Array:
    # 16-bit keys are sorted by radix, in one pass over them.
    keys = lists.part_of_each()[by_value]
    small = keys.astype(np.uint16) if len(lists) <= SHORT_KEYS else keys
    return np.asarray(by_value[np.argsort(small, kind="stable")])


def _is_ascending(lists: Ragged) -> bool:
    in_order = lists.values[:-1] <= lists.values[1:]
    starts = lists.offsets[1:-1]
    # The last value of a list and the first of the next need no order.
    in_order[starts[(starts > 0) & (starts < len(lists.values))] - 1] = True
    return bool(in_order.all())


def _is_table(lists: Ragged) -> bool:
    width = int(lists.lengths.max(initial=0))
    return width * len(lists) <= TABLE_SHARE * len(lists.values)


def _table(lists: Ragged) -> tuple[Array, Array | None]:
    """Return lists as rows, and where their values stand if rows are longer than their lists.

    What fills a row stays behind its values.
    """
    values, width = lists.values, int(lists.lengths.max(initial=0))
    if width * len(lists) == len(values):
        return values.reshape(len(lists), width), None
    inside = np.arange(width) < lists.lengths[:, None]
    # What fills a row sorts behind all values, so the places of a list stay its own.
    last = np.nan if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    rows = np.full(inside.shape, last, dtype=values.dtype)
    rows[inside] = values
    return rows, inside
