"""Measures of hubs, and what was reported of others."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.measures import hubness
from normalizers.measures.occurrence import Occurrences

LISTS = [[0, 2], [1, 0], [2, 0], [3, 1], [4, 0]]


def of(lists: list[list[int]], items: int) -> Occurrences:
    return Occurrences.of(Ragged.of(lists, np.int64), items)


def test_scikit_hubness_59_a_missing_neighbour_counts_for_nobody() -> None:
    evidence = of([[1, 2, 3], [-1, 4, 5], [2, -1, -1]], 6)
    assert evidence.counts(3).tolist() == [0, 1, 2, 1, 1, 1]
    assert hubness.max_hub_share(evidence, 3) == pytest.approx(2 / 9)


def test_lists_are_cut_at_k_and_may_be_ragged() -> None:
    evidence = of([[0, 1, 2], [0], []], 3)
    assert evidence.counts(1).tolist() == [2, 0, 0]
    assert evidence.counts(None).tolist() == [2, 1, 1]


def test_equal_occurrences_have_no_skewness() -> None:
    assert np.isnan(hubness.k_skewness(of([[0], [1]], 2)))
    assert hubness.robin_hood(of([[0], [1]], 2)) == 0
    assert np.isnan(hubness.gini(of([[-1]], 2)))


@pytest.mark.parametrize("name", ["robin_hood", "gini", "atkinson", "antihub_rate"])
def test_scikit_hubness_108_indices_are_bounded(name: str) -> None:
    rng = np.random.default_rng(0)
    lists = [rng.permutation(45)[:30].tolist() for _ in range(45)]
    for k in (1, 5, 30):
        assert 0 <= getattr(hubness, name)(of(lists, 45), k) <= 1
    assert getattr(hubness, name)(of([[0]] * 9, 45)) > 0.9


def test_queries_count_as_often_as_they_are_drawn() -> None:
    twice = of(LISTS + LISTS[:1], 5)
    drawn = of(LISTS, 5).weighted(np.array([2, 1, 1, 1, 1]))
    for function in (hubness.k_skewness, hubness.gini, hubness.max_hub_query_share):
        assert function(drawn) == pytest.approx(function(twice))


def test_hubs_are_told_with_their_distance_from_the_median() -> None:
    found = hubness.hubs(of(LISTS, 5), 2)
    assert found["hubs"] == [0]
    assert hubness.robust_z(np.array([1.0, 1.0, 1.0, 5.0])).tolist()[3] == pytest.approx(3**0.5)
