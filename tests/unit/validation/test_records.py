"""Hits and records: lists of objects that become lists of fields."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.fields import Fields, floats, id_lists, lists, optional, record
from normalizers.errors import DtypeError, InvalidInput, NormalizerError
from tests.unit.validation.admitting import RUNS, read


def test_hits_stand_for_ids_and_scores() -> None:
    hits = [{"id": "a", "score": 2}, {"id": 7, "score": None}, {"id": "c"}]
    (run,) = read(RUNS, runs=[{"hits": hits, "name": "bm25"}]).records("runs")
    assert run.ragged("ids").values.tolist() == ["a", "7", "c"]
    np.testing.assert_array_equal(run.ragged("scores").values, [2.0, np.nan, np.nan])
    assert run["name"] == "bm25"


def test_hits_without_any_score_have_none() -> None:
    runs = read(RUNS, runs=({"hits": ({"id": "a"},)}, {"hits": []})).records("runs")
    assert [list(run) for run in runs] == [["ids"], ["ids"]]


def test_absent_hits_are_not_sent() -> None:
    (run,) = read(RUNS, runs=[{"hits": None, "ids": ["a"]}]).records("runs")
    assert list(run) == ["ids"]


@pytest.mark.parametrize(
    ("run", "place", "what"),
    [
        ({"hits": 3}, "input.runs[1].hits", "a list of objects with id and score"),
        ({"hits": [3]}, "input.runs[1].hits[0]", "an object with id and score"),
        ({"hits": [[{"id": "a"}]]}, "input.runs[1].hits[0]", "an object with id and score"),
        ({"hits": [{"id": "a"}, {}]}, "input.runs[1].hits[1]", "has an id and a score"),
        ({"hits": [{"id": "a", "x": 1}]}, "input.runs[1].hits[0]", "has an id and a score"),
        ({"hits": [], "ids": []}, "input.runs[1].hits", "not both"),
        ({"hits": [], "scores": [1]}, "input.runs[1].hits", "not both"),
        ({"hits": None}, "input.runs[1].ids", "'ids' is missing"),
        ({"ids": ["a"], "scroes": [1]}, "input.runs[1].scroes", "did you mean 'scores'"),
        ({"ids": ["a"], "weight": [2]}, "input.runs[1].weight", "1 axes, but 0"),
        ({"ids": ["a"], "weight": True}, "input.runs[1].weight", "not a boolean"),
        ({"ids": ["a"], "name": 3}, "input.runs[1].name", "a string is expected"),
        ({"ids": ["a"], "name": "\ud800"}, "input.runs[1].name", "lone surrogate"),
        ({"ids": ["a"], "higher_is_better": 1}, "input.runs[1].higher_is_better", "true or"),
        ({"ids": ["a"], "scores": ["x"]}, "input.runs[1].scores[0]", "not a string"),
        ({"ids": [["a"], ["b"]], "scores": [[1], ["x"]]}, "input.runs[1].scores[1][0]", "string"),
        (3, "input.runs[1]", "an object is expected here, with ids"),
        (["a", "b"], "input.runs[1]", "an object is expected here, with ids"),
        (None, "input.runs[1]", "an object is expected"),
    ],
)
def test_wrong_records_are_refused_with_their_place(run: object, place: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        read(RUNS, runs=[{"ids": ["a"]}, run])
    assert caught.value.path == place


@pytest.mark.parametrize("runs", [{"ids": ["a"]}, "runs", 3])
def test_records_are_a_list(runs: object) -> None:
    with pytest.raises(DtypeError, match="a list of objects") as caught:
        read(RUNS, runs=runs)
    assert caught.value.path == "input.runs"


def test_no_records_are_records() -> None:
    assert read(RUNS, runs=[]).records("runs") == ()


def test_an_empty_list_among_nested_ones_does_not_change_the_form() -> None:
    batch = read(RUNS, runs=[{"ids": []}, {"ids": [["a"], ["b"]]}])
    assert batch.form("runs").style == "nested"


def test_mixed_ids_of_a_record_are_noticed_with_their_place() -> None:
    batch = read(RUNS, runs=[{"ids": ["a"]}, {"ids": [1, "a"]}])
    assert [noted.as_dict()["path"] for noted in batch.notices] == ["input.runs[1].ids"]


JUDGED = Fields(qrels=record(ids=id_lists(), judgements=optional(lists())))


def test_one_record_is_an_object_with_fields() -> None:
    found = read(JUDGED, qrels={"ids": [["a"], [1, 2]], "judgements": [[0.0], [1.0, 2.0]]})
    assert [part.tolist() for part in found.record("qrels").ragged("ids")] == [["a"], ["1", "2"]]


@pytest.mark.parametrize(
    ("qrels", "place"),
    [
        ([], "input.qrels"),
        ({"ids": ["a"], "grade": 1}, "input.qrels.grade"),
        ({}, "input.qrels.ids"),
    ],
)
def test_what_is_wrong_in_one_record_is_told_with_its_place(qrels: object, place: str) -> None:
    with pytest.raises(NormalizerError) as caught:
        read(JUDGED, qrels=qrels)
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("sent", "shape", "alone"),
    [(0.1, (1, 1), True), ([0.1, 0.2], (2, 1), False), ([[0.1, 0.9]], (1, 2), False)],
)
def test_a_number_may_stand_for_a_table_where_that_is_declared(
    sent: object, shape: tuple[int, int], alone: bool
) -> None:
    batch = read(Fields(grid=floats("t p", flat="number")), grid=sent)
    assert batch.array("grid").shape == shape
    assert (batch.form("grid").squeezed == (0, 1)) is alone
