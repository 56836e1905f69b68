"""Runs: empty, of several queries, of odd ids, refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import errors
from tests.unit.scores.fusion.ranks.rrf.fusion import codes, fused


def test_empty_runs_are_ordinary() -> None:
    answer = fused({"ids": []}, {"ids": []}, explain=True)
    assert answer["ids"].tolist() == []
    assert answer["scores"].tolist() == []
    assert answer.extra == {"total": 0, "depth_used": 0}
    assert answer.explain == []


def test_several_queries() -> None:
    words = {"name": "w", "ids": [["a", "b"], [], ["c"]]}
    vectors = {"name": "v", "ids": ["b", "d", "c"], "offsets": [0, 1, 2, 3]}
    answer = fused(words, vectors, {"name": "none", "ids": []}, explain=True)
    assert [ids.tolist() for ids in answer["ids"]] == [["b", "a"], ["d"], ["c"]]
    assert answer.extra == {"total": [2, 1, 1], "depth_used": [2, 1, 1]}
    assert [len(hits) for hits in answer.explain] == [2, 1, 1]
    with pytest.raises(errors.ShapeError) as caught:
        fused(words, {"ids": [["a"], ["b"]]})
    assert caught.value.path == "input.runs[1].ids"


def test_an_absent_first_run_does_not_decide_the_form() -> None:
    answer = fused({"ids": []}, {"ids": [["a"], ["b"]]})
    assert [ids.tolist() for ids in answer["ids"]] == [["a"], ["b"]]


def test_a_query_does_not_depend_on_its_neighbours() -> None:
    lists = [["a", "b", "c"], ["c", "a"], []]
    together = fused({"ids": lists}, {"ids": lists[::-1]})
    for index, scores in enumerate(together["scores"]):
        alone = fused({"ids": lists[index]}, {"ids": lists[::-1][index]})
        assert scores.tolist() == alone["scores"].tolist()


def test_order_disagrees() -> None:
    answer = fused({"name": "x", "ids": [["a", "b"], ["a", "b"]], "scores": [[1, 2], [2, 1]]})
    assert codes(answer) == [("order_disagrees", "x", 1)]
    assert [ids.tolist() for ids in answer["ids"]] == [["b", "a"], ["a", "b"]]
    assert codes(fused({"ids": ["b", "a"], "scores": [1.0, 1.0]})) == []


def test_ids_are_strings() -> None:
    answer = fused({"ids": [10, "b"]}, {"ids": ["10"]})
    assert answer["ids"].tolist() == ["10", "b"]
    assert [noted.code for noted in answer.warnings] == ["mixed_id_types"]
    for bad in (True, 1.5, None):
        with pytest.raises(errors.DtypeError):
            fused({"ids": [bad]})
    with pytest.raises(errors.InvalidInput):
        fused({"ids": [""]})
    assert len(fused({"ids": ["a", "A", " a"]})["ids"]) == 3


@pytest.mark.parametrize(
    ("runs", "path"),
    [
        ([], "input.runs"),
        ([{"scores": [1.0]}], "input.runs[0].ids"),
        ([{"ids": ["a"], "scores": [1.0, 2.0]}], "input.runs[0].scores"),
        ([{"ids": ["a"], "scores": [np.inf]}], "input.runs[0].scores[0]"),
        ([{"ids": [["a"]], "scores": [[-np.inf]]}], "input.runs[0].scores[0][0]"),
        ([{"name": "x", "ids": []}, {"name": "x", "ids": []}], "input.runs[1].name"),
        ([{"ids": [], "similarity": "cosin"}], "input.runs[0].similarity"),
        (
            [{"ids": [], "similarity": "l2", "higher_is_better": True}],
            "input.runs[0].higher_is_better",
        ),
        ([{"ids": ["a"], "higher_is_better": 1}], "input.runs[0].higher_is_better"),
    ],
)
def test_runs_that_are_refused(runs: list[dict[str, object]], path: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        fused(*runs)
    assert caught.value.path == path


def test_hits_for_small_requests() -> None:
    run = {"hits": [{"id": "a", "score": 1.0}, {"id": "b", "score": 2.0}]}
    assert fused(run)["ids"].tolist() == ["b", "a"]


def test_inputs_are_not_modified() -> None:
    scores = np.array([1.0, 3.0, 2.0])
    scores.flags.writeable = False
    ids = ["a", "b", "c"]
    fused({"ids": ids, "scores": scores})
    assert ids == ["a", "b", "c"]
