import numpy as np
import pytest

from normalizers.data.arrays import string_array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import ranking


def test_order_is_score_then_id_by_code_point():
    scores = np.array([0.5, 0.5, 0.9, 0.5, np.nan, np.nan])
    ids = string_array(["é", "a", "z", "B", "y", "x"])
    assert ranking.order(scores, ids).tolist() == [2, 3, 1, 0, 5, 4]
    assert ranking.order(scores, ids, higher_is_better=False).tolist() == [3, 1, 0, 2, 5, 4]


def test_ids_that_differ_in_trailing_nulls_are_told_apart():
    assert ranking.order(np.zeros(2), string_array(["a\0", "a"])).tolist() == [1, 0]


def test_lists_are_ordered_on_their_own():
    lists = Ragged.of([[1.0, 2.0], [], [3.0, 3.0, 4.0]])
    order = ranking.order_lists(lists, string_array(["a", "b", "d", "c", "e"]))
    assert order.tolist() == [1, 0, 4, 3, 2]


def test_positions_break_ties_by_lowest_index():
    sims = np.array([[0.5, 0.9, 0.5], [1.0, np.nan, 2.0]])
    assert ranking.order_positions(sims).tolist() == [[1, 0, 2], [2, 0, 1]]


@pytest.mark.parametrize(
    "ties, expected",
    [
        ("position", [1, 2, 3, 1, 2]),
        ("min", [1, 1, 3, 1, 2]),
        ("average", [1.5, 1.5, 3.0, 1.0, 2.0]),
    ],
)
def test_ranks_within_lists(ties, expected):
    ordered = Ragged.of([[7.0, 7.0, 1.0], [1.0, 0.0]])
    assert ranking.rank_lists(ordered, ties).tolist() == expected


def test_ranks_of_nothing_and_unknown_ties():
    assert ranking.ranks(np.array([]), "average").tolist() == []
    with pytest.raises(InvalidParams, match="did you mean 'average'"):
        ranking.ranks(np.array([1.0]), "averages")
