import numpy as np
import pytest

from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    NonFiniteError,
    NotEnoughData,
    ShapeError,
)
from normalizers.statistics import Scatter


@pytest.fixture
def rows():
    rng = np.random.default_rng(11)
    return rng.normal(size=(9_000, 5)) @ rng.normal(size=(5, 5)) + 10.0


def test_covariance_agrees_with_numpy(rows):
    scatter = Scatter().update(rows)
    np.testing.assert_allclose(scatter.covariance(1), np.cov(rows.T), rtol=1e-12)
    np.testing.assert_array_equal(scatter.scatter, scatter.scatter.T)


def test_batches_give_the_same_as_one_pass(rows):
    whole, parts = Scatter().update(rows), Scatter()
    for batch in np.array_split(rows, 23):
        parts = parts.update(batch)
    bound = 1e-12 * np.abs(whole.scatter).max()
    np.testing.assert_allclose(parts.scatter, whole.scatter, rtol=0, atol=bound)


def test_float32_rows_are_summed_in_float64():
    x = (np.random.default_rng(0).normal(size=(5000, 3)) + 100).astype(np.float32)
    scatter = Scatter().update(x)
    exact = np.cov(x.astype(np.float64).T)
    np.testing.assert_allclose(scatter.covariance(1), exact, rtol=1e-11, atol=1e-12)


def test_columns_of_very_different_size_keep_their_variances():
    x = np.array([[1.0, 1.0], [3.0, 3.0]]) * [1e139, 1e-139]
    np.testing.assert_allclose(np.diag(Scatter().update(x).scatter), [2e278, 2e-278], rtol=1e-12)


def test_one_row_and_constant_columns_have_no_scatter():
    assert not Scatter().update(np.array([[0.1, 0.3]])).scatter.any()
    constant = Scatter().update(np.full((5, 2), 0.1)).update(np.full((7, 2), 0.1))
    assert not constant.scatter.any()
    with pytest.raises(NotEnoughData, match="at least 2 rows"):
        Scatter().update(np.array([[0.1, 0.3]])).covariance(1)


def test_removal_leaves_the_other_rows(rows):
    left = Scatter().update(rows).minus(Scatter().update(rows[:2000]))
    rest = Scatter().update(rows[2000:])
    np.testing.assert_allclose(left.scatter, rest.scatter, rtol=1e-10)
    np.testing.assert_allclose(left.mean, rest.mean, rtol=1e-12)


def test_removing_everything_gives_an_empty_value_of_the_same_dimensions(rows):
    scatter = Scatter().update(rows)
    left = scatter.minus(scatter)
    assert left.is_empty
    assert left.d == 5
    assert left.to_arrays() == {}


@pytest.mark.parametrize("removed", [[[90.0, 1.0], [-90.0, 0.0]], [[0.0, 0.0]] * 9])
def test_rows_that_were_never_added_cannot_be_removed(removed):
    whole = Scatter().update(np.array([[1.0, 2.0], [2.0, 3.0], [0.0, 5.0]]))
    with pytest.raises(IncompatibleStatistics, match="not the rows that were added"):
        whole.minus(Scatter().update(np.array(removed)))


def test_missing_values_are_refused_with_their_position():
    with pytest.raises(NonFiniteError, match="row 1, column 0") as caught:
        Scatter().update(np.array([[1.0, 2.0], [np.nan, 2.0]]))
    assert caught.value.positions == [(1, 0)]


def test_sizes_beyond_the_ends_are_refused_by_name():
    with pytest.raises(InvalidInput, match="between 1e-140 and 1e140"):
        Scatter().update(np.array([[1e-150]]))


def test_members_round_trip_and_a_covariance_becomes_a_scatter():
    scatter = Scatter().from_arrays(
        {"n": 5, "mean": [0.0, 1.0], "cov": [[2.0, 1.0], [1.0, 2.0]], "ddof": 1}, "s"
    )
    assert scatter.scatter.tolist() == [[8.0, 4.0], [4.0, 8.0]]
    again = Scatter().from_arrays(scatter.to_arrays(), "s")
    assert (again.n, again.scatter.tolist()) == (5, scatter.scatter.tolist())


def test_a_covariance_without_n_fits_but_does_not_merge():
    scatter = Scatter().from_arrays({"mean": [0.0], "cov": [[4.0]], "ddof": 1}, "s")
    assert scatter.covariance(1).tolist() == [[4.0]]
    assert sorted(scatter.to_arrays()) == ["cov", "ddof", "mean"]
    assert scatter.summary()["mean_variance"] == 4.0
    with pytest.raises(FitError, match="ddof 0"):
        scatter.covariance(0)
    with pytest.raises(IncompatibleStatistics, match="post 'n' too"):
        scatter.merge(Scatter().update(np.ones((2, 1))))


@pytest.mark.parametrize(
    "members, error, message, path",
    [
        ({"n": -3, "mean": [0.0], "scatter": [[1.0]]}, InvalidInput, "negative", "s.n"),
        ({"n": 2.5, "mean": [0.0], "scatter": [[1.0]]}, InvalidInput, "whole", "s.n"),
        ({"n": 3, "mean": [0.0], "scatter": [[1.0, 2.0]]}, ShapeError, "shape", "s.scatter"),
        (
            {"n": 3, "mean": [0.0, 0.0], "scatter": [[1.0, 0.5], [0.0, 1.0]]},
            InvalidInput,
            "asymmetric",
            "s.scatter[0][1]",
        ),
        (
            {"n": 3, "mean": [0.0, 0.0], "scatter": [[1.0, 2.0], [2.0, 1.0]]},
            InvalidInput,
            "negative eigenvalue",
            "s.scatter",
        ),
        ({"n": 1, "mean": [0.0], "scatter": [[1.0]]}, InvalidInput, "one row", "s.n"),
        ({"n": 0, "mean": [1.0], "scatter": [[0.0]]}, InvalidInput, "n is 0", "s.n"),
        ({"n": 1, "mean": [1.0], "cov": [[0.0]], "ddof": 1}, InvalidInput, "ddof", "s.n"),
        ({"mean": [1.0], "scatter": [[1.0]]}, InvalidInput, "'n' is missing", "s"),
        ({"n": 3, "mean": [1.0]}, InvalidInput, "exactly one of", "s"),
        ({"n": 3, "mean": [1.0], "scatters": [[1.0]]}, InvalidInput, "did you mean", "s.scatters"),
    ],
)
def test_wrong_members_are_refused_with_their_path(members, error, message, path):
    with pytest.raises(error, match=message) as caught:
        Scatter().from_arrays(members, "s")
    assert caught.value.path == path


def test_summary_is_plain():
    summary = Scatter().update(np.array([[3.0, 0.0], [3.0, 8.0]])).summary()
    assert summary == {"n": 2, "d": 2, "mean_norm": 5.0, "mean_variance": 16.0}
