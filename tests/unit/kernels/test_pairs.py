"""Pairs counted by sorting are those counted one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from normalizers.kernels.pairs import PairCounts, ordered_before, pair_counts


def one_by_one(x: list[float], y: list[float], tie_epsilon: float = 0.0) -> PairCounts:
    """Return the counts of pairs by looking at each."""
    found = dict.fromkeys(PairCounts._fields, 0.0)
    for i, j in combinations(range(len(x)), 2):
        apart_x, step = x[i] - x[j], y[i] - y[j]
        apart_y = 0.0 if abs(step) <= tie_epsilon else step
        found["pairs"] += 1
        if apart_x and apart_y:
            found["concordant" if (apart_x > 0) == (apart_y > 0) else "discordant"] += 1
        elif apart_y:
            found["tied_x"] += 1
        else:
            found["tied_y" if apart_x else "tied_both"] += 1
    return PairCounts(**found)


@pytest.mark.parametrize("tie_epsilon", [0.0, 0.1, 0.25, 3.0])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 40])
def test_pairs_with_ties_are_counted_as_one_by_one(n: int, tie_epsilon: float) -> None:
    random = np.random.default_rng(n)
    for _ in range(20):
        x, y = random.integers(0, 5, n) / 10, random.integers(0, 8, n) / 10
        counted = pair_counts(x, y, np.ones(n), tie_epsilon)
        assert counted == one_by_one(x.tolist(), y.tolist(), tie_epsilon)


def test_a_weight_is_so_many_copies_of_a_row() -> None:
    random = np.random.default_rng(5)
    x, y, weights = random.integers(0, 6, (3, 30)).astype(float)
    copies = np.repeat(np.arange(30), weights.astype(int))
    assert pair_counts(x, y, weights, 1.0) == one_by_one(
        x[copies].tolist(), y[copies].tolist(), 1.0
    )


def test_differences_are_compared_as_they_are_and_not_as_they_look() -> None:
    # 0.3 - 0.2 is a little less than 0.1, and 0.4 - 0.3 a little more.
    y = np.array([0.2, 0.3, 0.4])
    counted = pair_counts(np.arange(3.0), y, np.ones(3), 0.1)
    assert (counted.tied_y, counted.concordant) == (1.0, 2.0)


def test_values_at_the_ends_of_the_range_are_compared() -> None:
    y = np.array([-1.7e308, 1.7e308, 5e-324, 0.0])
    counted = pair_counts(np.array([0.0, 3.0, 2.0, 1.0]), y, np.ones(4))
    assert (counted.concordant, counted.discordant) == (6.0, 0.0)


def test_no_rows_have_no_pairs() -> None:
    assert pair_counts(np.zeros(0), np.zeros(0), np.zeros(0)) == (0.0,) * 6
    assert ordered_before(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0)) == 0.0
