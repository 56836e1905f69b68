"""``POST /v1/evaluate`` in every form of bodies, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast

import numpy as np
import pyarrow as pa
import pytest
from fastapi.testclient import TestClient
from safetensors.numpy import load

from app.api.openapi.examples import examples_of
from normalizers.catalogue.catalogue import CATALOGUE
from tests.api.conftest import Serve
from tests.api.problem import read_problem
from tests.api.samples import ARROW, JSON, NPY, SAFETENSORS, post, tensors
from tests.api.streams import npy, read_streams, stream

PATH = "/v1/evaluate"
RUNS = [
    {"name": "bm25", "ids": [["a", "b"], ["d", "e"]], "scores": [[9.0, 4.0], [5.0, 2.0]]},
    {"name": "dense", "ids": [["b", "c"], ["e"]], "scores": [[0.8, 0.7], [0.4]]},
]
QRELS = {"ids": [["b"], ["e"]], "judgements": [[1.0], [2.0]]}
RANKINGS = {
    "measures": ["mrr", "auc"],
    "runs": RUNS,
    "qrels": QRELS,
    "baseline": "bm25",
    "per_query": True,
}
EVALUATIONS = examples_of("evaluate", CATALOGUE)
SCORES, LABELS = [0.9, 0.1, 0.6, 0.4], [1.0, 0.0, 1.0, 0.0]
LABELLED = {"measures": ["auc", "brier"], "threshold_curve": True}


def results(tree: Mapping[str, object]) -> list[dict[str, object]]:
    return cast(list[dict[str, object]], tree["results"])


def ask(client: TestClient, body: Mapping[str, object]) -> dict[str, object]:
    response = client.post(PATH, json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, object] = response.json()
    return answer


@pytest.mark.parametrize("name", EVALUATIONS)
def test_every_example_of_the_document_works(client: TestClient, name: str) -> None:
    ask(client, EVALUATIONS[name]["value"])


def test_runs_beside_a_baseline(client: TestClient) -> None:
    answer = ask(client, RANKINGS)
    alone, beside = results(answer)[:2]
    assert (alone["run"], alone["value"], alone["per_query"]) == ("bm25", 0.5, [0.5, 0.5])
    assert "baseline" not in alone
    assert beside["baseline"] == {
        "run": "bm25",
        "value": 0.5,
        "difference": 0.5,
        "interval": {"lower": 0.5, "upper": 0.5},
        # Two queries may lie on one side by chance; two differences are told together.
        "p": 0.5,
        "p_holm": 1.0,
        "differs": False,
    }
    assert answer["bootstrap"] == {"samples": 1000, "seed": 0, "confidence": 0.95}
    assert answer == ask(client, RANKINGS)


def test_undefined_is_null_with_the_reason(client: TestClient) -> None:
    answer = ask(client, {**RANKINGS, "qrels": {"ids": [[], []]}})
    for one in results(answer):
        assert one["value"] is None
        assert one["reason"]
    assert results(answer)[0]["per_query"] == [None, None]


def test_the_answer_of_a_fusion_is_a_run(client: TestClient) -> None:
    fused = client.post("/v1/fuse", json={"method": "rrf", "runs": RUNS}).json()["output"]
    answer = ask(client, {"measures": ["recall@2"], "runs": [fused], "qrels": QRELS})
    assert results(answer)[0]["value"] == 1.0


def test_tensors_in_and_out(client: TestClient) -> None:
    body = tensors(LABELLED, probabilities=np.array(SCORES), labels=np.array(LABELS))
    response = post(client, PATH, body, media_type=SAFETENSORS)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == SAFETENSORS
    assert load(response.content)["threshold_curves.0.threshold"].tolist() == [0.9, 0.6, 0.4, 0.1]
    as_json = ask(client, {**LABELLED, "probabilities": SCORES, "labels": LABELS})
    asked = post(client, PATH, body, media_type=SAFETENSORS, headers={"accept": JSON})
    assert asked.json() == as_json


def test_columns_in_and_out(client: TestClient) -> None:
    columns = {"probabilities": pa.array(SCORES), "labels": pa.array(LABELS)}
    response = post(client, PATH, stream(columns, LABELLED), media_type=ARROW)
    assert response.status_code == 200, response.text
    tree, (table, *_) = read_streams(response.content)
    assert table["threshold_curves.0.threshold"].to_pylist() == [0.9, 0.6, 0.4, 0.1]
    assert results(tree)[0]["value"] == 1.0


def test_columns_of_runs(client: TestClient) -> None:
    rest = {**RANKINGS, "runs": [{"name": "bm25"}], "qrels": {}, "baseline": None}
    columns = {
        "runs.0.ids": pa.array([["a", "b"], ["d", "e"]]),
        "runs.0.scores": pa.array([[9.0, 4.0], [5.0, 2.0]]),
        "qrels.ids": pa.array([["b"], ["e"]]),
    }
    response = post(client, PATH, stream(columns, rest), media_type=ARROW, headers={"accept": JSON})
    assert response.status_code == 200, response.text
    assert results(response.json())[0]["value"] == 0.5


def test_judgements_as_columns_by_query(client: TestClient) -> None:
    flat = {"query_ids": ["q2", "q1"], "ids": ["e", "b"], "judgements": [2, 1]}
    body = {**RANKINGS, "qrels": flat, "query_ids": ["q1", "q2"]}
    answer = ask(client, body)
    assert answer["query_ids"] == ["q1", "q2"]
    assert results(answer) == results(ask(client, RANKINGS))


def test_scores_in_base64(client: TestClient) -> None:
    encoded = {"dtype": "float32", "shape": [2], "base64": "AACAPwAAAAA="}
    answer = ask(client, {"measures": ["auc"], "scores": encoded, "labels": [1, 0]})
    assert results(answer)[0]["value"] == 1.0


def test_one_array_is_not_enough(client: TestClient) -> None:
    problem = read_problem(post(client, PATH, npy(SCORES), media_type=NPY))
    assert problem["status"] == 415


@pytest.mark.parametrize(
    "body, status, path, told",
    [
        ({"measures": ["ndgc@10"]}, 422, "measures[0]", "did you mean 'ndcg'"),
        ({"measures": ["ndcg@-1"]}, 422, "measures[0]", "whole number from 1 on"),
        ({"measures": ["ndcg@10", {"measure": "map", "params": {"kk": 2}}]}, 422,
         "measures[1].params.kk", "did you mean 'k'"),
        ({"measures": "ndcg"}, 422, "measures", "list"),
        ({"measurs": ["ndcg"]}, 422, "measurs", "did you mean 'measures'"),
        ({"runs": [{"ids": [["a"]]}]}, 422, "qrels.ids", "judgements of 2 queries"),
        ({"runs": [{"ids": [["a", 1.5], []]}]}, 422, "runs[0].ids", "string"),
        ({"runs": [{"ids": [["a"], []], "scores": [["1"], []]}]}, 422, "runs[0].scores", "number"),
        ({"qrels": {"ids": [["b"], ["b", "b"]]}}, 422, "qrels.ids", "judged twice"),
        ({"baseline": "bm52"}, 422, "baseline", "did you mean 'bm25'"),
        ({"per_query": "yes"}, 422, "per_query", "boolean"),
        ({"bootstrap": {"confidence": 1.5}}, 422, "bootstrap.confidence", "less than 1"),
        ({"bootstrap": {"samples": 10**9}}, 422, "bootstrap.samples", "less than or equal"),
        ({"training": {"runs": RUNS, "qrels": QRELS, "k": 1}}, 422, "training.k", "unknown member"),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_bad_input_is_told(
    client: TestClient, body: dict[str, object], status: int, path: str, told: str
) -> None:
    problem = read_problem(client.post(PATH, json={**RANKINGS, **body}))
    assert problem["status"] == status
    errors = cast(list[dict[str, str]], problem["errors"])
    assert errors[0]["path"].startswith(path)
    assert told in f"{problem['detail']} {errors[0]['message']}"
    assert "evidence" not in json.dumps(problem)


def test_a_number_beyond_float64(client: TestClient) -> None:
    body = b'{"measures": ["auc"], "scores": [1e400], "labels": [1]}'
    assert read_problem(post(client, PATH, body))["status"] == 422


@pytest.mark.parametrize(
    "limits, path",
    [({"max_lists": 1}, "runs[0].ids"), ({"max_ids": 3}, "runs[0].ids")],
)
def test_limits_hold(serve: Serve, limits: dict[str, int], path: str) -> None:
    problem = read_problem(serve(**limits).post(PATH, json=RANKINGS))
    assert problem["status"] == 413
    errors = cast(list[dict[str, str]], problem["errors"])
    assert errors[0]["path"] == path


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("ndcg@10", 0.7967),
        ("ndcg(gain=exponential)@10", 0.7098),
        ("precision(rel=2)@1", 0.0),
        ("precision(rel=1)@1", 1.0),
    ],
)
def test_r6_graded_judgements_are_measured_over_the_wire(
    client: TestClient, measure: str, expected: float
) -> None:
    body = {
        "measures": [measure],
        "runs": [{"name": "r", "ids": [["b", "a"]], "scores": [[2.0, 1.0]]}],
        "qrels": {"ids": [["a", "b"]], "judgements": [[3.0, 1.0]]},
    }
    (found,) = results(ask(client, body))
    assert found["value"] == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(("ties", "expected"), [("id", 1.0), ("trec", 0.0)])
def test_r6_ties_are_broken_as_the_body_says(
    client: TestClient, ties: str, expected: float
) -> None:
    body = {
        "measures": ["precision@1"],
        "runs": [{"name": "r", "ids": [["b", "a"]], "scores": [[1.0, 1.0]]}],
        "qrels": {"ids": [["a"]], "judgements": [[1.0]]},
        "ties": ties,
    }
    (found,) = results(ask(client, body))
    assert found["value"] == expected
