"""Statistics that batches move: their rules, their order, what is posted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.errors import IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.statistics import Running
from normalizers.statistics.drift_guard import DriftGuard
from normalizers.statistics.running import RunningRule

X = np.random.default_rng(4).normal(2.0, 3.0, size=(30, 3))


def test_batches_move_mean_and_biased_variance() -> None:
    rule = RunningRule(alpha=0.25)
    kept = Running(rule).update(X[:10]).update(X[10:])
    mean = 0.75 * X[:10].mean(axis=0) + 0.25 * X[10:].mean(axis=0)
    variance = 0.75 * X[:10].var(axis=0) + 0.25 * X[10:].var(axis=0)
    np.testing.assert_allclose(kept.mean, mean, rtol=1e-14)
    np.testing.assert_allclose(kept.variance, variance, rtol=1e-14)


def test_steps_of_one_row_are_the_exponentially_weighted_covariance_of_pandas() -> None:
    rule = RunningRule(alpha=0.1, second_moment="covariance", batch_size=1)
    kept = Running(rule).update(X)
    peer = pd.DataFrame(X).ewm(alpha=0.1, adjust=False)
    np.testing.assert_allclose(kept.mean, peer.mean().iloc[-1], rtol=1e-12)
    np.testing.assert_allclose(kept.second, peer.cov(bias=True).iloc[-3:], rtol=1e-11)


def test_corrected_weights_are_divided_by_their_sum() -> None:
    rule = RunningRule(alpha=0.1, second_moment="mean_square", start="bias_corrected", batch_size=1)
    kept = Running(rule).update(X)
    peer = pd.DataFrame(X).ewm(alpha=0.1, adjust=True).mean().iloc[-1]
    squares = pd.DataFrame(X**2).ewm(alpha=0.1, adjust=True).mean().iloc[-1]
    np.testing.assert_allclose(kept.mean, peer, rtol=1e-12)
    np.testing.assert_allclose(kept.second, squares, rtol=1e-12)


@pytest.mark.parametrize("size", [1, 4, 7, 30])
def test_the_last_shorter_batch_counts_as_much(size: int) -> None:
    one = Running(RunningRule(batch_size=size)).update(X)
    by_hand = Running()
    for start in range(0, 30, size):
        by_hand = by_hand.update(X[start : start + size])
    assert one.step == by_hand.step == -(-30 // size)
    np.testing.assert_array_equal(one.mean, by_hand.mean)
    np.testing.assert_array_equal(one.second, by_hand.second)


def test_a_column_without_an_observed_value_is_left() -> None:
    kept = Running().update(X[:5])
    hidden = X[5:8].copy()
    hidden[:, 1] = np.nan
    after = kept.update(hidden)
    assert after.mean[1] == kept.mean[1]
    assert after.mean[0] != kept.mean[0]
    with pytest.raises(ShapeError, match="without missing values"):
        Running(RunningRule(second_moment="covariance")).update(hidden)


def test_two_of_them_have_no_sum() -> None:
    kept = Running().update(X)
    assert kept.merge(Running()) is kept
    assert Running().merge(kept) is kept
    with pytest.raises(IncompatibleStatistics, match="kept in order"):
        kept.merge(kept)
    with pytest.raises(IncompatibleStatistics, match="kept in order"):
        kept.minus(kept)
    with pytest.raises(IncompatibleStatistics, match="another rule"):
        Running(RunningRule(alpha=0.5)).merge(kept)


@pytest.mark.parametrize("kept", ["variance", "mean_square", "covariance"])
def test_it_comes_back_from_its_members(kept: str) -> None:
    rule = RunningRule(second_moment=kept)
    running = Running(rule).update(X[:9]).update(X[9:])
    again = Running(rule).from_arrays(running.to_arrays(), "statistics.running")
    assert again.step == 2
    np.testing.assert_array_equal(again.mean, running.mean)
    np.testing.assert_array_equal(again.second, running.second)
    assert Running(rule).to_arrays() == {}


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"step": 0, "mean": [1.0], "variance": [1.0]}, "at least one batch"),
        ({"step": 1, "mean": [1.0], "variance": [-1.0]}, "negative"),
        ({"step": 1, "mean": [1.0], "covariance": [[1.0]]}, "unknown member 'covariance'"),
        ({"step": 1, "mean": [1.0], "variance": [1.0, 2.0]}, "the shape is"),
    ],
)
def test_members_that_cannot_be_are_refused(members: dict[str, object], what: str) -> None:
    with pytest.raises(InvalidInput, match=what):
        Running().from_arrays(members, "statistics.running")


def test_the_guard_tells_a_batch_that_is_unlike_the_last_ones() -> None:
    guard = DriftGuard(warm_up=10)
    rng = np.random.default_rng(6)
    for _ in range(20):
        guard = guard.looked_at(rng.uniform(0.9, 1.1, size=2))
    assert not guard.is_unlike
    after = guard.looked_at(np.array([1.0, 400.0]))
    assert after.is_unlike
    assert after.excess[0] < 1 < after.excess[1]
    left = guard.skipping(after)
    assert (left.seen, left.skipped) == (21, 1)
    np.testing.assert_array_equal(left.recent, guard.recent)
    again = DriftGuard(10).from_arrays(left.to_arrays(), "statistics.drift_guard")
    assert again.summary() == left.summary()
