"""``POST /v1/fuse`` with columns: flat lists with offsets, and the names of the queries."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.asking import ask
from tests.api.encoding import read_tensors
from tests.api.problem import paths_of, read_problem
from tests.api.samples import SAFETENSORS

FUSE = "/v1/fuse"
ARROW = "application/vnd.apache.arrow.stream"
BM25 = {"name": "bm25", "ids": ["a", "b", "c"], "scores": [3, 2, 1], "offsets": [0, 2, 3]}
DENSE = {"name": "dense", "ids": ["b"], "scores": [0.5], "offsets": [0, 0, 1]}
BODY = {"method": "wsum", "query_ids": ["q1", 2], "runs": [BM25, DENSE]}


def test_columns_are_answered_as_columns(client: TestClient) -> None:
    answer = ask(client, BODY, FUSE)
    assert answer["output"] == {
        "ids": ["a", "b", "b", "c"],
        "scores": [0.5, 0.0, 0.5, 0.5],
        "offsets": [0, 2, 4],
        "query_ids": ["q1", "2"],
    }
    assert (answer["total"], answer["depth_used"]) == ([2, 2], [2, 1])


def test_columns_are_what_queries_are(client: TestClient) -> None:
    queries = [
        {"id": "q1", "runs": [{"name": "bm25", "ids": ["a", "b"], "scores": [3, 2]}]},
        {"id": 2, "runs": [{"name": "bm25", "ids": ["c"], "scores": [1]},
                           {"name": "dense", "ids": ["b"], "scores": [0.5]}]},
    ]  # fmt: skip
    found = ask(client, {"method": "wsum", "queries": queries}, FUSE)["queries"]
    output = ask(client, BODY, FUSE)["output"]
    assert [query["id"] for query in found] == output["query_ids"]
    for name in ("ids", "scores"):
        assert list(chain(*(query["output"][name] for query in found))) == output[name]


def test_nested_lists_may_be_named_too(client: TestClient) -> None:
    runs = [{"ids": [["a", "b"], []]}, {"ids": [["b"], ["c"]]}]
    answer = ask(client, {"method": "rrf", "query_ids": ["x", "y"], "runs": runs}, FUSE)
    assert answer["output"]["ids"] == [["b", "a"], ["c"]]
    assert answer["output"]["query_ids"] == ["x", "y"]


def test_columns_travel_as_arrow(client: TestClient) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    response = client.post(FUSE, json=BODY, headers={"Accept": ARROW})
    table = pyarrow.ipc.open_stream(response.content).read_all()
    assert table.to_pydict() == {
        "output.ids": [["a", "b"], ["b", "c"]],
        "output.scores": [[0.5, 0.0], [0.5, 0.5]],
        "output.query_ids": ["q1", "2"],
    }


def test_columns_travel_as_tensors(client: TestClient) -> None:
    response = client.post(FUSE, json=BODY, headers={"Accept": SAFETENSORS})
    rest, tensors = read_tensors(response.content)
    np.testing.assert_array_equal(tensors["output.scores"], [0.5, 0.0, 0.5, 0.5])
    np.testing.assert_array_equal(tensors["output.offsets"], [0, 2, 4])
    assert rest["output"]["ids"] == ["a", "b", "b", "c"]
    assert rest["output"]["query_ids"] == ["q1", "2"]


@pytest.mark.parametrize(
    "members, path",
    [
        ({"query_ids": ["q1"]}, "query_ids"),
        ({"query_ids": ["q1", "q1"]}, "query_ids[1]"),
        ({"query_ids": ["q1", ""]}, "query_ids[1]"),
        ({"query_ids": "q1"}, "query_ids"),
        ({"on_error": "skip"}, "on_error"),
        ({"runs": [BM25, {**DENSE, "offsets": [0, 1]}]}, "runs[1].ids"),
        ({"runs": [BM25, {**DENSE, "offsets": [0, 2, 1]}]}, "runs[1].offsets"),
    ],
)
def test_columns_that_do_not_fit(client: TestClient, members: dict[str, object], path: str) -> None:
    assert paths_of(client.post(FUSE, json={**BODY, **members})) == [path]


@pytest.mark.parametrize(
    "scores, where",
    [
        ([3, 2, None], "(run 'bm25', query '2', hit 0)"),
        ([3, None, None], "(run 'bm25', query 'q1', hit 1)"),
    ],
)
def test_a_score_that_is_missing_is_told_by_run_query_and_hit(
    client: TestClient, scores: list[object], where: str
) -> None:
    body = {**BODY, "runs": [{**BM25, "scores": scores}, DENSE]}
    assert where in str(read_problem(client.post(FUSE, json=body))["detail"])


@pytest.mark.parametrize(
    "members, changed, where",
    [
        ({"normalizer": "max"}, {"scores": [3, 2, -1]}, "(run 'bm25', query '2')"),
        ({"duplicates": "error"}, {"ids": ["a", "a", "c"]}, "(run 'bm25', query 'q1', hit 1)"),
    ],
)
def test_a_list_that_is_refused_is_told_by_run_and_query(
    client: TestClient, members: dict[str, object], changed: dict[str, object], where: str
) -> None:
    body = {**BODY, **members, "runs": [{**BM25, **changed}, DENSE]}
    assert where in str(read_problem(client.post(FUSE, json=body))["detail"])


def test_a_regression_is_said_to_fuse_once_it_is_fitted(client: TestClient) -> None:
    problem = read_problem(client.post(FUSE, json={**BODY, "method": "logistic"}))
    assert "fuses when fitted with runs" in str(problem["detail"])


def test_the_nearest_preset_is_named(client: TestClient) -> None:
    problem = read_problem(client.post(FUSE, json={**BODY, "method": "rrf", "preset": "elastc"}))
    assert "did you mean 'elastic" in str(problem["detail"])


@pytest.mark.parametrize(("method", "score"), [("combsum", 1.7e308), ("combmnz", 0.6e308)])
def test_r33_a_score_beyond_float64_names_its_query(
    client: TestClient, method: str, score: float
) -> None:
    large = {"ids": ["a", "b"], "scores": [1.0, score], "offsets": [0, 1, 2]}
    body = {
        "method": method,
        "normalizer": "identity",
        "query_ids": ["small", "large"],
        "runs": [{"name": name, **large} for name in ("x", "y")],
    }
    told = "runs: the score of a document of query 1 is too large for a float64; rescale the scores"
    response = client.post(FUSE, json=body)
    assert paths_of(response) == ["runs"]
    assert read_problem(response)["detail"] == f"{told} (query 'large')"
    del body["query_ids"]
    assert read_problem(client.post(FUSE, json=body))["detail"] == told
