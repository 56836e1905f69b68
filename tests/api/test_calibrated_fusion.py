"""Calibrated probabilities over HTTP: fitted once, then named by a fusion."""

from __future__ import annotations

from fastapi.testclient import TestClient

NAMES = "/v1/normalizers"
SCORES = [14.2, 11.8, 9.3, 8.0, 7.7, 3.2, 0.4]
LABELS = [1, 1, 0, 1, 0, 0, 0]


def test_a_fusion_adds_calibrated_probabilities(client: TestClient) -> None:
    fit = {"scores": SCORES, "labels": LABELS}
    assert client.post(NAMES, json={"name": "bm25", "method": "platt", "fit": fit}).is_success
    distances = {"scores": [0.1, 0.2, 0.4, 0.5, 0.8], "labels": [1, 1, 0, 1, 0]}
    params = {"similarity": "l2"}
    body = {"name": "dense", "method": "isotonic", "params": params, "fit": distances}
    assert client.post(NAMES, json=body).is_success
    runs = [
        {"name": "x", "ids": ["a", "b"], "scores": [12.0, 5.0], "normalizer": {"ref": "bm25"}},
        {
            "name": "y", "ids": ["b", "c"], "scores": [0.15, 0.9], "higher_is_better": False,
            "normalizer": {"ref": "dense"},
        },
    ]  # fmt: skip
    answer = client.post("/v1/fuse", json={"method": "combsum", "runs": runs}).json()
    told = client.post(f"{NAMES}/bm25/transform", json={"input": {"scores": [12.0, 5.0]}}).json()
    first, second = told["output"]["probabilities"]
    assert answer["output"]["ids"] == ["b", "a", "c"]
    assert answer["output"]["scores"] == [second + 1.0, first, 0.0]


def test_a_sample_beyond_the_limit_is_sketched_and_says_so(client: TestClient) -> None:
    params = {"quantiles_exact_limit": 20}
    body = {"name": "many", "method": "percentile", "params": {**params, "scope": "fitted"}}
    assert client.post(NAMES, json=body).is_success
    for start in range(0, 300, 100):
        part = {"fit": {"scores": list(range(start, start + 100))}}
        assert client.post(f"{NAMES}/many/observations", json=part).is_success
    made = client.post(f"{NAMES}/many/versions", json={"from": "observations"})
    assert made.is_success, made.text
    kept = client.get(f"{NAMES}/many/statistics").json()["statistics"]["quantiles"]
    assert len(kept["values"]) <= 20
    assert sum(kept["counts"]) == 300
    answer = client.post(f"{NAMES}/many/transform", json={"input": {"scores": [150.0]}}).json()
    (error,) = kept["rank_error"]
    assert answer["report"]["rank_error"] == error > 0
    assert abs(answer["output"]["values"][0] - 150.5 / 300) <= error / 300
    report = client.get(f"{NAMES}/many/report").json()
    assert report["report"]["warnings"][0]["code"] == "sketched"
