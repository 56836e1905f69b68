"""Searches that optimize a measure of graded judgements."""

from __future__ import annotations

import pytest

from normalizers import Convex

RUNS = [
    {"ids": [["b", "a"]], "scores": [[2.0, 1.0]]},
    {"ids": [["a", "b"]], "scores": [[2.0, 1.0]]},
]


@pytest.mark.parametrize("measure", ["ndcg@10", "ndcg(gain=exponential)@10", "map(rel=2)"])
def test_r6_a_search_prefers_the_run_with_the_better_judgement_on_top(measure: str) -> None:
    qrels = {"ids": [["a", "b"]], "judgements": [[1.0, 3.0]]}
    fit = Convex().fit(runs=RUNS, qrels=qrels, measure=measure)
    search = fit.report_["search"]
    assert search["measure"] == measure  # type: ignore[index]
    values = [trial["value"] for trial in search["trials"]]  # type: ignore[index]
    assert min(values) < max(values) == 1.0
