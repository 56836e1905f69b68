import numpy as np
import pytest

from normalizers.errors import IncompatibleStatistics, InvalidInput, NonFiniteError, ShapeError
from normalizers.statistics import Counts, Grouped


def test_values_are_counted_once_or_as_often_as_told():
    counts = Counts().update(np.array([2.0, -0.0, 2.0, np.nan]))
    assert counts.bins.tolist() == [0.0, 2.0]
    assert counts.counts.tolist() == [1, 2]
    more = counts.update(np.array([2.0, 5.0, 6.0]), np.array([10, 1, 0]))
    assert more.at(np.array([2.0, 5.0, 6.0, 9.0, -1.0])).tolist() == [12, 1, 0, 0, 0]
    assert more.n == 14
    assert Counts().at(np.array([1.0])).tolist() == [0]


def test_parts_with_other_bins_add_up_and_come_apart():
    short, long = Counts().update(np.arange(3.0)), Counts().update(np.arange(5.0))
    both = short.merge(long)
    assert both.counts.tolist() == [2, 2, 2, 1, 1]
    assert both.minus(long).to_arrays()["bins"].tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(IncompatibleStatistics, match="never"):
        short.minus(long)


def test_groups_stand_one_after_the_other():
    labels = np.array([["bm25", "hits"], ["bm25", "lists"], ["bm25", "lists"]], dtype=object)
    grouped = Grouped(Counts(), ["run", "what"]).update(labels, np.array([2.0, 1.0, 2.0]))
    members = grouped.to_arrays()
    assert members["offsets"].tolist() == [0, 1, 3]
    assert members["bins"].tolist() == [2.0, 1.0, 2.0]
    again = Grouped(Counts()).from_arrays({k: v.tolist() for k, v in members.items()}, "s")
    assert again["bm25", "lists"].counts.tolist() == [1, 1]


@pytest.mark.parametrize(
    "members, path",
    [
        ({"bins": [1.0, 1.0], "counts": [1, 1]}, "s.bins[0]"),
        ({"bins": [1.0, None], "counts": [1, 1]}, "s.bins[1]"),
        ({"bins": [1.0], "counts": [-1]}, "s.counts[0]"),
        ({"bins": [1.0], "counts": [0.5]}, "s.counts[0]"),
        ({"bins": [1.0], "counts": [1, 2]}, "s.counts"),
        ({"bins": [1.0]}, "s"),
        ({"bins": [1.0], "counts": [1], "n": 1}, "s.n"),
        ({"bins": [1.0, 2.0], "counts": [2**53, 2**53]}, "s.counts"),
    ],
)
def test_wrong_members_are_refused(members, path):
    with pytest.raises(InvalidInput) as caught:
        Counts().from_arrays(members, "s")
    assert caught.value.path == path


def test_wrong_rows_are_refused():
    with pytest.raises(NonFiniteError):
        Counts().update(np.array([np.inf]))
    with pytest.raises(InvalidInput, match="whole number"):
        Counts().update(np.array([1.0]), np.array([0.5]))
    with pytest.raises(ShapeError):
        Counts().update(np.array([1.0]), np.array([1.0, 2.0]))


def test_wrong_groups_are_refused():
    members = {"keys": [["a"], ["b"]], "offsets": [0, 2, 1], "bins": [1.0], "counts": [1]}
    with pytest.raises(InvalidInput, match="descend"):
        Grouped(Counts()).from_arrays(members, "s")
    with pytest.raises(ShapeError):
        Grouped(Counts()).from_arrays({**members, "offsets": [0, 1, 2]}, "s")
