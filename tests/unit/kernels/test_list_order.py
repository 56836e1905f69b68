from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.kernels import list_order

NAN = np.nan
EVEN = [[3.0, 1.0, 2.0], [1.0, 1.0, 0.0]]
NEARLY = [[3.0, NAN, 1.0], [2.0, 2.0], [NAN, 5.0, NAN]]
UNEVEN = [[5.0, 4.0, NAN, 4.0, 1.0, 0.0], [], [2.0], [1.0], [3.0], [], [0.0, -1.0], [7.0], [7.0]]
IN_ORDER = [[1.0, 2.0], [], [0.0], [5.0, 5.0]]
NONE: list[list[float]] = [[], []]


@pytest.mark.parametrize("parts", [EVEN, NEARLY, UNEVEN, IN_ORDER, NONE, [[2.0, 1.0]], []])
def test_every_list_is_ordered_as_by_itself(parts: list[list[float]]) -> None:
    lists = Ragged.of(parts)
    order = list_order.order_ascending(lists)
    expected = [
        np.argsort(np.array(part), kind="stable") + start
        for part, start in zip(parts, lists.offsets[:-1].tolist(), strict=True)
    ]
    assert order.tolist() == np.concatenate([np.empty(0, int), *expected]).tolist()
    np.testing.assert_array_equal(list_order.sorted_lists(lists).values, lists.values[order])


def test_whole_numbers_up_to_the_largest() -> None:
    largest = np.iinfo(np.int64).max
    lists = Ragged.of([[largest, 1, 2], [largest, 0], [3, 2, 1]], np.int64)
    assert list_order.order_ascending(lists).tolist() == [1, 2, 0, 4, 3, 7, 6, 5]
    assert list_order.sorted_lists(lists).values.tolist() == [1, 2, largest, 0, largest, 1, 2, 3]
