"""Borda values of runs: documents that a run lacks, empty lists, forms of the request."""

from __future__ import annotations

import pytest

from normalizers import Borda, errors


def values(runs: object, **params: object) -> list[dict[str, float]]:
    answered = Borda(**params).apply_to(runs=runs)["runs"]
    return [dict(zip(run["ids"], run["scores"].tolist(), strict=True)) for run in answered]


def test_documents_that_a_run_lacks_get_the_mean_of_what_it_did_not_give() -> None:
    first, second = values([{"ids": ["a", "b"]}, {"ids": ["c", "d", "b"]}])
    assert first == {"a": 1.0, "b": 0.75, "c": 0.375, "d": 0.375}
    assert second == {"c": 1.0, "d": 0.75, "b": 0.5, "a": 0.25}
    assert sum(first.values()) == sum(second.values()) == 2.5


def test_an_empty_list_stays_empty() -> None:
    assert values([{"ids": ["a"]}, {"ids": []}]) == [{"a": 1.0}, {}]
    assert values([{"ids": []}, {"ids": []}]) == [{}, {}]


def test_scores_and_directions_decide_ranks() -> None:
    (run,) = values([{"ids": ["a", "b"], "scores": [0.9, 0.1], "similarity": "l2"}])
    assert run == {"b": 1.0, "a": 0.5}


def test_ties_by_id_or_alike() -> None:
    runs = [{"ids": ["b", "a"], "scores": [1.0, 1.0]}]
    assert values(runs) == [{"a": 1.0, "b": 0.5}]
    assert values(runs, ties="min") == [{"a": 1.0, "b": 1.0}]


def test_runs_come_back_in_the_form_and_by_the_names_of_the_request() -> None:
    nested = Borda().apply_to(runs=[{"name": "x", "ids": [["a"], []]}, {"ids": [["b"], ["c"]]}])
    runs = nested["runs"]
    assert [list(run) for run in runs] == [["name", "ids", "scores"], ["ids", "scores"]]
    assert [part.tolist() for part in runs[0]["ids"]] == [["a", "b"], []]
    columns = Borda().apply_to(runs=[{"ids": ["a", "b"], "offsets": [0, 1, 2]}])["runs"][0]
    assert columns["offsets"].tolist() == [0, 1, 2]
    assert columns["scores"].tolist() == [1.0, 1.0]


def test_depth_cuts_lists_and_duplicates_are_told() -> None:
    runs = [{"ids": ["a", "b", "a"]}, {"ids": ["c"]}]
    answer = Borda().apply_to(runs=runs, depth=1, explain=True)
    assert [run["ids"].tolist() for run in answer["runs"]] == [["a", "c"], ["c", "a"]]
    assert answer.warnings[0].code == "duplicate_ids"
    assert answer.explain == [{"documents": 2, "hits": [1, 1]}]
    with pytest.raises(errors.InvalidInput):
        Borda(duplicates="error").apply_to(runs=runs)
