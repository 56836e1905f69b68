"""Graded judgements: the measures of rankings beside what trec_eval prints, and by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from normalizers.evaluation import evaluate

# Ours, and as ir_measures calls them.
SHARED = {
    "ndcg": "nDCG", "ndcg@5": "nDCG@5", "ndcg@10": "nDCG@10", "map": "AP", "map@5": "AP@5",
    "map(rel=2)": "AP(rel=2)", "mrr": "RR", "mrr(rel=3)": "RR(rel=3)", "P@5": "P@5",
    "precision(rel=2)@5": "P(rel=2)@5", "recall@5": "R@5", "recall(rel=2)@5": "R(rel=2)@5",
    "success@1": "Success@1", "success(rel=2)@5": "Success(rel=2)@5", "rprec": "Rprec",
    "rprec(rel=2)": "Rprec(rel=2)", "bpref": "Bpref", "bpref(rel=2)": "Bpref(rel=2)",
}  # fmt: skip
FIGURES = Path(__file__).parent / "trec_figures.json"


def collection() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Return a run with ties and judgements from -1 to 3, found and not found."""
    random = np.random.default_rng(14)
    run, qrels = {}, {}
    for query in range(25):
        size = int(random.integers(1, 30))
        names = [f"d{number}" for number in random.permutation(60)]
        scores = random.integers(0, 12, size) / 4
        run[f"q{query}"] = dict(zip(names, scores.tolist(), strict=False))
        grades = random.integers(-1, 4, 25)
        judged = random.permutation(60)[:25]
        own = {f"d{name}": int(grade) for name, grade in zip(judged, grades, strict=True)}
        qrels[f"q{query}"] = {**own, "d60": 3}
    return run, qrels


def ours(
    run: dict[str, dict[str, float]], qrels: dict[str, dict[str, int]], names: list[str]
) -> dict[str, list[float]]:
    found = evaluate(
        names,
        ties="trec",
        runs=[
            {"ids": [list(run[q]) for q in qrels], "scores": [[*run[q].values()] for q in qrels]}
        ],
        qrels={
            "ids": [list(own) for own in qrels.values()],
            "judgements": [[float(grade) for grade in own.values()] for own in qrels.values()],
        },
    )
    values = [np.asarray(one.by_unit).tolist() for one in found.results]
    return dict(zip(names, values, strict=True))


def test_r6_values_are_those_that_trec_eval_prints() -> None:
    stored = json.loads(FIGURES.read_text())["values"]
    for name, values in ours(*collection(), list(SHARED)).items():
        np.testing.assert_allclose(np.nan_to_num(values), stored[name], atol=1e-9, err_msg=name)


def test_r6_the_stored_figures_are_those_of_ir_measures() -> None:
    oracle = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    run, qrels = collection()
    stored = json.loads(FIGURES.read_text())["values"]
    for name, called in SHARED.items():
        found = oracle.pytrec_eval.iter_calc([oracle.parse_measure(called)], qrels, run)
        by_query = {one.query_id: one.value for one in found}
        assert [by_query[query] for query in qrels] == pytest.approx(stored[name], abs=1e-9)


def one(*names: object, grades: tuple[float, ...] = (1.0, 3.0)) -> list[float]:
    qrels = {"ids": [["b", "a"]], "judgements": [list(grades)]}
    return [
        found.value for found in evaluate(names, runs=[{"ids": [["b", "a"]]}], qrels=qrels).results
    ]


def test_r6_a_gain_is_the_judgement_or_exponential() -> None:
    linear, exponential = one("ndcg@10", "ndcg(gain=exponential)@10")
    second = 1 / np.log2(3)
    assert linear == pytest.approx((1 + 3 * second) / (3 + second), abs=1e-15)
    assert exponential == pytest.approx((1 + 7 * second) / (7 + second), abs=1e-15)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("size", [1e-300, 1.0, 1e3, 1e300])
def test_r6_gains_of_any_size_stay_finite(gain: str, size: float) -> None:
    sent = {"measure": "ndcg", "params": {"gain": gain}}
    assert 0 < one(sent, grades=(size, 2 * size))[0] <= 1


def test_r6_judgements_below_0_gain_nothing() -> None:
    assert one("ndcg", "err", "map", grades=(-2.0, 3.0)) == one(
        "ndcg", "err", "map", grades=(0.0, 3.0)
    )


def test_r6_err_and_rbp_by_hand() -> None:
    stops = (1 / 16, 7 / 16)
    err, rbp, strict = one("err", "rbp(persistence=0.5)", "rbp(persistence=0.5,rel=2)@2")
    assert err == pytest.approx(stops[0] + (1 - stops[0]) * stops[1] / 2, abs=1e-15)
    assert (rbp, strict) == (0.75, 0.25)


def test_r6_ties_as_trec_eval_breaks_them() -> None:
    runs = [{"ids": [["a", "b"]], "scores": [[0.1, 0.1 + 1e-12]]}]
    told = {"runs": runs, "qrels": {"ids": [["a"]]}}
    assert evaluate(["mrr"], **told, ties="trec").results[0].value == 0.5
    tied = [{"ids": [["a", "b"]], "scores": [[0.5, 0.5]]}]
    assert evaluate(["mrr"], runs=tied, qrels={"ids": [["a"]]}).results[0].value == 1.0
    reverse = [{"ids": [["a", "b"]], "scores": [[0.1 + 1e-12, 0.1]]}]
    found = evaluate(["mrr"], runs=reverse, qrels={"ids": [["a"]]}, ties="trec")
    assert found.results[0].value == 0.5  # equal in single precision
