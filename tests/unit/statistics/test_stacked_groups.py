"""Groups that come stacked are the groups that are made one by one."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.statistics import Extrema, Grouped, Moments
from normalizers.statistics.moments import BLOCK_ROWS


def rows_and_labels() -> tuple[Array, Array]:
    random = np.random.default_rng(3)
    x = random.normal(80, 5, (3 * BLOCK_ROWS, 2))
    x[random.random(x.shape) < 0.1] = np.nan
    labels = random.choice(
        np.array(["a", "b", "c", "d"], dtype=object), len(x), p=[0.7, 0.2, 0.09, 0.01]
    )
    x[labels == "d", 1] = np.nan
    return x, labels


@pytest.mark.parametrize("inner", [Moments(), Extrema()], ids=["moments", "extrema"])
def test_stacked_groups_hold_the_bits_of_groups_made_by_themselves(
    inner: Moments | Extrema,
) -> None:
    x, labels = rows_and_labels()
    stacked = Grouped(inner).update(labels, x)
    assert stacked.members is not None
    alone = {(key,): inner.update(x[labels == key]) for key in "abcd"}
    by_itself = Grouped(inner, ["group"], alone)
    assert stacked.keys == by_itself.keys
    assert (stacked.n, stacked.mergeable) == (by_itself.n, by_itself.mergeable)
    for name, member in by_itself.to_arrays().items():
        np.testing.assert_array_equal(stacked.to_arrays()[name], member, err_msg=name)
    for key in alone:
        for name, member in alone[key].arrays().items():
            np.testing.assert_array_equal(stacked[key].arrays()[name], member)


def test_rows_that_follow_are_added_to_stacked_groups() -> None:
    x, labels = rows_and_labels()
    whole = Grouped(Moments()).update(labels, x)
    part = Grouped(Moments()).update(labels[:5000], x[:5000]).update(labels[5000:], x[5000:])
    assert part.keys == whole.keys
    for name in ("n", "mean", "m2"):
        np.testing.assert_allclose(part.stacked()[name], whole.stacked()[name], rtol=1e-12)


def test_no_row_is_no_group() -> None:
    none = Grouped(Moments()).update(Labels.of([]), np.zeros((0, 2)))
    assert none.is_empty
    assert none.keys == ()


def test_stacked_groups_are_read_only_and_survive_pickle() -> None:
    x, labels = rows_and_labels()
    groups = Grouped(Extrema()).update(labels, x)
    with pytest.raises(ValueError, match="read-only"):
        groups.stacked()["min"][0] = 0.0
    again = pickle.loads(pickle.dumps(groups))
    np.testing.assert_array_equal(again.stacked()["max"], groups.stacked()["max"])


def test_a_report_that_nobody_has_read_is_pickled_as_plain_values() -> None:
    x, labels = rows_and_labels()
    fitted = GroupZScore().fit(x[:, 0], groups=labels)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.report_ == fitted.report_
    assert [told["keys"] for told in again.report_["groups"]] == [["a"], ["b"], ["c"], ["d"]]
