"""Limits, depths, lowest scores, and the parts of a score."""

from __future__ import annotations

import math

import pytest

from normalizers import errors
from tests.unit.scores.fusion.ranks.rrf.fusion import X, fused, scored


def test_weaviate_3317_a_limit_only_cuts() -> None:
    x = {"ids": ["a", "b", "c"], "scores": [10.0, 9.0, 1.0]}
    y = {"ids": ["b", "c", "a"], "scores": [0.9, 0.8, 0.1]}
    whole = fused(x, y, depth=3)
    for top_k in (1, 2, 3):
        page = fused(x, y, depth=3, top_k=top_k)
        assert page["ids"].tolist() == whole["ids"].tolist()[:top_k]
        assert page["scores"].tolist() == whole["scores"].tolist()[:top_k]
        assert page.extra == {"total": 3, "depth_used": 3}
    assert fused(x, y, top_k=1, offset=1)["ids"].tolist() == whole["ids"].tolist()[1:2]
    with pytest.raises(errors.InvalidParams) as caught:
        fused(x, y, depth=2, top_k=2, offset=1)
    assert caught.value.path == "options.depth"


def test_depth_cuts_every_list_after_ranking() -> None:
    answer = fused({"ids": ["a", "b", "c"], "scores": [1.0, 2.0, 3.0]}, {"ids": ["a"]}, depth=1)
    assert scored(answer) == {"a": 1 / 61, "c": 1 / 61}
    assert answer.extra == {"total": 2, "depth_used": 1}


def test_min_score_filters_before_paging() -> None:
    answer = fused(X, {"ids": ["a"]}, min_score=1 / 61, top_k=1)
    assert answer["ids"].tolist() == ["a"]
    assert answer.extra["total"] == 2


def test_explained_parts_add_up_bit_for_bit() -> None:
    runs = [
        {"name": "a", "ids": ["p", "q", "r"], "scores": [3.0, 2.0, 1.0]},
        {"name": "b", "ids": ["q", "s"]},
        {"name": "c", "ids": ["r", "q", "p"], "scores": [0.1, 0.2, 0.3]},
        {"name": "d", "ids": []},
    ]
    answer = fused(*runs, weights=[0.1, 0.7, 1.3, 2.0], explain=True, top_k=3)
    assert [hit["id"] for hit in answer.explain] == answer["ids"].tolist()
    for hit, score in zip(answer.explain, answer["scores"].tolist(), strict=True):
        assert [part["run"] for part in hit["parts"]] == ["a", "b", "c", "d"]
        assert math.fsum(part["contribution"] for part in hit["parts"]) == hit["score"] == score
    absent = answer.explain[0]["parts"][3]
    assert absent == {
        "run": "d",
        "rank": None,
        "raw": None,
        "normalized": None,
        "weight": 2.0,
        "contribution": 0.0,
    }
