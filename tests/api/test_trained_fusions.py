"""Fusions that learn from judgements, and searches, over REST."""

from __future__ import annotations

import json

import numpy as np
import pytest
from starlette.testclient import TestClient

from tests.unit.scores.fusion.trained.training import (
    COUNTING,
    fitted,
    part,
    qrels,
    runs,
    six_problems,
)


def create(client: TestClient, name: str, status: int = 201, **body: object) -> dict[str, object]:
    answer = client.post("/v1/normalizers", json={"name": name, **body})
    assert answer.status_code == status, answer.text
    told: dict[str, object] = answer.json()
    return told


def training(**fields: object) -> dict[str, object]:
    return {"runs": runs(), "qrels": qrels(), **fields}


def test_the_weights_that_solve_every_problem_are_found(client: TestClient) -> None:
    solved = {"ids": [["b"]] * 6}
    fit = {"runs": six_problems(), "qrels": solved, "measure": "precision@1", "grid": 0.1}
    made = create(client, "best", method="wsum", params={"normalizer": "identity"}, fit=fit)
    assert made["resolved"]["weights"] == {"r1": 0.2, "r2": 0.7, "r3": 0.1}  # type: ignore[index]
    report = client.get("/v1/normalizers/best@1/report").json()["report"]
    assert len(report["search"]["trials"]) == 66
    again = create(client, "best", 200, method="wsum", params={"normalizer": "identity"}, fit=fit)
    assert again["hash"] == made["hash"]


@pytest.mark.parametrize("method", COUNTING)
def test_a_trained_fusion_answers_as_the_library_does(client: TestClient, method: str) -> None:
    create(client, method, method=method, params=COUNTING[method], fit=training())
    asked = {"runs": part(runs(seed=5), slice(0, 3))}
    answer = client.post(f"/v1/normalizers/{method}/transform", json={"input": asked}).json()
    expected = fitted(method).apply_to(**asked)
    assert answer["output"]["ids"] == [ids.tolist() for ids in expected["ids"]]
    assert answer["output"]["scores"] == [scores.tolist() for scores in expected["scores"]]


def test_parts_merge_to_what_one_fit_finds(client: TestClient) -> None:
    judged = qrels()["ids"]
    cuts = (slice(0, 5), slice(5, 12))
    for index, cut in enumerate(cuts):
        fit = {"runs": part(runs(), cut), "qrels": {"ids": judged[cut]}, "measure": "map"}  # type: ignore[index]
        create(client, f"part{index}", method="convex", fit=fit)
    create(client, "whole", method="convex", fit=training(measure="map"))
    create(client, "merged", method="convex")
    body = {"from": "merge", "refs": ["part0@1", "part1@1"]}
    made = client.post("/v1/normalizers/merged/versions", json=body)
    assert made.status_code == 201, made.text
    statistics = [
        client.get(f"/v1/normalizers/{name}@1/statistics").json()["statistics"]
        for name in ("merged", "whole")
    ]
    assert statistics[0] == statistics[1]


def test_observations_find_it_too(client: TestClient) -> None:
    create(client, "open", method="rbc")
    for cut in (slice(0, 5), slice(5, 12)):
        fit = {"runs": part(runs(), cut), "qrels": {"ids": qrels()["ids"][cut]}, "measure": "map"}  # type: ignore[index]
        answer = client.post("/v1/normalizers/open/observations", json={"fit": fit})
        assert answer.json()["counted"], answer.text
    body = {"from": "observations"}
    made = client.post("/v1/normalizers/open/versions", json=body).json()
    assert made["resolved"]["phi"] == fitted("rbc", measure="map").version_.resolved["phi"]


def test_a_normalizer_of_a_training_run_may_be_a_reference(client: TestClient) -> None:
    create(client, "ranks", method="percentile", fit={"scores": [1.0, 4.0, 6.0, 9.0]})
    sent = [{**run, "normalizer": {"ref": "ranks@1"}} for run in runs()]
    create(client, "own", method="segfuse", fit={"runs": sent, "qrels": qrels()})


def test_a_logistic_fusion_has_one_threshold(client: TestClient) -> None:
    params = {"features": "two_scale", "C": 0.1}
    create(client, "relevance", method="logistic", params=params, fit=training())
    body = {"input": {"runs": part(runs(seed=5), slice(0, 4))}, "options": {"min_score": 0.5}}
    answer = client.post("/v1/normalizers/relevance/transform", json=body).json()
    scores = np.concatenate([np.array(part) for part in answer["output"]["scores"]])
    assert len(scores)
    assert np.all((scores >= 0.5) & (scores < 1))


@pytest.mark.parametrize(
    ("fit", "place"),
    [
        (training(measure="ndcg@10", grid=0.3), "fit.grid"),
        (training(measure="auc"), "fit.measure"),
        (training(), "fit.measure"),
        ({"runs": runs(), "measure": "map"}, "fit.qrels"),
        ({"runs": runs(), "qrels": {"ids": [["a"]]}, "measure": "map"}, "fit.qrels.ids"),
        ({"runs": runs(), "qrels": [], "measure": "map"}, "fit.qrels"),
        (training(measure="map", folds=1), "fit.folds"),
        (training(measure="map", bootstrap={"samples": 0}), "fit.bootstrap.samples"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    client: TestClient, fit: dict[str, object], place: str
) -> None:
    problem = create(client, "wrong", 422, method="convex", fit=fit)
    assert problem["errors"][0]["path"] == place, json.dumps(problem)  # type: ignore[index]


def test_what_a_fit_finds_is_named_where_it_is_missing(client: TestClient) -> None:
    body = {"method": "convex", "runs": [{"ids": ["a"], "scores": [1.0]}] * 2}
    answer = client.post("/v1/fuse", json=body)
    assert answer.status_code == 422
    assert "needs alpha" in answer.json()["detail"]


def test_the_document_of_the_service_describes_judgements(client: TestClient) -> None:
    described = client.get("/v1/methods/posfuse").json()["fits"]
    assert described["qrels"]["kind"] == "record"
    assert set(described["qrels"]["members"]) == {"ids", "judgements", "query_ids"}
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    fits = [one["properties"]["fit"]["properties"] for name, one in schemas.items()
            if "posfuse" in name and "fit" in one.get("properties", {})]  # fmt: skip
    assert fits
    assert all(fit["qrels"]["type"] == "object" for fit in fits)
