"""Fusions over REST: spellings of fusions, references in runs, stored fusions, places of errors."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

WORDS = {"name": "words", "ids": ["a", "b", "c"], "scores": [12.0, 9.0, 2.0]}
VECTORS = {"name": "vectors", "ids": ["c", "a", "d"], "scores": [0.9, 0.7, 0.4]}
RUNS = [WORDS, VECTORS]


def fuse(client: TestClient, status: int = 200, **body: object) -> dict[str, object]:
    answer = client.post("/v1/fuse", json={"runs": RUNS, **body})
    assert answer.status_code == status, answer.text
    told: dict[str, object] = answer.json()
    return told


def stored(client: TestClient, name: str = "ranks", **body: object) -> str:
    given = {"method": "percentile", "fit": {"scores": [1.0, 2.0, 9.0, 12.0]}, **body}
    answer = client.post("/v1/normalizers", json={"name": name, **given})
    assert answer.status_code == 201, answer.text
    return f"{name}@1"


@pytest.mark.parametrize(
    ("spelling", "method"),
    [
        ("sum", "combsum"), ("min", "combmin"), ("MAX", "combmax"), ("med", "combmed"),
        ("anz", "combanz"), ("mnz", "combmnz"), ("linear", "wsum"), ("simple", "combmax"),
        ("relative_score_fusion", "wsum"), ("rbp", "rbc"), ("borda_count", "bordafuse"),
    ],
)  # fmt: skip
def test_spellings_of_fusions(client: TestClient, spelling: str, method: str) -> None:
    params = {"phi": 0.9} if method == "rbc" else {}
    answer = fuse(client, method=spelling, **params)
    assert answer["method"] == method
    raw = answer["effective_params"].get("normalizer", {}).get("method") == "identity"  # type: ignore[attr-defined]
    assert raw == (spelling == "simple")


def test_elsewhere_these_words_are_list_normalizers(client: TestClient) -> None:
    body = {"method": "max", "input": {"scores": [4.0, 2.0]}}
    assert client.post("/v1/transform", json=body).json()["output"]["values"] == [1.0, 0.5]


def test_a_stored_version_normalizes_all_runs_or_one(client: TestClient) -> None:
    reference = {"ref": stored(client)}
    alike = fuse(client, method="combsum", normalizer=reference, explain=True)
    own = [{**WORDS, "normalizer": reference}, VECTORS]
    mixed = fuse(client, method="combsum", runs=own, explain=True)
    first = [answer["explain"][0]["parts"][0]["normalized"] for answer in (alike, mixed)]  # type: ignore[index]
    assert first == [0.875, 0.875]
    assert alike["effective_params"]["normalizer"]["method"] == "percentile"  # type: ignore[index]


def test_a_stored_fusion_keeps_the_version_it_names(client: TestClient) -> None:
    reference = {"ref": stored(client)}
    params = {"normalizer": reference, "weights": [0.25, 0.75]}
    made = client.post(
        "/v1/normalizers", json={"name": "hybrid", "method": "wsum", "params": params}
    )
    assert made.status_code == 201, made.text
    once = fuse(client, method="wsum", **params)["output"]
    assert client.delete("/v1/normalizers/ranks").status_code in (200, 204)
    body = {"input": {"runs": RUNS}}
    again = client.post("/v1/normalizers/hybrid/transform", json=body)
    assert again.json()["output"] == once
    other = {**WORDS, "normalizer": {"ref": "ranks@1"}}
    missing = client.post(
        "/v1/normalizers/hybrid/transform", json={"input": {"runs": [other, VECTORS]}}
    )
    assert missing.status_code == 404


def test_a_stored_calibrator_gives_log_odds(client: TestClient) -> None:
    fit = {"scores": [1.0, 2.0, 9.0, 12.0], "labels": [0, 1, 0, 1]}
    reference = {"ref": stored(client, "odds", method="platt", fit=fit)}
    answer = fuse(client, method="log_odds", normalizer=reference)
    assert answer["output"]["ids"][0] == "a"  # type: ignore[index]


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        ({"method": "combsum", "normalizer": "platt"}, 422, "normalizer"),
        ({"method": "combsum", "normalizer": "min_mx"}, 422, "normalizer"),
        ({"method": "combsum", "normalizer": "whitening"}, 422, "normalizer"),
        ({"method": "combsum", "normalizer": {"ref": "nobody@1"}}, 404, "normalizer.ref"),
        ({"method": "combsum", "normalizer": {"method": "min_max", "params": {"lower": "x"}}},
         422, "normalizer.params.lower"),
        ({"method": "combsum", "runs": [{**WORDS, "normalizer": 7}]}, 422, "runs[0].normalizer"),
        ({"method": "combsum", "runs": [WORDS, {**VECTORS, "normalizer": {"ref": "no@1"}}]},
         404, "runs[1].normalizer.ref"),
        ({"method": "combsum", "runs": [{**WORDS, "scores": [1.0, None, 2.0]}]},
         422, "runs[0].scores[1]"),
        ({"method": "convex"}, 422, "alpha"),
        ({"method": "convex", "alpha": 0.5, "alpha_run": "nobody"}, 422, "alpha_run"),
        ({"method": "convex", "alpha": 0.5, "runs": [WORDS]}, 422, "runs"),
        ({"method": "rbc"}, 422, "phi"),
        ({"method": "isr", "weights": [1, 2]}, 422, "weights"),
        ({"method": "combmnz", "missing": "zero"}, 422, "missing"),
        ({"method": "wsum", "weights": {"words": 1.0}}, 422, "weights"),
        ({"method": "wsum", "weights": [0, 0]}, 422, "weights"),
        ({"method": "combsum", "preset": "nobody"}, 422, "preset"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(
    client: TestClient, body: dict[str, object], status: int, place: str
) -> None:
    told = fuse(client, status, **body)
    assert told["errors"][0]["path"] == place, told  # type: ignore[index, attr-defined]


def test_integers_beside_strings_are_told_of(client: TestClient) -> None:
    runs = [{"name": "x", "ids": [1, 2]}, {"name": "y", "ids": ["2", "3"]}]
    answer = fuse(client, method="rrf", runs=runs)
    assert [noted["code"] for noted in answer["warnings"]] == ["mixed_id_types"]  # type: ignore[index, attr-defined]
    assert answer["output"]["ids"] == ["2", "1", "3"]  # type: ignore[index]


def test_runs_without_a_common_document_are_told_of(client: TestClient) -> None:
    runs = [{"name": "x", "ids": ["a"]}, {"name": "y", "ids": ["b"]}]
    answer = fuse(client, method="rrf", runs=runs)
    assert [noted["code"] for noted in answer["warnings"]] == ["no_overlap"]  # type: ignore[index, attr-defined]
