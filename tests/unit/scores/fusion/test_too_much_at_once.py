"""Requests that would take more memory or time than a request may."""

from __future__ import annotations

import pytest

from normalizers import errors
from normalizers.scores.fusion.base import majority
from normalizers.scores.fusion.runs import pool
from tests.unit.scores.fusion.fusing import fused, run

RUNS = [run(name, f"{name}1 3, {name}2 1") for name in "xyz"]


@pytest.mark.parametrize("method", ["bordafuse", "combsum"])
def test_what_every_run_gives_every_document(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    params = {"normalizer": "z_score"} if method == "combsum" else {}
    monkeypatch.setattr(pool, "MOST_ABSENT", 17)
    with pytest.raises(errors.InvalidInput, match="too many"):
        fused(method, *RUNS, **params)
    monkeypatch.setattr(pool, "MOST_ABSENT", 18)
    assert len(fused(method, *RUNS, **params)["ids"]) == 6


def test_votes_on_every_pair_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(majority, "MOST_VOTES", 107)
    with pytest.raises(errors.InvalidInput, match="108 votes"):
        fused("condorcet", *RUNS)


def test_weights_of_any_ratio_are_counted_exactly() -> None:
    runs = [run("x", "a 2, b 1"), run("y", "b 2, a 1"), run("z", "b 2, a 1")]
    tiny = 2.0**-80
    assert fused("w_condorcet", *runs, weights=[1.0, 1.0, tiny])["ids"].tolist() == ["b", "a"]
    level = [0.3, 0.2, 0.1]  # the floats 0.2 and 0.1 add up to more than 0.3
    assert fused("w_condorcet", *runs, weights=level)["ids"].tolist() == ["b", "a"]
