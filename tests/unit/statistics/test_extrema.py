import numpy as np
import pytest

from normalizers.errors import InvalidInput, NonFiniteError, UnsupportedOperation
from normalizers.statistics import Extrema


def test_extrema_ignore_missing_values_and_take_any_size():
    extrema = Extrema().update(np.array([[1e300, np.nan], [-1e-300, np.nan]]))
    assert extrema.observed.tolist() == [2, 0]
    assert (extrema.min[0], extrema.max[0]) == (-1e-300, 1e300)
    assert np.isnan(extrema.min[1])
    assert extrema.constant.tolist() == [False, False]


def test_zeros_do_not_depend_on_the_order_of_merging():
    minus, plus = (Extrema().update(np.array([[zero]])) for zero in (-0.0, 0.0))
    for merged in (minus.merge(plus), plus.merge(minus), minus):
        assert not np.signbit(merged.min[0])
        assert not np.signbit(merged.max[0])


def test_an_empty_batch_changes_nothing():
    extrema = Extrema().update(np.array([[1.0]])).update(np.zeros((0, 1)))
    assert (extrema.n, extrema.min.tolist()) == (1, [1.0])


def test_members_round_trip_with_a_column_without_values():
    extrema = Extrema().update(np.array([[1.0, np.nan], [2.0, np.nan]]))
    again = Extrema().from_arrays(extrema.to_arrays(), "s")
    np.testing.assert_array_equal(again.min, extrema.min)
    assert again.observed.tolist() == [2, 0]
    assert extrema.summary() == {"min": [1.0, None], "max": [2.0, None]}


@pytest.mark.parametrize(
    "members, message, path",
    [
        ({"n": 2, "min": [2.0], "max": [1.0]}, "'min' is above 'max'", "s.min[0]"),
        ({"n": 2, "min": [None], "max": [1.0]}, "missing", "s.min[0]"),
        ({"n": 0, "min": [1.0], "max": [1.0]}, "n 0 has no value", "s.min[0]"),
        ({"n": 1, "min": [1.0], "max": [2.0]}, "one value", "s.n[0]"),
        ({"n": 1, "min": [1.0]}, "'max' is missing", "s"),
        ({"low": [1.0]}, "unknown member 'low'", "s.low"),
    ],
)
def test_wrong_members_are_refused(members, message, path):
    with pytest.raises(InvalidInput, match=message) as caught:
        Extrema().from_arrays(members, "s")
    assert caught.value.path == path


def test_infinities_are_refused_and_rows_cannot_be_removed():
    with pytest.raises(NonFiniteError):
        Extrema().update(np.array([[-np.inf]]))
    extrema = Extrema().update(np.array([[1.0]]))
    with pytest.raises(UnsupportedOperation):
        extrema.minus(extrema)
