import numpy as np
import pytest

from normalizers.errors import FitError, IncompatibleStatistics, InvalidInput, UnsupportedOperation
from normalizers.statistics import Sample


def test_rows_are_kept_in_canonical_order():
    x, labels = np.array([2.0, 1.0, 2.0, np.nan]), np.array([1.0, 0.0, -0.0, 1.0])
    sample = Sample(["x", "labels"]).update(x[:1], labels[:1]).update(x[1:], labels[1:])
    assert sample["x"].tolist() == [1.0, 2.0, 2.0]
    assert sample["labels"].tolist() == [0.0, 0.0, 1.0]
    assert not np.signbit(sample["labels"]).any()
    again = Sample(["x", "labels"]).from_arrays({"x": [2, 2, 1], "labels": [1, 0, 0]}, "s")
    assert again["labels"].tolist() == sample["labels"].tolist()


def test_rows_may_have_columns():
    sample = Sample(["x"]).update(np.array([[2.0, 1.0], [1.0, 9.0], [2.0, np.nan]]))
    assert sample["x"].tolist() == [[1.0, 9.0], [2.0, 1.0]]
    with pytest.raises(IncompatibleStatistics, match="width of x is 2 here and 3 there"):
        sample.update(np.zeros((1, 3)))


def test_more_rows_than_the_limit_are_refused_and_the_parameter_is_named():
    sample = Sample(["x"], 3).update(np.arange(3.0))
    with pytest.raises(FitError, match=r"4 rows.*3 that are kept.*sample_limit"):
        sample.update(np.array([1.0]))
    with pytest.raises(FitError):
        Sample(["x"], 3).from_arrays({"x": [1, 2, 3, 4]}, "s")
    with pytest.raises(IncompatibleStatistics, match="row_limit"):
        sample.merge(Sample(["x"], 4).update(np.array([1.0])))


def test_nothing_is_empty_and_rows_cannot_be_subtracted():
    empty = Sample(["x"]).update(np.zeros(0))
    assert empty.is_empty
    assert empty.to_arrays() == {}
    assert Sample(["x"]).from_arrays({}, "s").is_empty
    with pytest.raises(UnsupportedOperation):
        empty.minus(empty)


@pytest.mark.parametrize(
    "members, path",
    [
        ({"x": [1.0, None]}, "s.x[1]"),
        ({"x": [[[1.0]]]}, "s"),
        ({"x": 1.0}, "s"),
        ({"y": [1.0]}, "s.y"),
        ({"x": ["a"]}, "s.x[0]"),
    ],
)
def test_wrong_members_are_refused(members, path):
    with pytest.raises(InvalidInput) as caught:
        Sample(["x"]).from_arrays(members, "s")
    assert caught.value.path == path


def test_wrong_rows_are_refused():
    with pytest.raises(InvalidInput, match="infinite"):
        Sample(["x"]).update(np.array([np.inf]))
    with pytest.raises(InvalidInput, match="equal length"):
        Sample(["x", "y"]).update(np.zeros(2), np.zeros(3))
