"""What a transform, an inverse and a fusion answer."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from normalizers.catalogue.catalogue import CATALOGUE
from tests.api.asking import ask, ask_scores
from tests.api.encoding import read_tensors
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import NAMES, ROWS, RUNS, SAFETENSORS, WHITENING, create

ENVELOPE = {"method", "effective_params", "output", "flags", "warnings"}
OPTIONAL = {"report", "explain", "total", "depth_used"}
STORED = {"name", "version", "hash"}


@pytest.mark.parametrize("method", sorted(CATALOGUE))
def test_every_method_answers_the_one_envelope(client: TestClient, method: str) -> None:
    example = CATALOGUE[method].example
    body = {"method": method, "params": dict(example.params), "input": dict(example.input)}
    if example.fit is not None:
        body["fit"] = dict(example.fit)
    if example.weights is not None:
        body["weights"] = dict(example.weights)
    answer = ask(client, body)
    assert answer.keys() >= ENVELOPE
    assert answer.keys() <= ENVELOPE | OPTIONAL
    assert answer["method"] == method
    assert answer["output"]
    assert list(answer["flags"]) == sorted(answer["flags"])
    for positions in answer["flags"].values():
        assert positions == sorted(positions)
        assert positions
    for warning in answer["warnings"]:
        assert warning.keys() >= {"code", "message"}
    for name, value in example.params.items():
        # What names a method is answered with that method's parameters resolved.
        if not isinstance(value, dict) and method not in ("pipeline", "column_transformer"):
            assert answer["effective_params"][name] == value
    explained = ask(client, {**body, "options": {"explain": True}})
    assert explained["output"] == answer["output"]
    assert "explain" not in answer
    assert "explain" in explained


def test_a_stored_version_says_which_it_is(client: TestClient) -> None:
    made = create(client, "n", WHITENING)
    answer = ask(client, {"input": {"x": ROWS}}, f"{NAMES}/n@1/transform")
    assert answer.keys() - OPTIONAL == ENVELOPE | STORED
    assert (answer["name"], answer["version"], answer["hash"]) == ("n", 1, made["hash"])
    assert answer["effective_params"] == made["resolved"]
    once = ask(client, {**WHITENING, "input": {"x": ROWS}})
    assert once["output"] == answer["output"]


def test_explain_adds_up(client: TestClient) -> None:
    answer = ask(client, {"method": "rrf", "runs": RUNS, "explain": True}, "/v1/fuse")
    assert answer["output"]["ids"] == [part["id"] for part in answer["explain"]]
    for score, hit in zip(answer["output"]["scores"], answer["explain"], strict=True):
        total = sum(part["contribution"] for part in hit["parts"])
        assert total == pytest.approx(score, rel=1e-15)


def test_strict_makes_flags_errors(client: TestClient) -> None:
    body = {"method": "min_max", "input": {"scores": [[2, 2]]}, "options": {"strict": True}}
    response = client.post("/v1/transform", json=body)
    assert slug_of(response) == "invalid-input"
    assert paths_of(response) == ["options.strict"]
    assert "constant" in str(read_problem(response)["detail"])
    assert ask(client, {**body, "input": {"scores": [[1, 2]]}})["flags"] == {}


def test_an_option_never_changes_a_parameter(client: TestClient) -> None:
    create(client, "n", {"method": "min_max"})
    response = client.post(
        f"{NAMES}/n/transform", json={"input": {"scores": [1.0]}, "params": {"clip": True}}
    )
    assert slug_of(response) == "invalid-input"
    assert paths_of(response) == ["params"]


def test_a_page_of_a_fusion(client: TestClient) -> None:
    whole = ask(client, {"method": "rrf", "runs": RUNS}, "/v1/fuse")
    assert whole["total"] == 3
    assert whole["depth_used"] == 2
    page = ask(client, {"method": "rrf", "runs": RUNS, "top_k": 1, "offset": 1}, "/v1/fuse")
    assert page["output"]["ids"] == whole["output"]["ids"][1:2]
    assert page["total"] == 3
    few = ask(client, {"method": "rrf", "runs": RUNS, "min_score": 0.02}, "/v1/fuse")
    assert (few["output"]["ids"], few["total"]) == (["a"], 1)


def test_a_fusion_is_a_transform(client: TestClient) -> None:
    fused = ask(client, {"method": "rrf", "k": 10, "runs": RUNS}, "/v1/fuse")
    same = ask(client, {"method": "rrf", "params": {"k": 10}, "input": {"runs": RUNS}})
    assert fused == same


def test_parameters_not_given_are_resolved_and_echoed(client: TestClient) -> None:
    plain = ask_scores(client, {"scores": [1, 2]})["effective_params"]
    assert plain["scope"] == "query"
    fitted = ask(
        client,
        {"method": "min_max", "fit": {"scores": [0, 4]}, "input": {"scores": [1, 2]}},
    )
    assert fitted["effective_params"]["scope"] == "fitted"
    assert fitted["output"]["values"] == [0.25, 0.5]


def test_an_alias_is_answered_by_its_canonical_name(client: TestClient) -> None:
    body = {"method": "PIT", "params": {"scope": "query"}, "input": {"scores": [1, 2]}}
    assert ask(client, body)["method"] == "percentile"
    soft = ask(client, {**WHITENING, "method": "zca", "input": {"x": ROWS}})
    assert soft["effective_params"]["variant"] == "zca"


def test_null_means_not_given(client: TestClient) -> None:
    given = ask_scores(client, {"scores": [1, 2]}, scope=None, clip=None)
    assert given == ask_scores(client, {"scores": [1, 2]})


def test_there_and_back_in_one_request_and_stored(client: TestClient) -> None:
    there = ask_scores(client, {"scores": [[3.0, 1.0], [7.0, 5.0, 6.0]]})["output"]
    back = ask(client, {"method": "min_max", "input": there}, "/v1/inverse")
    assert back["output"] == {"scores": [[3.0, 1.0], [7.0, 5.0, 6.0]]}
    create(client, "n", WHITENING)
    y = ask(client, {"input": {"x": ROWS}}, f"{NAMES}/n/transform")["output"]["y"]
    again = ask(client, {"input": {"y": y}}, f"{NAMES}/n/inverse")["output"]["x"]
    np.testing.assert_allclose(again, ROWS, atol=1e-12)


def test_report_12_a_fitted_answer_depends_on_no_neighbour(client: TestClient) -> None:
    create(
        client,
        "n",
        {"method": "percentile", "params": {"scope": "fitted"}, "fit": {"scores": [1, 2, 3, 5, 8]}},
    )
    scores = np.linspace(0, 9, 100).tolist()
    path = f"{NAMES}/n/transform"
    whole = ask(client, {"input": {"scores": scores}}, path)["output"]["values"]
    paged: list[float] = []
    for start, stop in ((0, 10), (10, 30), (30, 60), (60, 100)):
        page = ask(client, {"input": {"scores": scores[start:stop]}}, path)["output"]["values"]
        paged += page
    assert paged == whole
    batch = ask(client, {"input": {"scores": [scores[:7], scores, [3.0]]}}, path)["output"]
    assert batch["values"][1] == whole
    query = ask_scores(client, {"scores": scores})
    assert query["effective_params"]["scope"] == "query"


def test_reading_arrays_of_a_version(client: TestClient) -> None:
    create(client, "n", WHITENING)
    plain = client.get(f"{NAMES}/n/fitted").json()["fitted"]
    response = client.get(f"{NAMES}/n/fitted", headers={"accept": SAFETENSORS})
    rest, arrays = read_tensors(response.content)
    assert rest["name"] == "n"
    for name, value in plain.items():
        np.testing.assert_array_equal(arrays[f"fitted.{name}"], np.array(value))
