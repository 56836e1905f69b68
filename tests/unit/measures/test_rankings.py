"""Ranking measures: by hand, at the edges, and beside ir_measures where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.measures.judged import Judged
from normalizers.measures.measure import Measure
from normalizers.measures.rankings import (
    MEASURES,
    average_precision,
    ndcg,
    precision,
    recall,
    reciprocal_rank,
)

LISTS = [[False, True, True, False], [], [True], [False, False]]
RELEVANT = [3, 2, 1, 0]
ORACLE = {
    "ndcg": "nDCG(judged_only=False, dcg='log2')",
    "recall": "R",
    "precision": "P",
    "map": "AP",
    "mrr": "RR",
}


def judged(lists: list[list[bool]], relevant: list[int]) -> Judged:
    return Judged(Ragged.of(lists, bool), np.array(relevant))


def values_of(measure: Measure, one: Judged, k: int) -> Array:
    cut = {"k": k} if "k" in measure.parameters.model_fields else {}
    return np.asarray(measure.function(one, **cut))


def test_by_hand() -> None:
    one = judged(LISTS, RELEVANT)
    discounts = 1 / np.log2(np.arange(2, 6))
    ideal = discounts[:3].sum()
    np.testing.assert_allclose(ndcg(one)[0], (discounts[1] + discounts[2]) / ideal)
    np.testing.assert_allclose(ndcg(one, 2)[0], discounts[1] / discounts[:2].sum())
    np.testing.assert_allclose(recall(one)[0], 2 / 3)
    np.testing.assert_allclose(precision(one, 2)[0], 1 / 2)
    np.testing.assert_allclose(average_precision(one)[0], (1 / 2 + 2 / 3) / 3)
    np.testing.assert_allclose(reciprocal_rank(one)[0], 1 / 2)


def test_an_empty_list_found_nothing() -> None:
    one = judged(LISTS, RELEVANT)
    for measure in MEASURES:
        assert values_of(measure, one, 5)[1] == 0.0, measure.name
    assert np.isnan(precision(one)[1])  # nothing in nothing


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_a_query_without_a_relevant_document_has_no_value(measure) -> None:  # type: ignore[no-untyped-def]
    values = values_of(measure, judged(LISTS, RELEVANT), 3)
    assert np.isnan(values).tolist() == [False, False, False, True]


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_no_queries(measure) -> None:  # type: ignore[no-untyped-def]
    assert len(values_of(measure, judged([], []), 10)) == 0


def test_a_list_shorter_than_the_cut_off_counts_as_filled_up() -> None:
    assert precision(judged([[True]], [1]), 10).tolist() == [0.1]
    assert ndcg(judged([[True]], [4]), 2)[0] == pytest.approx(1 / (1 + 1 / np.log2(3)))


def test_queries_can_be_drawn_more_than_once() -> None:
    drawn = judged(LISTS, RELEVANT).weighted(np.array([2, 0, 1, 0]))
    assert recall(drawn).tolist() == [2 / 3, 2 / 3, 1.0]
    assert drawn.rows == 9


@pytest.mark.parametrize("name", ORACLE)
@pytest.mark.parametrize("k", [1, 3, 10])
def test_as_ir_measures_says(name: str, k: int) -> None:
    oracle = pytest.importorskip("ir_measures")
    random = np.random.default_rng(5)
    lists = [list(random.random(size) < 0.3) for size in (12, 1, 7, 30)]
    missed = [2, 1, 0, 5]
    relevant = [sum(one) + more for one, more in zip(lists, missed, strict=True)]
    kept = [index for index, count in enumerate(relevant) if count]
    run, qrels = {}, {}
    for query in kept:
        hits = lists[query]
        # It breaks ties the other way: minus the rank has none.
        run[str(query)] = {f"d{rank}": -float(rank) for rank in range(len(hits))}
        found = {f"d{rank}": 1 for rank, hit in enumerate(hits) if hit}
        qrels[str(query)] = {**found, **{f"m{number}": 1 for number in range(missed[query])}}
    wanted = oracle.parse_measure(f"{ORACLE[name].split('(')[0]}@{k}")
    by_query = {one.query_id: one.value for one in oracle.iter_calc([wanted], qrels, run)}
    function = next(one.function for one in MEASURES if one.name == name)
    values = np.asarray(function(judged(lists, relevant), k=k))
    assert values[kept] == pytest.approx([by_query[str(query)] for query in kept], abs=1e-9)
