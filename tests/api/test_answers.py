"""What a transform, an inverse and a fusion answer, and in which form."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping

import numpy as np
import pytest
from fastapi.testclient import TestClient
from safetensors import safe_open
from safetensors.numpy import load

from normalizers.catalogue import CATALOGUE
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import (
    HUBS,
    JSON,
    NAMES,
    ROWS,
    RUNS,
    SAFETENSORS,
    WHITENING,
    create,
    tensors,
)

ENVELOPE = {"method", "effective_params", "output", "flags", "warnings"}
OPTIONAL = {"report", "explain", "total", "depth_used"}
STORED = {"name", "version", "hash"}
OMIT = {"nan_policy": "omit"}


def _ask(client: TestClient, body: Mapping[str, object], path: str = "/v1/transform"):  # type: ignore[no-untyped-def]
    response = client.post(path, json=body)
    assert response.status_code == 200, response.text
    return response.json()


def _scores(client: TestClient, given: Mapping[str, object], **params: object):  # type: ignore[no-untyped-def]
    return _ask(client, {"method": "min_max", "params": params, "input": given})


def _base64(values: object, dtype: str = "float64") -> dict[str, object]:
    from base64 import b64encode

    array = np.asarray(values, dtype=dtype)
    encoded = b64encode(array.tobytes()).decode()
    return {"dtype": dtype, "shape": list(array.shape), "base64": encoded}


def _decoded(node: Mapping[str, object]) -> np.ndarray:
    flat = np.frombuffer(b64decode(str(node["base64"])), dtype=str(node["dtype"]))
    return flat.reshape(node["shape"])  # type: ignore[arg-type]


def _read(content: bytes) -> tuple[dict[str, object], dict[str, np.ndarray]]:
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    assert header["__metadata__"].keys() == {"json"}
    return json.loads(header["__metadata__"]["json"]), load(content)


@pytest.mark.parametrize("method", sorted(CATALOGUE))
def test_every_method_answers_the_one_envelope(client: TestClient, method: str) -> None:
    example = CATALOGUE[method].example
    body = {"method": method, "params": dict(example.params), "input": dict(example.given)}
    if example.fit is not None:
        body["fit"] = dict(example.fit)
    answer = _ask(client, body)
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
        if method != "pipeline":
            assert answer["effective_params"][name] == value
    explained = _ask(client, {**body, "options": {"explain": True}})
    assert explained["output"] == answer["output"]
    assert "explain" not in answer
    assert "explain" in explained


def test_a_stored_version_says_which_it_is(client: TestClient) -> None:
    made = create(client, "n", WHITENING)
    answer = _ask(client, {"input": {"x": ROWS}}, f"{NAMES}/n@1/transform")
    assert answer.keys() - OPTIONAL == ENVELOPE | STORED
    assert (answer["name"], answer["version"], answer["hash"]) == ("n", 1, made["hash"])
    assert answer["effective_params"] == made["resolved"]
    once = _ask(client, {**WHITENING, "input": {"x": ROWS}})
    assert once["output"] == answer["output"]


class TestForms:
    def test_flat_stays_flat_and_nested_stays_nested(self, client: TestClient) -> None:
        flat = _scores(client, {"scores": [3, 1, 2]})["output"]
        assert flat == {"values": [1.0, 0.0, 0.5], "loc": [1.0], "scale": [2.0]}
        nested = _scores(client, {"scores": [[3, 1, 2], [], [7, 5]]})["output"]
        assert nested["values"] == [[1.0, 0.0, 0.5], [], [1.0, 0.0]]
        assert nested["loc"] == [1.0, 0.0, 5.0]

    def test_offsets_and_lengths_are_answered_with_offsets(self, client: TestClient) -> None:
        for extra in ({"offsets": [0, 3, 3, 5]}, {"lengths": [3, 0, 2]}):
            output = _scores(client, {"scores": [3, 1, 2, 7, 5], **extra})["output"]
            assert output["values"] == [1.0, 0.0, 0.5, 1.0, 0.0]
            assert output["offsets"] == [0, 3, 3, 5]

    def test_one_row_flat_and_no_rows(self, client: TestClient) -> None:
        many = _ask(client, {**WHITENING, "input": {"x": ROWS}})["output"]["y"]
        assert _ask(client, {**WHITENING, "input": {"x": ROWS[1]}})["output"]["y"] == many[1]
        assert _ask(client, {**WHITENING, "input": {"x": ROWS[1:2]}})["output"]["y"] == many[1:2]
        assert _ask(client, {**WHITENING, "input": {"x": []}})["output"]["y"] == []

    def test_base64_is_answered_as_base64(self, client: TestClient) -> None:
        plain = _ask(client, {**WHITENING, "input": {"x": ROWS}})["output"]["y"]
        node = _ask(client, {**WHITENING, "input": {"x": _base64(ROWS)}})["output"]["y"]
        assert (node["dtype"], node["shape"]) == ("float64", [len(ROWS), 3])
        np.testing.assert_array_equal(_decoded(node), np.array(plain))
        fit = {**WHITENING, "fit": {"x": _base64(ROWS)}}
        assert _ask(client, {**fit, "input": {"x": ROWS}})["output"]["y"] == plain

    def test_the_dtype_of_the_input_is_the_dtype_of_the_output(self, client: TestClient) -> None:
        for dtype in ("float32", "float64"):
            node = _ask(client, {**WHITENING, "input": {"x": _base64(ROWS, dtype)}})["output"]["y"]
            assert node["dtype"] == dtype

    def test_safetensors_in_and_out(self, client: TestClient) -> None:
        plain = _ask(client, {**WHITENING, "input": {"x": ROWS}})
        body = tensors({**WHITENING, "fit": {}}, input__x=ROWS, fit__x=ROWS)
        response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
        assert response.headers["content-type"] == SAFETENSORS
        rest, arrays = _read(response.content)
        np.testing.assert_array_equal(arrays["output.y"], np.array(plain["output"]["y"]))
        assert rest == {**plain, "output": {}}

    def test_ragged_lists_in_safetensors_are_flat_with_offsets(self, client: TestClient) -> None:
        body = tensors(
            {"method": "min_max"}, input__scores=[3.0, 1.0, 5.0, 5.0], input__offsets=[0, 2, 2, 4]
        )
        response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
        rest, arrays = _read(response.content)
        assert arrays["output.offsets"].tolist() == [0, 2, 2, 4]
        assert arrays["output.values"].tolist() == [1.0, 0.0, 1.0, 1.0]
        assert rest["flags"] == {"constant": [2]}
        nested = client.post(
            "/v1/transform",
            json={"method": "min_max", "input": {"scores": [[3, 1], [], [5, 5]]}},
            headers={"accept": SAFETENSORS},
        )
        _, from_json = _read(nested.content)
        assert {name: a.tolist() for name, a in from_json.items()} == {
            name: a.tolist() for name, a in arrays.items()
        }

    def test_a_matrix_for_a_ragged_field_is_one_list_a_row(self, client: TestClient) -> None:
        body = tensors({"method": "min_max"}, input__scores=[[3.0, 1.0], [5.0, 9.0]])
        sent = {"content-type": SAFETENSORS, "accept": JSON}
        answer = client.post("/v1/transform", content=body, headers=sent).json()
        np.testing.assert_array_equal(np.ravel(answer["output"]["values"]), [1.0, 0.0, 0.0, 1.0])
        assert answer["output"]["loc"] == [1.0, 5.0]

    def test_ids_stay_json_beside_tensors(self, client: TestClient) -> None:
        body = tensors(
            {**HUBS, "input": {"candidate_ids": [["a", "b"]]}},
            input__candidate_scores=[[0.5, 0.4]],
        )
        response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
        assert response.status_code == 200, response.content
        _, arrays = _read(response.content)
        plain = _ask(
            client,
            {**HUBS, "input": {"candidate_ids": [["a", "b"]], "candidate_scores": [[0.5, 0.4]]}},
        )
        assert arrays["output.scores"].ravel().tolist() == plain["output"]["scores"][0]

    def test_accept_decides_the_form_of_the_answer(self, client: TestClient) -> None:
        body = {"method": "min_max", "input": {"scores": [1, 2]}}
        for accept, media_type in {
            SAFETENSORS: SAFETENSORS,
            JSON: JSON,
            "*/*": JSON,
            "application/*": JSON,
            f"{JSON};q=0.5, {SAFETENSORS}": SAFETENSORS,
            f"{SAFETENSORS};q=0.5, */*;q=0.1": SAFETENSORS,
            "text/html, */*;q=0.1": JSON,
        }.items():
            response = client.post("/v1/transform", json=body, headers={"accept": accept})
            assert response.headers["content-type"] == media_type, accept
        tensor = tensors({"method": "min_max"}, input__scores=[1.0, 2.0])
        for accept, media_type in {JSON: JSON, "*/*": SAFETENSORS}.items():
            sent = {"content-type": SAFETENSORS, "accept": accept}
            response = client.post("/v1/transform", content=tensor, headers=sent)
            assert response.headers["content-type"] == media_type

    def test_the_same_numbers_bit_for_bit_in_every_form(self, client: TestClient) -> None:
        rows = np.random.default_rng(3).normal(size=(7, 3))
        create(client, "n", {"method": "whitening", "fit": {"x": rows.tolist()}})
        path = f"{NAMES}/n/transform"
        plain = _ask(client, {"input": {"x": rows.tolist()}}, path)["output"]["y"]
        encoded = _ask(client, {"input": {"x": _base64(rows)}}, path)["output"]["y"]
        response = client.post(
            path, content=tensors({}, input__x=rows), headers={"content-type": SAFETENSORS}
        )
        _, arrays = _read(response.content)
        assert np.array(plain).tobytes() == _decoded(encoded).tobytes()
        assert arrays["output.y"].tobytes() == np.array(plain).tobytes()

    def test_a_file_that_other_readers_open(self, client: TestClient, tmp_path) -> None:  # type: ignore[no-untyped-def]
        create(client, "n", WHITENING)
        path = tmp_path / "n.safetensors"
        path.write_bytes(client.get(f"{NAMES}/n/export").content)
        with safe_open(path, framework="numpy") as file:
            assert file.metadata().keys() == {"manifest"}
            assert "fitted.W" in set(file.keys())


class TestMissing:
    def test_null_in_is_null_out_and_flagged(self, client: TestClient) -> None:
        answer = _scores(client, {"scores": [[1, None, 3], [None], []]}, **OMIT)
        assert answer["output"]["values"] == [[0.0, None, 1.0], [None], []]
        assert answer["flags"] == {"missing": [[0, 1], [1, 0]]}

    def test_null_and_nan_are_one_thing(self, client: TestClient) -> None:
        plain = _scores(client, {"scores": [1, None, 3]}, **OMIT)
        encoded = _scores(client, {"scores": _base64([1, np.nan, 3])}, **OMIT)
        assert plain["flags"] == encoded["flags"]
        np.testing.assert_array_equal(_decoded(encoded["output"]["values"]), [0.0, np.nan, 1.0])

    def test_rows_and_masked_points(self, client: TestClient) -> None:
        answer = _ask(
            client,
            {
                **WHITENING,
                "params": {**OMIT, "eps_rel": 1.0},
                "fit": {"x": [*ROWS, [None, 1.0, 2.0]]},
                "input": {"x": [ROWS[0], [1.0, None, 2.0]]},
            },
        )
        assert answer["output"]["y"][1] == [None] * 3
        assert answer["flags"] == {"missing": [1]}
        for mask in ([[1, 0, 1]], [[True, False, True]]):
            masked = _ask(
                client,
                {
                    "method": "window_z_score",
                    "input": {"x": [[1.0, 7.0, 4.0]], "mask": mask},
                    "options": {"layout": "NT"},
                },
            )
            assert masked["output"]["y"] == [[-1.0, None, 1.0]]
            assert masked["output"]["loc"] == [[2.5]]

    def test_report_1_a_result_that_is_not_finite_never_leaves(self, client: TestClient) -> None:
        response = client.post(
            "/v1/inverse",
            json={
                "method": "min_max",
                "input": {"values": [1e300], "loc": [0.0], "scale": [1e300]},
            },
        )
        assert response.status_code == 422
        read_problem(response)


class TestLayouts:
    @pytest.mark.parametrize(
        ("layout", "x", "shape"),
        [
            ("T", [1.0, 2.0, 4.0], (3,)),
            ("NT", [[1.0, 2.0, 4.0], [2.0, 0.0, 5.0]], (2, 3)),
            ("TC", [[1.0, 2.0], [2.0, 5.0], [3.0, 9.0]], (3, 2)),
            ("NTC", [[[1.0], [2.0]], [[3.0], [5.0]]], (2, 2, 1)),
            ("NCT", [[[1.0, 2.0], [3.0, 5.0]]], (1, 2, 2)),
        ],
    )
    def test_an_answer_has_the_layout_it_was_asked_in(
        self, client: TestClient, layout: str, x: object, shape: tuple[int, ...]
    ) -> None:
        body = {"method": "window_z_score", "input": {"x": x}, "options": {"layout": layout}}
        output = _ask(client, body)["output"]
        assert np.array(output["y"]).shape == shape
        back = _ask(client, {**body, "input": output}, "/v1/inverse")["output"]["x"]
        np.testing.assert_allclose(np.array(back), np.array(x), atol=1e-12)

    def test_two_axes_alone_are_ambiguous(self, client: TestClient) -> None:
        response = client.post(
            "/v1/transform", json={"method": "window_z_score", "input": {"x": [[1.0, 2.0]]}}
        )
        assert slug_of(response) == "shape-error"
        assert "NT or TC" in str(read_problem(response)["detail"])

    def test_windows_of_other_lengths(self, client: TestClient) -> None:
        body = {
            "method": "window_z_score",
            "input": {"x": [[1.0, 2.0, 3.0], [4.0, 4.0]]},
            "options": {"layout": "ragged"},
        }
        answer = _ask(client, body)
        assert [len(part) for part in answer["output"]["y"]] == [3, 2]
        assert answer["flags"] == {"constant": [[1, 0]]}


class TestOptions:
    def test_explain_adds_up(self, client: TestClient) -> None:
        answer = _ask(client, {"method": "rrf", "runs": RUNS, "explain": True}, "/v1/fuse")
        assert answer["output"]["ids"] == [part["id"] for part in answer["explain"]]
        for score, hit in zip(answer["output"]["scores"], answer["explain"], strict=True):
            total = sum(part["contribution"] for part in hit["parts"])
            assert total == pytest.approx(score, rel=1e-15)

    def test_strict_makes_flags_errors(self, client: TestClient) -> None:
        body = {"method": "min_max", "input": {"scores": [[2, 2]]}, "options": {"strict": True}}
        response = client.post("/v1/transform", json=body)
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["options.strict"]
        assert "constant" in str(read_problem(response)["detail"])
        assert _ask(client, {**body, "input": {"scores": [[1, 2]]}})["flags"] == {}

    def test_an_option_never_changes_a_parameter(self, client: TestClient) -> None:
        create(client, "n", {"method": "min_max"})
        response = client.post(
            f"{NAMES}/n/transform", json={"input": {"scores": [1.0]}, "params": {"clip": True}}
        )
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["params"]

    def test_a_page_of_a_fusion(self, client: TestClient) -> None:
        whole = _ask(client, {"method": "rrf", "runs": RUNS}, "/v1/fuse")
        assert whole["total"] == 3
        assert whole["depth_used"] == 2
        page = _ask(client, {"method": "rrf", "runs": RUNS, "top_k": 1, "offset": 1}, "/v1/fuse")
        assert page["output"]["ids"] == whole["output"]["ids"][1:2]
        assert page["total"] == 3
        few = _ask(client, {"method": "rrf", "runs": RUNS, "min_score": 0.02}, "/v1/fuse")
        assert (few["output"]["ids"], few["total"]) == (["a"], 1)

    def test_a_fusion_is_a_transform(self, client: TestClient) -> None:
        fused = _ask(client, {"method": "rrf", "k": 10, "runs": RUNS}, "/v1/fuse")
        same = _ask(client, {"method": "rrf", "params": {"k": 10}, "input": {"runs": RUNS}})
        assert fused == same


class TestEffectiveParams:
    def test_parameters_not_given_are_resolved_and_echoed(self, client: TestClient) -> None:
        plain = _scores(client, {"scores": [1, 2]})["effective_params"]
        assert plain["scope"] == "query"
        fitted = _ask(
            client,
            {"method": "min_max", "fit": {"scores": [0, 4]}, "input": {"scores": [1, 2]}},
        )
        assert fitted["effective_params"]["scope"] == "fitted"
        assert fitted["output"]["values"] == [0.25, 0.5]

    def test_an_alias_is_answered_by_its_canonical_name(self, client: TestClient) -> None:
        body = {"method": "PIT", "params": {"scope": "query"}, "input": {"scores": [1, 2]}}
        assert _ask(client, body)["method"] == "percentile"
        soft = _ask(client, {**WHITENING, "method": "zca", "input": {"x": ROWS}})
        assert soft["effective_params"]["variant"] == "zca"

    def test_null_means_not_given(self, client: TestClient) -> None:
        given = _scores(client, {"scores": [1, 2]}, scope=None, clip=None)
        assert given == _scores(client, {"scores": [1, 2]})


class TestInverse:
    def test_there_and_back_in_one_request_and_stored(self, client: TestClient) -> None:
        there = _scores(client, {"scores": [[3.0, 1.0], [7.0, 5.0, 6.0]]})["output"]
        back = _ask(client, {"method": "min_max", "input": there}, "/v1/inverse")
        assert back["output"] == {"scores": [[3.0, 1.0], [7.0, 5.0, 6.0]]}
        create(client, "n", WHITENING)
        y = _ask(client, {"input": {"x": ROWS}}, f"{NAMES}/n/transform")["output"]["y"]
        again = _ask(client, {"input": {"y": y}}, f"{NAMES}/n/inverse")["output"]["x"]
        np.testing.assert_allclose(again, ROWS, atol=1e-12)


def test_report_12_a_fitted_answer_depends_on_no_neighbour(client: TestClient) -> None:
    create(
        client,
        "n",
        {"method": "percentile", "params": {"scope": "fitted"}, "fit": {"scores": [1, 2, 3, 5, 8]}},
    )
    scores = np.linspace(0, 9, 100).tolist()
    path = f"{NAMES}/n/transform"
    whole = _ask(client, {"input": {"scores": scores}}, path)["output"]["values"]
    paged: list[float] = []
    for start, stop in ((0, 10), (10, 30), (30, 60), (60, 100)):
        page = _ask(client, {"input": {"scores": scores[start:stop]}}, path)["output"]["values"]
        paged += page
    assert paged == whole
    batch = _ask(client, {"input": {"scores": [scores[:7], scores, [3.0]]}}, path)["output"]
    assert batch["values"][1] == whole
    query = _scores(client, {"scores": scores})
    assert query["effective_params"]["scope"] == "query"


def test_reading_arrays_of_a_version(client: TestClient) -> None:
    create(client, "n", WHITENING)
    plain = client.get(f"{NAMES}/n/fitted").json()["fitted"]
    response = client.get(f"{NAMES}/n/fitted", headers={"accept": SAFETENSORS})
    rest, arrays = _read(response.content)
    assert rest["name"] == "n"
    for name, value in plain.items():
        np.testing.assert_array_equal(arrays[f"fitted.{name}"], np.array(value))
