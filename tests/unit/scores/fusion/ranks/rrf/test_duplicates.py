"""An id that stands in one list more than once."""

from __future__ import annotations

import pytest

from normalizers import errors
from tests.unit.scores.fusion.ranks.rrf.fusion import codes, fused, scored

DOUBLED = {"name": "x", "ids": ["a", "b", "a", "c"], "scores": [7.0, 8.0, 9.0, 6.0]}


def test_khive_1303_an_id_twice_counts_once_at_its_best() -> None:
    answer = fused(DOUBLED)
    assert scored(answer) == {"a": 1 / 61, "b": 1 / 62, "c": 1 / 63}
    assert ("duplicate_ids", "x", 1) in codes(answer)


def test_other_rules_for_an_id_twice() -> None:
    assert scored(fused(DOUBLED, duplicates="first")) == {"b": 1 / 61, "a": 1 / 62, "c": 1 / 63}
    added = fused(DOUBLED, duplicates="sum", explain=True)
    assert scored(added) == {"a": 1 / 61 + 1 / 63, "b": 1 / 62, "c": 1 / 64}
    assert [part["rank"] for part in added.explain[0]["parts"]] == [1, 3]
    with pytest.raises(errors.InvalidInput) as caught:
        fused({"ids": ["a"]}, DOUBLED, duplicates="error")
    assert caught.value.path == "input.runs[1].ids[2]"


def test_duplicates_are_those_of_one_list() -> None:
    nested = {"ids": [["a", "b"], ["b", "a", "b"]]}
    answer = fused(nested)
    assert codes(answer) == [("duplicate_ids", 0, 1)]
    assert [ids.tolist() for ids in answer["ids"]] == [["a", "b"], ["b", "a"]]
