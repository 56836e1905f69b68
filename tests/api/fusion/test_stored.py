"""Stored fusions: by reference at ``/v1/fuse``, and TREC runs at their own transform."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.fusion.test_trec import BM25, DENSE, FILES, JSON, TEXT
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import NAMES, PERCENTILE, create

FUSE = "/v1/fuse"
WEIGHTS = {"bm25": 0.25, "dense": 0.75}
FUSED = "q1 Q0 a 1 0.25 wsum\nq1 Q0 b 2 0.0 wsum\nq2 Q0 b 1 0.75 wsum\nq2 Q0 c 2 0.25 wsum\n"
QUERIES = [
    {"id": "q1", "runs": [{"name": "bm25", "ids": ["a", "b"], "scores": [3, 2]}]},
    {"id": "q2", "runs": [{"name": "dense", "ids": ["b"], "scores": [0.5]},
                          {"name": "bm25", "ids": ["c"], "scores": [1]}]},
]  # fmt: skip


@pytest.fixture
def stored(client: TestClient) -> TestClient:
    create(client, "web", {"method": "wsum", "params": {"weights": WEIGHTS}})
    client.put(f"{NAMES}/web/aliases/prod", json={"version": 1})
    create(client, "percent", PERCENTILE)
    return client


@pytest.mark.parametrize("ref", ["web", "web@1", "web@prod"])
def test_r30_a_stored_fusion_is_named_by_reference(stored: TestClient, ref: str) -> None:
    answer = stored.post(FUSE, json={"ref": ref, **JSON, "top_k": 1})
    by_method = {"method": "wsum", "weights": WEIGHTS, **JSON, "top_k": 1}
    told, expected = answer.json(), stored.post(FUSE, json=by_method).json()
    assert (told.pop("name"), told.pop("version")) == ("web", 1)
    hash = told.pop("hash")
    assert answer.headers["normd-hash"] == hash
    assert told == expected


def test_r30_a_stored_fusion_fuses_queries(stored: TestClient) -> None:
    answer = stored.post(FUSE, json={"ref": "web@prod", "queries": QUERIES})
    told = answer.json()
    assert answer.headers["normd-name"] == "web"
    assert (told.pop("name"), told.pop("version")) == ("web", 1)
    told.pop("hash")
    by_method = {"method": "wsum", "weights": WEIGHTS, "queries": QUERIES}
    assert told == stored.post(FUSE, json=by_method).json()


def test_r30_text_is_fused_by_a_stored_fusion(stored: TestClient) -> None:
    for path in (f"{FUSE}?ref=web@prod", f"{NAMES}/web@prod/transform"):
        told = stored.post(path, content=BM25 + DENSE, headers=TEXT)
        assert told.headers["content-type"].startswith("text/plain")
        assert (told.status_code, told.text) == (200, FUSED)
        assert stored.post(path, files=FILES).text == FUSED
        as_json = stored.post(path, files=FILES, headers={"accept": "application/json"}).json()
        assert as_json["output"]["query_ids"] == ["q1", "q2"]
    first = stored.post(f"{NAMES}/web/transform?top_k=1", content=BM25 + DENSE, headers=TEXT)
    assert first.text == "q1 Q0 a 1 0.25 wsum\nq2 Q0 b 1 0.75 wsum\n"
    accept = {"accept": "text/plain"}
    assert stored.post(FUSE, json={"ref": "web", **JSON}, headers=accept).text == FUSED


def test_r30_a_trained_fusion_is_named_by_reference(client: TestClient) -> None:
    runs = [
        {"name": "a", "ids": [["x", "y"], ["z"]], "scores": [[2, 1], [1]]},
        {"name": "b", "ids": [["y"], ["x", "z"]], "scores": [[1], [2, 1]]},
    ]
    fit = {"runs": runs, "qrels": {"ids": [["y"], ["z"]]}}
    made = client.post(
        NAMES,
        json={"name": "learned", "method": "probfuse", "params": {"n_segments": 2}, "fit": fit},
    )
    assert made.status_code == 201, made.text
    work = {"input": {"runs": runs}}
    expected = client.post(f"{NAMES}/learned/transform", json=work).json()
    told = client.post(FUSE, json={"ref": "learned@1", "runs": runs}).json()
    assert told == expected
    refused = client.post(FUSE, json={"method": "probfuse", "runs": runs})
    assert refused.status_code == 422


@pytest.mark.parametrize(
    ("body", "slug", "path"),
    [
        ({"ref": "web", "method": "wsum"}, "invalid-input", "method"),
        ({"ref": "web", "weights": [1, 2]}, "invalid-params", "weights"),
        ({"ref": "web", "topk": 2}, "invalid-params", "topk"),
        ({"ref": "none"}, "not-found", "ref"),
        ({"ref": "web@9"}, "not-found", "ref"),
        ({"ref": "percent"}, "unsupported-operation", "ref"),
        ({"ref": 7}, "invalid-input", "ref"),
        ({"ref": "a b"}, "invalid-input", "ref"),
    ],
)
def test_r30_what_is_wrong_with_a_reference_is_said_where_it_stands(
    stored: TestClient, body: dict[str, object], slug: str, path: str
) -> None:
    answer = stored.post(FUSE, json={**body, **JSON})
    assert slug_of(answer) == slug
    assert paths_of(answer)[0] == path


def test_r30_text_is_not_read_where_nothing_is_fused(stored: TestClient) -> None:
    answer = stored.post(f"{NAMES}/percent/transform", content=BM25, headers=TEXT)
    assert slug_of(answer) == "unsupported-media-type"
    assert "text/plain" not in answer.headers["accept"]
    assert slug_of(stored.post(f"{NAMES}/none/transform", content=BM25, headers=TEXT)) == (
        "not-found"
    )
    wrong = stored.post(f"{NAMES}/web/transform?weights=1", content=BM25, headers=TEXT)
    assert "its version says that" in str(read_problem(wrong)["detail"])
