"""Weights of rows in moments, scatter, quantiles and extrema; third and fourth moments."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.statistics import Extrema, Grouped, Moments, Quantiles, Scatter
from normalizers.statistics.base.higher_sums import HigherSums
from normalizers.statistics.base.weights import WeightKind, WeightSums
from normalizers.testing.compare import assert_close, assert_identical

RANDOM = np.random.default_rng(4)
X = RANDOM.normal(3.0, 2.0, size=(60, 3))
COUNTS = RANDOM.integers(0, 4, size=60).astype(float)
WEIGHTS = np.where(COUNTS == 0, 0.0, RANDOM.uniform(0.1, 5.0, size=60))
REPEATED = np.repeat(X, COUNTS.astype(int), axis=0)
KINDS: tuple[WeightKind, ...] = ("frequency", "reliability")


def moments(kind: WeightKind) -> Moments:
    return Moments(weights=WeightSums(kind))


def scatter(kind: WeightKind) -> Scatter:
    return Scatter(weights=WeightSums(kind))


def test_k11_frequency_weights_are_rows_that_occur_so_often() -> None:
    weighted, plain = moments("frequency").update(X, COUNTS), Moments().update(REPEATED)
    np.testing.assert_allclose(weighted.mean, plain.mean, rtol=1e-13)
    for ddof in (0, 1):
        np.testing.assert_allclose(weighted.variance(ddof), plain.variance(ddof), rtol=1e-12)
    both = scatter("frequency").update(X, COUNTS), Scatter().update(REPEATED)
    np.testing.assert_allclose(both[0].covariance(1), both[1].covariance(1), rtol=1e-12)
    np.testing.assert_array_equal(
        Quantiles().update(X, COUNTS).to_arrays()["counts"],
        Quantiles().update(REPEATED).to_arrays()["counts"],
    )


@pytest.mark.parametrize("ddof", [0, 1])
def test_k11_reliability_weights_are_numpy_s(ddof: int) -> None:
    expected = np.cov(X.T, aweights=WEIGHTS, ddof=ddof)
    found = scatter("reliability").update(X, WEIGHTS)
    np.testing.assert_allclose(found.covariance(ddof), expected, rtol=1e-12)
    variance = moments("reliability").update(X, WEIGHTS).variance(ddof)
    np.testing.assert_allclose(variance, np.diag(expected), rtol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_k11_weighted_parts_add_up_and_come_apart(kind: WeightKind) -> None:
    weights = COUNTS if kind == "frequency" else WEIGHTS
    for empty in (moments(kind), scatter(kind)):
        whole = empty.update(X, weights)
        edges = ((0, 10), (10, 11), (11, 60))
        parts = [empty.update(X[a:b], weights[a:b]) for a, b in edges]
        assert_close(reduce(type(whole).merge, parts).to_arrays(), whole.to_arrays(), 1e-12)  # type: ignore[arg-type]
        left = whole.minus(parts[2])  # type: ignore[arg-type]
        first = parts[0].merge(parts[1])  # type: ignore[arg-type]
        assert_close(left.to_arrays(), first.to_arrays(), 1e-9)
        assert whole.minus(whole).n == 0  # type: ignore[arg-type]
        posted = empty.from_arrays(whole.to_arrays(), "statistics")
        assert_identical(posted.to_arrays(), whole.to_arrays())
        assert_identical(
            empty.from_arrays({}, "statistics").merge(whole).to_arrays(), whole.to_arrays()
        )  # type: ignore[arg-type]


def test_k11_parts_of_different_kinds_refuse_each_other() -> None:
    weighted, plain = moments("reliability").update(X, WEIGHTS), Moments().update(X)
    for one, other in ((weighted, plain), (plain, weighted), (moments("frequency"), weighted)):
        with pytest.raises(IncompatibleStatistics, match="weight_kind"):
            one.merge(other)
    with pytest.raises(IncompatibleStatistics, match="weight_kind"):
        scatter("frequency").update(X, COUNTS).merge(Scatter().update(X))
    with pytest.raises(IncompatibleStatistics, match="without weights"):
        moments("reliability").update(X)
    with pytest.raises(IncompatibleStatistics, match="with weights"):
        Moments().update(X, WEIGHTS)


def test_k11_a_weight_of_0_is_no_row() -> None:
    rows = np.array([[1.0], [1e9], [3.0]])
    weights = np.array([1.0, 0.0, 2.0])
    assert Extrema().update(rows, weights).max.tolist() == [3.0]
    assert Extrema().update(rows, weights).n == 2
    assert Quantiles().update(rows, weights).n == 3
    assert moments("reliability").update(rows, weights).n == 2
    assert scatter("reliability").update(rows, weights).n == 2


def test_k11_groups_keep_weights_of_their_own() -> None:
    labels = np.array(["a", "b"] * 30, dtype=object)
    grouped = Grouped(moments("reliability")).update(labels, X, WEIGHTS)
    alone = moments("reliability").update(X[::2], WEIGHTS[::2])
    assert_close(grouped["a"].to_arrays(), alone.to_arrays(), 1e-13)
    again = Grouped(moments("reliability")).from_arrays(grouped.to_arrays(), "statistics")
    assert_identical(again.to_arrays(), grouped.to_arrays())
    ends = Grouped(Extrema()).update(labels, X, WEIGHTS)
    assert ends["a"].n == int((WEIGHTS[::2] > 0).sum())


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, 1e200])
def test_k11_impossible_weights_are_refused_with_their_row(wrong: float) -> None:
    weights = np.ones(60)
    weights[7] = wrong
    for empty in (moments("reliability"), scatter("reliability"), Extrema(), Quantiles()):
        with pytest.raises(InvalidInput) as refused:
            empty.update(X, weights)
        assert refused.value.path == "fit.sample_weights[7]"
    with pytest.raises(InvalidInput, match="whole weights"):
        Quantiles().update(X, np.full(60, 0.5))


def test_k11_posted_sums_that_no_weights_have_are_refused() -> None:
    members = moments("reliability").update(X, WEIGHTS).to_arrays()
    for name, value in (
        ("sum_w", -members["sum_w"]),
        ("sum_w2", members["sum_w"] ** 2 * 2),
        ("sum_w2", members["sum_w2"] * 1e-6),
    ):
        with pytest.raises(InvalidInput):
            moments("reliability").from_arrays({**members, name: value}, "statistics")
    with pytest.raises(InvalidInput, match="weight_kind"):
        Moments().from_arrays(members, "statistics")
    lacking = {name: value for name, value in members.items() if name != "sum_w"}
    with pytest.raises(InvalidInput, match="sum_w"):
        moments("reliability").from_arrays(lacking, "statistics")


def four() -> Scatter:
    return Scatter(higher=HigherSums.zeros(0))


def test_k11_third_and_fourth_moments_add_up_exactly() -> None:
    z = X - X.mean(axis=0)
    squares = (z * z).sum(axis=1)
    whole = four().update(X)
    assert whole.higher is not None
    np.testing.assert_allclose(whole.higher.third, squares @ z, rtol=1e-11)
    np.testing.assert_allclose(whole.higher.fourth, squares @ squares, rtol=1e-12)
    parts = [four().update(part) for part in (X[:1], X[1:7], X[7:])]
    assert_close(reduce(Scatter.merge, parts).to_arrays(), whole.to_arrays(), 1e-11)
    left, expected = whole.minus(parts[2]), four().update(X[:7])
    assert_close(left.to_arrays(), expected.to_arrays(), 1e-8)
    posted = four().from_arrays(whole.to_arrays(), "statistics")
    assert_identical(posted.to_arrays(), whole.to_arrays())


def test_k11_whether_they_are_kept_is_no_matter_of_the_fields_that_came() -> None:
    whole = four().update(X)
    with pytest.raises(IncompatibleStatistics, match="moments: 4"):
        whole.merge(Scatter().update(X))
    with pytest.raises(InvalidInput, match="moments: 4"):
        Scatter().from_arrays(whole.to_arrays(), "statistics")
    with pytest.raises(InvalidInput, match="third"):
        four().from_arrays(Scatter().update(X).to_arrays(), "statistics")
    with pytest.raises(InvalidInput, match="1e70"):
        four().update(np.array([[1e100, 0.0], [-1e100, 1.0]]))
