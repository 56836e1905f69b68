from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers.measures.agreement import kendall
from normalizers.measures.rated import Rated
from normalizers.measures.tie_calibration import MOST_ROWS, best_tie_epsilon

ROWS = st.lists(
    st.tuples(st.integers(0, 5).map(float), st.integers(0, 3).map(float)), min_size=2, max_size=12
)


@given(ROWS)
def test_the_best_difference_is_that_of_a_search(
    rows: list[tuple[float, float]],
) -> None:
    scores, qualities = np.array(rows).T / 10
    rated = Rated.of(scores, qualities)
    gaps = np.abs(scores[:, None] - scores[None, :])[np.triu_indices(len(scores), 1)]
    candidates = sorted({0.0, *gaps.tolist()})
    if rated.constant:
        return
    values = [kendall(rated, "acc23", gap) for gap in candidates]
    assert best_tie_epsilon(rated) == candidates[int(np.argmax(values))]


def test_the_very_difference_that_was_observed_is_compared() -> None:
    rated = Rated.of(np.array([0.3, 0.2, 0.9]), np.array([1.0, 1.0, 2.0]))
    assert best_tie_epsilon(rated) == 0.3 - 0.2
    assert kendall(rated, "acc23", best_tie_epsilon(rated)) == 1.0


def test_many_rows_are_drawn_and_the_same_each_time() -> None:
    random = np.random.default_rng(1)
    scores = random.normal(size=MOST_ROWS + 500)
    qualities = np.round(scores + random.normal(size=len(scores)))
    rated = Rated.of(scores, qualities)
    assert best_tie_epsilon(rated) == best_tie_epsilon(rated)


def test_no_pair_has_no_difference() -> None:
    assert best_tie_epsilon(Rated.of(np.array([1.0]), np.array([1.0]))) == pytest.approx(0.0)
