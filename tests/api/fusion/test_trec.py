"""``POST /v1/fuse`` with TREC runs: text in, text out, parameters in the query string."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.asking import ask
from tests.api.problem import paths_of, read_problem, slug_of

FUSE = "/v1/fuse"
TEXT = {"Content-Type": "text/plain"}
BM25 = "q1 Q0 a 1 3.0 bm25\nq1 Q0 b 2 2.0 bm25\nq2 Q0 c 1 1.0 bm25\n"
DENSE = "q2 Q0 b 1 0.5 dense\n"
FILES = {"bm25": ("one.run", BM25, "text/plain"), "dense": ("two.run", DENSE, "text/plain")}
JSON = {
    "query_ids": ["q1", "q2"],
    "runs": [
        {"name": "bm25", "ids": [["a", "b"], ["c"]], "scores": [[3, 2], [1]]},
        {"name": "dense", "ids": [[], ["b"]], "scores": [[], [0.5]]},
    ],
}
FUSED = "q1 Q0 a 1 0.5 wsum\nq1 Q0 b 2 0.0 wsum\nq2 Q0 b 1 0.5 wsum\nq2 Q0 c 2 0.5 wsum\n"


def test_one_text_with_tags(client: TestClient) -> None:
    response = client.post(f"{FUSE}?method=wsum", content=BM25 + DENSE, headers=TEXT)
    assert response.headers["content-type"].startswith("text/plain")
    assert response.text == FUSED


def test_one_part_a_run(client: TestClient) -> None:
    assert client.post(f"{FUSE}?method=wsum", files=FILES).text == FUSED
    weighted = f'{FUSE}?method=wsum&weights={{"bm25":1,"dense":0}}&top_k=1'
    assert client.post(weighted, files=FILES).text == "q1 Q0 a 1 1.0 wsum\nq2 Q0 c 1 1.0 wsum\n"


def test_text_in_and_json_out(client: TestClient) -> None:
    accept = {"Accept": "application/json"}
    answer = client.post(f"{FUSE}?method=wsum&explain=true", files=FILES, headers=accept).json()
    expected = ask(client, {"method": "wsum", "explain": True, **JSON}, FUSE)
    assert answer["output"].pop("offsets") == [0, 2, 4]
    for name in ("ids", "scores"):
        expected["output"][name] = [item for part in expected["output"][name] for item in part]
    assert answer == expected


@pytest.mark.parametrize("accept", ["text/plain", "text/*", "text/plain, application/json;q=0.5"])
def test_json_in_and_text_out(client: TestClient, accept: str) -> None:
    body = {"method": "wsum", **JSON}
    assert client.post(FUSE, json=body, headers={"Accept": accept}).text == FUSED
    queries = [
        {"id": "q1", "runs": [{"name": "bm25", "ids": ["a", "b"], "scores": [3, 2]}]},
        {"id": "q2", "runs": [{"name": "bm25", "ids": ["c"], "scores": [1]},
                              {"name": "dense", "ids": ["b"], "scores": [0.5]}]},
    ]  # fmt: skip
    body = {"method": "wsum", "queries": queries}
    assert client.post(FUSE, json=body, headers={"Accept": accept}).text == FUSED


def test_what_is_fused_can_be_fused_again(client: TestClient) -> None:
    once = client.post(f"{FUSE}?method=rrf", files=FILES).text
    again = client.post(f"{FUSE}?method=wsum&normalizer=identity", content=once, headers=TEXT)
    assert again.text == once.replace(" rrf\n", " wsum\n")


def test_scores_decide_and_ranks_that_say_otherwise_are_told(client: TestClient) -> None:
    text = "q Q0 a 1 1.0 t\nq Q0 b 2 2.0 t\nq Q0 d 3 0.5 t\nq Q0 c 4 0.5 t\n"
    response = client.post(f"{FUSE}?method=rrf", content=text, headers=TEXT)
    assert [line.split()[2] for line in response.text.splitlines()] == ["b", "a", "c", "d"]
    assert response.headers["Normd-Warnings"] == "order_disagrees=1"
    sorted_lines = "q Q0 b 2 1.0 t\nq Q0 a 1 2.0 t\n"
    response = client.post(f"{FUSE}?method=rrf", content=sorted_lines, headers=TEXT)
    assert "Normd-Warnings" not in response.headers


@pytest.mark.parametrize(
    "text, slug",
    [
        ("q Q0 a 1 1.0\n", "unparseable"),
        ("q Q0 a one 1.0 t\n", "unparseable"),
        ("q Q0 a 1 1e400 t\n", "non-finite"),
        ("q Q0 a 1 nan t\n", "non-finite"),
        ("", "invalid-input"),
    ],
)
def test_text_that_cannot_be_fused(client: TestClient, text: str, slug: str) -> None:
    response = client.post(f"{FUSE}?method=wsum", content=text, headers=TEXT)
    assert slug_of(response) == slug


def test_a_bad_score_is_told_by_run_query_and_hit(client: TestClient) -> None:
    text = BM25 + "q2 Q0 d 2 inf bm25\n"
    problem = read_problem(client.post(f"{FUSE}?method=wsum", content=text, headers=TEXT))
    assert "(run 'bm25', query 'q2', hit 1)" in str(problem["detail"])


@pytest.mark.parametrize(
    "query, path",
    [
        ("method=wsum&weights=[1]", ["weights"]),
        ("method=wsum&weight=[1]", ["weight"]),
        ("method=wsum&method=rrf", ["query.method"]),
        ("", ["method"]),
    ],
)
def test_parameters_are_checked_in_the_query_string(
    client: TestClient, query: str, path: list[str]
) -> None:
    assert paths_of(client.post(f"{FUSE}?{query}", files=FILES)) == path


def test_what_lines_have_no_room_for_is_json_or_refused(client: TestClient) -> None:
    url = f"{FUSE}?method=wsum&explain=true"
    assert slug_of(client.post(url, files=FILES, headers={"Accept": "text/plain"})) == (
        "not-acceptable"
    )
    either = {"Accept": "text/plain, application/json;q=0.1"}
    assert client.post(url, files=FILES, headers=either).json()["explain"]


@pytest.mark.parametrize("path", ["/v1/transform", "/v1/normalizers", "/v1/evaluate"])
def test_text_is_read_where_lists_are_fused_alone(client: TestClient, path: str) -> None:
    response = client.post(path, content=BM25, headers=TEXT)
    assert slug_of(response) == "unsupported-media-type"
    assert "text/plain" not in str(read_problem(response)["detail"])
    assert slug_of(client.post(path, json={}, headers={"Accept": "text/plain"})) == (
        "not-acceptable"
    )
