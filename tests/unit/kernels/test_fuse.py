import itertools
import math

import numpy as np
import pytest

from normalizers.arrays import strings
from normalizers.errors import InvalidInput
from normalizers.kernels import fuse
from normalizers.ragged import Ragged


def test_union_and_presence():
    joined = fuse.union([strings(["b", "a"]), strings([]), strings(["c", "b"])])
    assert joined.ids.tolist() == ["a", "b", "c"]
    assert joined.presence().tolist() == [[True, True, False], [False] * 3, [False, True, True]]
    assert fuse.union([]).ids.tolist() == []


def test_contributions_by_id_keep_the_order_of_the_runs():
    parts = fuse.contributions(
        [np.array([1, 0]), np.array([1])], [np.array([0.5, 0.25]), np.array([2.0])], 3
    )
    assert [part.tolist() for part in parts.values] == [[0.25], [0.5, 2.0], []]
    assert parts.runs.tolist() == [0, 0, 1]
    assert fuse.fused(parts.values).tolist() == [0.25, 2.5, 0.0]


def test_equal_multisets_tie_exactly_and_parts_add_up():
    terms = [1 / 61, 1 / 62, 1e-17, 0.3, -0.1]
    sums = fuse.fused(Ragged.of(list(itertools.permutations(terms))))
    assert set(sums.tolist()) == {math.fsum(terms)}


def test_one_part_of_minus_zero_is_zero():
    assert not np.signbit(fuse.fused(Ragged.of([[-0.0]]))[0])


@pytest.mark.parametrize("part", [[1e308, 1e308], [1e308, 1e308, 1e308], [np.nan]])
def test_sums_that_are_not_finite_are_refused(part):
    with pytest.raises(InvalidInput, match="finite sum"):
        fuse.fused(Ragged.of([part]))
