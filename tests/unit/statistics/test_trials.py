"""Sums of a measure at the points of a grid: exact, whatever the parts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from normalizers.errors import FitError, IncompatibleStatistics, NormalizerError
from normalizers.statistics import Trials
from normalizers.statistics.trials import MOST_QUERIES

GRID = np.array([[0.2, 0.8], [0.5, 0.5], [1.0, 0.0]])


def empty(measure: str = "map", settings: str = "{}", grid: np.ndarray = GRID) -> Trials:
    return Trials().started(measure, settings, ("a", "b"), grid)


def measured(seed: int = 1, queries: int = 50) -> np.ndarray:
    return np.random.default_rng(seed).random((queries, len(GRID)))


def members(trials: Trials) -> dict[str, object]:
    return {name: array.tolist() for name, array in trials.to_arrays().items()}


def test_a_mean_is_that_of_the_exact_sum() -> None:
    values = measured()
    for mean, column in zip(empty().update(values).means, values.T, strict=True):
        exact = sum(map(Fraction, column.tolist())) / len(column)
        assert abs(Fraction(float(mean)) - exact) < Fraction(2) ** -52


@pytest.mark.parametrize("cut", [0, 1, 17, 50])
def test_parts_in_any_order_are_the_whole_bit_for_bit(cut: int) -> None:
    values, whole = measured(), empty().update(measured())
    left, right = empty().update(values[:cut]), empty().update(values[cut:])
    for merged in (left.merge(right), right.merge(left), Trials().merge(left).merge(right)):
        assert members(merged) == members(whole)
    assert members(whole.minus(right)) == members(left)
    again = empty().update(values[::-1])
    assert members(again) == members(whole)


def test_level_points_stay_level_and_the_first_is_best() -> None:
    values = np.array([[0.1, 0.3, 0.2], [0.3, 0.2, 0.3], [0.2, 0.1, 0.1]])
    trials = empty().update(values)
    assert trials.means[0] == trials.means[1] == trials.means[2]
    assert trials.best == 0
    assert empty().update(values + [[0.0, 0.1, 0.1]] * 3).best == 1


@pytest.mark.parametrize(
    "other",
    [empty("mrr"), empty(settings='{"k":1}'), empty(grid=GRID[:2]),
     Trials().started("map", "{}", ("a", "c"), GRID)],
)  # fmt: skip
def test_other_trials_do_not_merge(other: Trials) -> None:
    values = measured()[:, : len(other.grid)]
    with pytest.raises(IncompatibleStatistics):
        empty().update(measured()).merge(other.update(values))


def test_what_was_never_added_is_not_removed() -> None:
    with pytest.raises(IncompatibleStatistics):
        empty().update(measured(queries=3)).minus(empty().update(measured(queries=4)))
    with pytest.raises(IncompatibleStatistics):
        empty().update(measured() / 2).minus(empty().update(np.ones((40, 3))))


def test_members_are_read_again() -> None:
    trials = empty().update(measured())
    again = Trials().from_arrays(members(trials), "statistics.trials")
    assert members(again) == members(trials)
    assert again.identity() == trials.identity()
    assert Trials().from_arrays({}, "s").is_empty
    assert empty().to_arrays() == {}
    assert trials.summary() == {"n": 50, "measure": "map", "points": 3}


@pytest.mark.parametrize(
    "change",
    [
        {"sums": [60.0, 1.0, 1.0]}, {"sums": [-1.0, 1.0, 1.0]}, {"rests": [1.0, 0.0, 0.0]},
        {"grid": [[0.2, 0.8]] * 3}, {"grid": []}, {"n": -1}, {"columns": ["a"]}, {"sums": [1.0]},
        {"measure": ["map", "mrr"]}, {"measure": "map"}, {"n": MOST_QUERIES + 1}, {"more": 1},
        {"sums": [None, 1.0, 1.0]},
    ],
)  # fmt: skip
def test_posted_members_that_are_none(change: dict[str, object]) -> None:
    posted = {**members(empty().update(measured())), **change}
    with pytest.raises(NormalizerError):
        Trials().from_arrays(posted, "statistics.trials")


def test_more_queries_than_sums_are_exact_for() -> None:
    whole = empty().update(np.zeros((MOST_QUERIES, 3)))
    assert whole.limit == MOST_QUERIES
    with pytest.raises(FitError):
        whole.merge(empty().update(np.zeros((1, 3))))
