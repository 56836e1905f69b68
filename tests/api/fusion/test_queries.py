"""``POST /v1/fuse`` for many queries: objects with an id and runs."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from app.service.fusion.fusion import FusionRequest
from tests.api.asking import ask
from tests.api.conftest import Serve
from tests.api.problem import paths_of, read_problem, slug_of

FUSE = "/v1/fuse"
BM25 = {"name": "bm25", "ids": ["a", "b"], "scores": [3.0, 2.0]}
DENSE = {"name": "dense", "ids": ["b", "c"], "scores": [0.3, 0.2]}
LATER = {"name": "dense", "ids": ["x"], "scores": [0.4]}
QUERIES = [{"id": "q1", "runs": [BM25, DENSE]}, {"id": 2, "runs": [LATER]}]


def fuse(client: TestClient, **members: object):  # type: ignore[no-untyped-def]
    return ask(client, {"method": "rrf", "queries": QUERIES, **members}, FUSE)


def refused(client: TestClient, **members: object):  # type: ignore[no-untyped-def]
    return client.post(FUSE, json={"method": "wsum", "queries": QUERIES, **members})


def with_query(**members: object) -> list[object]:
    return [*QUERIES, {"id": "last", "runs": [BM25], **members}]


def test_every_query_is_answered_in_order(client: TestClient) -> None:
    answer = fuse(client)
    assert answer.keys() == {"method", "effective_params", "queries", "warnings", "report"}
    first, second = answer["queries"]
    assert (first["id"], second["id"]) == ("q1", "2")
    assert first["output"]["ids"] == ["b", "a", "c"]
    assert (first["total"], first["depth_used"]) == (3, 2)
    assert second == {
        "id": "2",
        "output": {"ids": ["x"], "scores": [1 / 61]},
        "total": 1,
        "depth_used": 1,
    }


@pytest.mark.parametrize("method", ["rrf", "wsum", "combmnz", "isr"])
def test_a_query_is_answered_as_by_itself(client: TestClient, method: str) -> None:
    absent = {"name": "bm25", "ids": []}
    alone = [[BM25, DENSE], [absent, LATER]]
    answer = fuse(client, method=method, explain=True, top_k=2)
    for query, runs in zip(answer["queries"], alone, strict=True):
        single = ask(client, {"method": method, "runs": runs, "explain": True, "top_k": 2}, FUSE)
        for name in ("output", "total", "depth_used", "explain"):
            assert query[name] == single[name]


def test_no_queries_are_answered_with_none(client: TestClient) -> None:
    assert fuse(client, queries=[])["queries"] == []
    assert fuse(client, queries=[{"id": "q", "runs": [{"ids": []}]}])["queries"][0]["total"] == 0


def test_runs_may_differ_in_what_they_say_of_themselves(client: TestClient) -> None:
    distances = {"ids": ["far", "near"], "scores": [9, 1], "higher_is_better": False}
    mapped = {"ids": ["x", "y"], "scores": [4, 1], "normalizer": "l2"}
    queries = [
        {"id": "distances", "runs": [distances]},
        {"id": "similarities", "runs": [{"ids": ["far", "near"], "scores": [9, 1]}]},
        {"id": "mapped", "runs": [mapped]},
        {"id": "hits", "runs": [{"hits": [{"id": "h", "score": 1}]}]},
    ]
    found = fuse(client, method="wsum", queries=queries)["queries"]
    assert [query["output"]["ids"][0] for query in found] == ["near", "far", "x", "h"]
    assert found[2]["output"]["scores"] == [4 / 17**0.5, 1 / 17**0.5]


def test_warnings_count_over_all_queries(client: TestClient) -> None:
    twice = {"ids": ["a", "a"], "scores": [2, 1]}
    queries = [{"id": place, "runs": [twice]} for place in range(3)]
    queries.append({"id": "other", "runs": [{**twice, "higher_is_better": True}]})
    (warning,) = fuse(client, queries=queries)["warnings"]
    assert (warning["code"], warning["count"]) == ("duplicate_ids", 4)


@pytest.mark.parametrize(
    "members, path",
    [
        ({"runs": [{**BM25, "scores": [1, None]}]}, "queries[2].runs[0].scores[1]"),
        ({"runs": [DENSE, {**BM25, "scores": [1, "2"]}]}, "queries[2].runs[1].scores[1]"),
        ({"runs": [{**BM25, "ids": ["a", ""]}]}, "queries[2].runs[0].ids[1]"),
        ({"runs": [{**BM25, "ids": "ab"}]}, "queries[2].runs[0].ids"),
        ({"runs": [{**BM25, "ids": [["a", "b"], []]}]}, "queries[2].runs[0].scores"),
        ({"runs": [{"ids": [["a"], ["b"]], "scores": [[1], [2]]}]}, "queries[2].runs"),
        ({"runs": [{**BM25, "score": [1, 2]}]}, "queries[2].runs[0].score"),
        ({"runs": [BM25, BM25]}, "queries[2].runs[1].name"),
        ({"runs": [{**BM25, "name": 5}]}, "queries[2].runs[0].name"),
        ({"runs": [{**BM25, "normalizer": {"ref": "none"}}]}, "queries[2].runs[0].normalizer.ref"),
        ({"runs": [{**BM25, "normalizer": "rrf"}]}, "queries[2].runs[0].normalizer"),
        ({"runs": 5}, "queries[2].runs"),
        ({"runs": [5]}, "queries[2].runs"),
        ({"rums": []}, "queries[2].rums"),
    ],
)
def test_one_query_that_cannot_be_fused(
    client: TestClient, members: dict[str, object], path: str
) -> None:
    queries = with_query(**members)
    problem = read_problem(refused(client, queries=queries))
    assert [error["path"] for error in problem["errors"]] in ([path], [])
    assert path in problem["detail"] or problem["status"] == 404
    skipped = fuse(client, method="wsum", queries=queries, on_error="skip")["queries"]
    assert [query.keys() for query in skipped[:2]] == [{"id", "output", "total", "depth_used"}] * 2
    assert skipped[2].keys() == {"id", "error"}
    assert skipped[2]["id"] == "last"
    for member in ("type", "title", "status", "detail", "errors"):
        assert skipped[2]["error"][member] == problem[member]


@pytest.mark.parametrize(
    "members, path",
    [
        ({"weights": {"bm25": 1, "dens": 2}}, "weights.dens"),
        ({"weights": [1, 2, 3]}, "weights"),
        ({"queries": [*QUERIES, {"id": 3, "runs": [DENSE, BM25]}], "weights": [1, 2]},
         "queries[2].runs"),
        ({"missing": "none"}, "missing"),
        ({"top_k": 0}, "top_k"),
        ({"depth": 2, "top_k": 3}, "depth"),
        ({"on_error": "ignore"}, "on_error"),
        ({"runs": [BM25]}, "runs"),
        ({"query_ids": ["a"]}, "query_ids"),
        ({"queries": [{"id": "q", "runs": []}, {"id": "q", "runs": []}]}, "queries[1].id"),
        ({"queries": [{"id": 1.5, "runs": []}]}, "queries[0].id"),
        ({"queries": [{"id": "", "runs": []}]}, "queries[0].id"),
        ({"queries": [{"runs": []}]}, "queries[0].id"),
        ({"queries": [5]}, "queries[0]"),
        ({"queries": {}}, "queries"),
        ({"quieries": []}, "quieries"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("on_error", ["fail", "skip"])
def test_what_is_wrong_with_the_request_is_never_skipped(
    client: TestClient, members: dict[str, object], path: str, on_error: str
) -> None:
    response = refused(client, **{"on_error": on_error, **members})
    assert paths_of(response) == [path]


def test_limits_hold_for_all_queries_together(serve: Serve) -> None:
    client = serve(max_lists=2, max_ids=3)
    three = [{"id": place, "runs": [{"ids": ["a"]}]} for place in range(3)]
    response = client.post(FUSE, json={"method": "rrf", "queries": three, "on_error": "skip"})
    assert slug_of(response) == "too-large"
    assert read_problem(response)["setting"] == "NORMD_MAX_LISTS"
    many = [{"id": place, "runs": [{"ids": ["a", "b"]}]} for place in range(2)]
    response = client.post(FUSE, json={"method": "rrf", "queries": many, "on_error": "skip"})
    assert slug_of(response) == "too-large"
    assert read_problem(response)["setting"] == "NORMD_MAX_IDS"


def test_many_faults_among_many_queries_are_all_found(client: TestClient) -> None:
    good, bad = {"ids": ["a"], "scores": [1]}, {"ids": ["a"], "scores": [None]}
    queries = [{"id": place, "runs": [bad if place % 7 == 3 else good]} for place in range(60)]
    found = fuse(client, method="wsum", queries=queries, on_error="skip")["queries"]
    assert [place for place, query in enumerate(found) if "error" in query] == [*range(3, 60, 7)]


def own_runs(count: int, **members: object) -> list[dict[str, object]]:
    run = {"ids": ["a", "b"], "scores": [2.0, 1.0], **members}
    return [{"id": i, "runs": [{"name": f"r{i}", **run}]} for i in range(count)]


@pytest.mark.parametrize("method", ["rrf", "wsum"])
def test_r37_queries_that_each_name_their_own_run_are_fused_at_once(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    calls = []
    monkeypatch.setattr(
        FusionRequest,
        "fuse",
        lambda *given, fuse=FusionRequest.fuse: calls.append(given) or fuse(*given),
    )
    answers = fuse(client, method=method, queries=own_runs(560))["queries"]
    assert [answer["output"]["ids"] for answer in answers] == [["a", "b"]] * 560
    assert len(calls) == 1


def test_r37_faulty_queries_are_looked_at_with_their_own_runs_only(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    monkeypatch.setattr(
        FusionRequest,
        "fuse",
        lambda asked, context, runs, fuse=FusionRequest.fuse: (
            sizes.append(len(runs)) or fuse(asked, context, runs)
        ),
    )
    queries = [*own_runs(1), *own_runs(60, scores=[1.0, None])[1:]]
    found = fuse(client, method="wsum", queries=queries, on_error="skip")["queries"]
    assert ["error" in query for query in found] == [False] + [True] * 59
    assert sizes == [60, *[1] * 60, 60]


@pytest.mark.parametrize("method", ["rrf", "wsum", "combmed", "bordafuse", "condorcet", "isr"])
def test_r37_a_query_that_lacks_runs_of_others_is_answered_as_by_itself(
    client: TestClient, method: str
) -> None:
    first, second, third = (query["runs"][0] for query in own_runs(3))
    queries = [{"id": 0, "runs": [first, second]}, {"id": 1, "runs": [third, first]}]
    together = fuse(client, method=method, queries=queries, explain=True)["queries"]
    lacks = [{"name": run["name"], "ids": []} for run in (first, second, third)]
    for answer, runs in zip(
        together, [[first, second, lacks[2]], [first, lacks[1], third]], strict=True
    ):
        single = ask(client, {"method": method, "runs": runs, "explain": True}, FUSE)
        for name in ("output", "total", "depth_used", "explain"):
            assert answer[name] == single[name]


def test_r37_queries_whose_runs_differ_too_much_are_refused_before_the_work(
    serve: Serve,
) -> None:
    client = serve(max_pairs=100)
    other = [
        {
            "id": f"{i}",
            "runs": [
                {
                    "name": "x",
                    "ids": ["a"],
                    "scores": [1],
                    "normalizer": {"method": "tmm", "params": {"minimum": -i}},
                }
            ],
        }
        for i in range(120)
    ]
    for queries in (own_runs(100), other):
        refusal = client.post(FUSE, json={"method": "wsum", "queries": queries})
        assert refusal.status_code == 413, refusal.text
        assert refusal.json()["setting"] == "NORMD_MAX_PAIRS"
        assert paths_of(refusal) == ["queries"]
    assert len(fuse(client, queries=own_runs(20))["queries"]) == 20


def test_r37_many_queries_of_the_same_runs_are_of_one_kind(serve: Serve) -> None:
    queries = [{"id": i, "runs": [BM25, DENSE]} for i in range(50)]
    assert len(fuse(serve(max_pairs=1), queries=queries)["queries"]) == 50


def test_r39_an_explanation_of_many_runs_and_documents_is_refused_before_the_work(
    client: TestClient,
) -> None:
    runs = [{"ids": [f"{run}-{hit}" for hit in range(20)]} for run in range(400)]
    body = {"method": "rrf", "explain": True, "runs": runs}
    refusal = client.post(FUSE, json=body)
    assert refusal.status_code == 413, refusal.text
    assert refusal.json()["setting"] == "NORMD_MAX_PARTS"
    assert paths_of(refusal) == ["runs"]
    assert client.post(FUSE, json={**body, "top_k": 3}).status_code == 200
    assert client.post(FUSE, json={**body, "explain": False}).status_code == 200


def test_r39_the_parts_an_explanation_may_have_are_a_limit(client: TestClient) -> None:
    assert {"max_pairs", "max_parts"} <= client.get("/v1/limits").json()["limits"].keys()


def test_r39_the_parts_of_all_queries_count_together(serve: Serve) -> None:
    client = serve(max_parts=9)
    body = {"method": "rrf", "queries": QUERIES, "explain": True}
    assert paths_of(client.post(FUSE, json=body)) == ["queries"]
    assert client.post(FUSE, json={**body, "top_k": 1}).status_code == 200
