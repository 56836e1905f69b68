import itertools
import math

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import factorize as kernel
from normalizers.kernels import fuse
from normalizers.kernels.factorize import MANY, factorize


def lists(*parts):
    return Ragged.of(parts, object)


def union(runs):
    return fuse.union(factorize(runs))


def test_union_by_query_keeps_the_order_of_the_runs():
    joined = union([lists(["b", "a"], ["z"]), lists([], []), lists(["c", "b"], ["z"])])
    assert [ids.tolist() for ids in joined.ids] == [["a", "b", "c"], ["z"]]
    assert [hits.tolist() for hits in joined.hits] == [[1], [0, 4], [3], [2, 5]]
    assert joined.runs.tolist() == [0, 0, 2, 2, 0, 2]
    assert joined.documents.tolist() == [0, 1, 1, 2, 3, 3]


def test_union_counts_hits_through_the_runs():
    joined = union([lists(["b", "a"]), lists(["c", "b"])])
    assert [hits.tolist() for hits in joined.hits] == [[1], [0, 3], [2]]


def test_an_id_twice_in_a_list_has_two_hits():
    joined = union([lists(["a", "a"]), lists(["a"])])
    assert [hits.tolist() for hits in joined.hits] == [[0, 1, 2]]
    assert joined.runs.tolist() == [0, 0, 1]


@pytest.mark.parametrize("runs", [[], [lists()], [lists([], [])]])
def test_union_of_nothing(runs):
    joined = union(runs)
    assert len(joined.ids.values) == 0
    assert len(joined.ids) == (len(runs[0]) if runs else 0)


def test_equal_multisets_tie_exactly_and_parts_add_up():
    terms = [1 / 61, 1 / 62, 1e-17, 0.3, -0.1]
    sums = fuse.fused(Ragged.of(list(itertools.permutations(terms))))
    assert set(sums.tolist()) == {math.fsum(terms)}


def test_sums_are_rounded_exactly_at_any_magnitude():
    rng = np.random.default_rng(0)
    parts = [
        (rng.normal(size=length) * 10.0 ** rng.integers(-30, 30, size=length)).tolist()
        for length in rng.integers(0, 9, size=500)
    ]
    halfway = [1.0, 2.0**-53, 2.0**-106], [1.0, 2.0**-53, -(2.0**-106)]
    parts += [*halfway, [1e16, 1.0, -1e16], [0.1] * 10]
    assert fuse.fused(Ragged.of(parts)).tolist() == [math.fsum(part) for part in parts]


def test_one_part_of_minus_zero_is_zero():
    assert not np.signbit(fuse.fused(Ragged.of([[-0.0]]))[0])
    assert not np.signbit(fuse.fused(Ragged.of([[-0.0, -0.0, -0.0]]))[0])


@pytest.mark.parametrize("part", [[1e308, 1e308], [1e308, 1e308, 1e308], [np.nan]])
def test_sums_that_are_not_finite_are_refused(part):
    with pytest.raises(InvalidInput, match="finite sum"):
        fuse.fused(Ragged.of([part]))


@pytest.mark.parametrize("arrow", [True, False])
def test_many_ids_get_the_numbers_of_few(arrow, monkeypatch):
    if not arrow:
        monkeypatch.setattr(kernel, "_arrow", lambda: None)
    rng = np.random.default_rng(4)
    ids = [
        f"d{number}\u00e9\U0001f600\uffee"[number % 3 :] for number in rng.integers(0, 9_000, MANY)
    ]
    parts = [lists(ids[: MANY // 3], []), lists(ids[MANY // 3 :], ["d\0", "d"])]
    names = sorted({name for part in parts for name in part.values.tolist()})
    for part, coded in zip(parts, factorize(parts), strict=True):
        assert coded.names.tolist() == names
        assert coded.ids.values.tolist() == part.values.tolist()
        assert coded.codes.offsets.tolist() == part.offsets.tolist()
