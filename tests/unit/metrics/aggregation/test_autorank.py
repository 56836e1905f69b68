from __future__ import annotations

import numpy as np
import pytest

from normalizers import Autorank
from normalizers.errors import InvalidParams

X = np.array([[0.9, 1.0], [0.8, 3.0], [0.5, 5.0]])


@pytest.mark.parametrize("worst, last", [("n_systems", 2.0), ("n_systems_plus_1", 3.0)])
@pytest.mark.parametrize("variant", ["2024", "2025"])
def test_wmt24_autorank_ends_where_it_is_told(worst: str, last: float, variant: str) -> None:
    """The text says N, the published sheet ends at N + 1."""
    ranked = Autorank(variant=variant, worst_rank=worst, higher_is_better=True)
    assert ranked.transform([[1.0], [0.0]]).ravel().tolist() == [1.0, last]


def test_the_direction_of_every_metric_is_said_and_never_guessed() -> None:
    with pytest.raises(InvalidParams, match="direction"):
        Autorank().transform(X)
    lower = Autorank(higher_is_better=[True, False]).transform(X)
    negated = Autorank(higher_is_better=True).transform(X * [1, -1])
    assert np.array_equal(lower, negated)


def test_one_very_bad_system_compresses_the_others_less_in_2025() -> None:
    # The first metric says 0 before 1 by much, the second 1 before 0 by little.
    x = np.array([[1.0, 0.70], [0.5, 0.72], [0.9, 0.5], [0.7, 0.4], [-50.0, 0.3]])
    ranks = {
        variant: Autorank(variant=variant, higher_is_better=True).transform(x).ravel()
        for variant in ("2024", "2025")
    }
    assert ranks["2024"][1] < ranks["2024"][0]
    assert ranks["2025"][0] < ranks["2025"][1]


@pytest.mark.parametrize("variant", ["2024", "2025"])
def test_a_system_without_a_metric_has_no_rank(variant: str) -> None:
    ranked = Autorank(variant=variant, higher_is_better=True)
    answer = ranked.apply_to(np.vstack([X, [0.1, np.nan]]))
    assert np.isnan(answer["autorank"]).ravel().tolist() == [False, False, False, True]
    assert answer.flags["missing"].tolist() == [3]


@pytest.mark.parametrize("variant", ["2024", "2025"])
def test_a_metric_of_equal_scores_says_nothing(variant: str) -> None:
    ranked = Autorank(variant=variant, higher_is_better=True)
    answer = ranked.apply_to(np.column_stack([X[:, 0], [7.0] * 3]))
    assert [told.code for told in answer.warnings] == ["constant_metric"]
    order = np.argsort(answer["autorank"].ravel())
    assert order.tolist() == [0, 1, 2]
    assert ranked.transform([[2.0], [2.0]]).ravel().tolist() == [1.0, 1.0]
    assert ranked.transform([[2.0]]).ravel().tolist() == [1.0]


def test_large_scores_do_not_overflow() -> None:
    x = [[1e308], [0.0], [-1e308]]
    ranked = Autorank(variant="2024", higher_is_better=True).transform(x).ravel()
    assert ranked.tolist() == [1.0, 2.5, 4.0]
