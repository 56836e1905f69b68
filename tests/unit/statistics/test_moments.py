import numpy as np
import pytest

from normalizers.errors import (
    DtypeError,
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    NonFiniteError,
    ShapeError,
)
from normalizers.statistics import Moments


@pytest.fixture
def rows():
    rng = np.random.default_rng(7)
    x = rng.normal(size=(10_000, 3)) * [1.0, 1e-3, 1e100] + [0.0, 1.0, 0.0]
    x[rng.random(x.shape) < 0.1] = np.nan
    return x


def test_moments_agree_with_numpy_and_count_missing_values_out(rows):
    moments = Moments().update(rows)
    assert moments.observed.tolist() == np.count_nonzero(~np.isnan(rows), axis=0).tolist()
    assert moments.n == moments.observed.max()
    np.testing.assert_allclose(moments.mean[:2], np.nanmean(rows, axis=0)[:2], rtol=1e-12)
    np.testing.assert_allclose(moments.std(ddof=1), np.nanstd(rows, axis=0, ddof=1), rtol=1e-13)


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e3])
def test_batches_give_the_same_as_one_pass(offset):
    x = np.random.default_rng(3).normal(size=(9_000, 2)) + offset
    whole = Moments().update(x)
    parts = Moments()
    for batch in np.array_split(x, 37):
        parts = parts.update(batch)
    np.testing.assert_allclose(parts.mean, whole.mean, atol=1e-12 * np.abs(x).max(), rtol=0)
    np.testing.assert_allclose(parts.m2, whole.m2, rtol=1e-12)


def test_a_constant_stays_exact_over_batches():
    moments = Moments().update(np.full((7, 1), 0.1)).update(np.full((5000, 1), 0.1))
    assert moments.mean.tolist() == [0.1]
    assert moments.m2.tolist() == [0.0]
    assert moments.constant.tolist() == [True]


def test_a_small_spread_is_not_constant():
    moments = Moments().update(np.array([[1e9], [1e9 + 1e-5]]))
    assert moments.constant.tolist() == [False]


@pytest.mark.parametrize("size", [1e-139, 1e139])
def test_sizes_near_the_ends_are_right(size):
    moments = Moments().update(np.array([[1.0], [3.0]]) * size)
    np.testing.assert_allclose(moments.std(), size, rtol=1e-12)


@pytest.mark.parametrize("value", [1e141, 1e-141, np.inf])
def test_sizes_beyond_the_ends_are_refused_by_name(value):
    with pytest.raises(InvalidInput, match=r"between 1e-140 and 1e140.*row 1, column 0"):
        Moments().update(np.array([[0.0], [value]]))


def test_removal_leaves_the_other_rows(rows):
    whole, part, rest = (Moments().update(x) for x in (rows, rows[:4000], rows[4000:]))
    left = whole.minus(part)
    np.testing.assert_allclose(left.m2, rest.m2, rtol=1e-11)
    np.testing.assert_allclose(left.mean[:2], rest.mean[:2], rtol=1e-9, atol=1e-12)


def test_removing_everything_gives_an_empty_value_of_the_same_columns(rows):
    moments = Moments().update(rows)
    left = moments.minus(moments)
    assert left.is_empty
    assert left.to_arrays() == {}
    assert left.mean.tolist() == [0.0, 0.0, 0.0]


def test_removal_of_a_spike_leaves_a_constant():
    whole = Moments().update(np.array([[2.0], [2.0], [1e6]]))
    left = whole.minus(Moments().update(np.array([[1e6]])))
    assert left.constant.tolist() == [True]


@pytest.mark.parametrize("removed", [[[9.0]], [[1.0], [2.0], [3.0], [4.0]], [[-50.0], [50.0]]])
def test_rows_that_were_never_added_cannot_be_removed(removed):
    whole = Moments().update(np.array([[1.0], [2.0], [3.0]]))
    with pytest.raises(IncompatibleStatistics, match="not the rows that were added"):
        whole.minus(Moments().update(np.array(removed)))


def test_other_columns_do_not_merge():
    with pytest.raises(IncompatibleStatistics, match="columns is 1 here and 2 there"):
        Moments().update(np.zeros((2, 1))).merge(Moments().update(np.zeros((2, 2))))


def test_members_with_std_and_a_scalar_n():
    moments = Moments().from_arrays({"n": 5, "mean": 77.7, "std": 9.6, "ddof": 1}, "s")
    assert moments.observed.tolist() == [5]
    np.testing.assert_allclose(moments.std(ddof=1), [9.6])


def test_members_round_trip_exactly(rows):
    moments = Moments().update(rows)
    again = Moments().from_arrays(moments.to_arrays(), "s")
    assert again.m2.tolist() == moments.m2.tolist()
    assert again.mean.tolist() == moments.mean.tolist()


def test_a_column_without_values_has_missing_or_zero_moments():
    members = {"n": [0, 1], "mean": [None, 2.0], "std": [None, None], "ddof": 1}
    moments = Moments().from_arrays(members, "s")
    assert moments.mean.tolist() == [0.0, 2.0]
    assert np.isnan(moments.variance()).tolist() == [True, False]


def test_members_without_n_fit_but_do_not_merge():
    moments = Moments().from_arrays({"mean": [1.0], "std": [2.0], "ddof": 1}, "s")
    assert not moments.mergeable
    assert not moments.is_empty
    assert moments.std(ddof=1).tolist() == [2.0]
    assert sorted(moments.to_arrays()) == ["ddof", "mean", "std"]
    with pytest.raises(FitError, match="post 'n' too"):
        moments.std(ddof=0)
    with pytest.raises(IncompatibleStatistics, match="without 'n' fit"):
        moments.merge(Moments().update(np.ones((2, 1))))


@pytest.mark.parametrize(
    "members, error, message, path",
    [
        ({"n": 2, "means": [1.0]}, InvalidInput, "did you mean 'mean'", "s.means"),
        ({"n": 2, "m2": [1.0]}, InvalidInput, "'mean' is missing", "s"),
        ({"n": 2, "mean": [1.0]}, InvalidInput, "exactly one of 'm2'", "s"),
        ({"mean": [1.0], "m2": [1.0]}, InvalidInput, "'n' is missing", "s"),
        ({"n": 2, "mean": [1.0], "std": [1.0]}, InvalidInput, "'ddof' is missing", "s"),
        ({"n": -1, "mean": [1.0], "m2": [1.0]}, InvalidInput, "negative", "s.n[0]"),
        ({"n": 1.5, "mean": [1.0], "m2": [1.0]}, InvalidInput, "whole number", "s.n[0]"),
        ({"n": 2, "mean": [1.0, 2.0], "m2": [1.0]}, ShapeError, r"\(1,\), not \(2,\)", "s.m2"),
        ({"n": 2, "mean": [1.0], "m2": [-1.0]}, InvalidInput, "negative", "s.m2[0]"),
        ({"n": 2, "mean": ["1"], "m2": [1.0]}, DtypeError, "a number", "s.mean[0]"),
        ({"n": 2, "mean": [True], "m2": [1.0]}, DtypeError, "a number", "s.mean[0]"),
        ({"n": 2, "mean": [None], "m2": [1.0]}, InvalidInput, "missing", "s.mean[0]"),
        ({"n": 2, "mean": [np.inf], "m2": [1.0]}, NonFiniteError, "infinite", "s.mean[0]"),
        ({"n": 0, "mean": [1.0], "m2": [0.0]}, InvalidInput, "n 0 has no value", "s.mean[0]"),
        ({"n": 1, "mean": [1.0], "m2": [3.0]}, InvalidInput, "no spread", "s.n[0]"),
        ({"n": 2, "mean": [1e150], "m2": [1.0]}, InvalidInput, "1e140", "s.mean[0]"),
        ({"n": 2, "mean": [[1.0], 2.0], "m2": [1.0]}, ShapeError, "equal length", "s.mean"),
    ],
)
def test_wrong_members_are_refused_with_their_path(members, error, message, path):
    with pytest.raises(error, match=message) as caught:
        Moments().from_arrays(members, "s")
    assert caught.value.path == path


def test_summary_has_null_where_std_is_undefined():
    summary = Moments().update(np.array([[1.0, np.nan], [np.nan, np.nan]])).summary()
    assert summary == {"n": [1, 0], "mean": [1.0, None], "std": [None, None]}


def test_rows_are_not_modified_and_arrays_are_read_only():
    x = np.arange(6.0).reshape(3, 2)
    x.flags.writeable = False
    moments = Moments().update(x)
    with pytest.raises(ValueError, match="read-only"):
        moments.mean[0] = 1.0
