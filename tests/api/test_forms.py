"""An answer has the form of its request, or the one asked for."""

from __future__ import annotations

import numpy as np
from fastapi.testclient import TestClient
from safetensors import safe_open

from tests.api.asking import ask, ask_scores
from tests.api.encoding import as_base64, from_base64, read_tensors
from tests.api.samples import HUBS, JSON, NAMES, ROWS, SAFETENSORS, WHITENING, create, tensors


def test_flat_stays_flat_and_nested_stays_nested(client: TestClient) -> None:
    flat = ask_scores(client, {"scores": [3, 1, 2]})["output"]
    assert flat == {"values": [1.0, 0.0, 0.5], "loc": [1.0], "scale": [2.0]}
    nested = ask_scores(client, {"scores": [[3, 1, 2], [], [7, 5]]})["output"]
    assert nested["values"] == [[1.0, 0.0, 0.5], [], [1.0, 0.0]]
    assert nested["loc"] == [1.0, 0.0, 5.0]


def test_offsets_and_lengths_are_answered_with_offsets(client: TestClient) -> None:
    for extra in ({"offsets": [0, 3, 3, 5]}, {"lengths": [3, 0, 2]}):
        output = ask_scores(client, {"scores": [3, 1, 2, 7, 5], **extra})["output"]
        assert output["values"] == [1.0, 0.0, 0.5, 1.0, 0.0]
        assert output["offsets"] == [0, 3, 3, 5]


def test_one_row_flat_and_no_rows(client: TestClient) -> None:
    many = ask(client, {**WHITENING, "input": {"x": ROWS}})["output"]["y"]
    assert ask(client, {**WHITENING, "input": {"x": ROWS[1]}})["output"]["y"] == many[1]
    assert ask(client, {**WHITENING, "input": {"x": ROWS[1:2]}})["output"]["y"] == many[1:2]
    assert ask(client, {**WHITENING, "input": {"x": []}})["output"]["y"] == []


def test_base64_is_answered_as_base64(client: TestClient) -> None:
    plain = ask(client, {**WHITENING, "input": {"x": ROWS}})["output"]["y"]
    node = ask(client, {**WHITENING, "input": {"x": as_base64(ROWS)}})["output"]["y"]
    assert (node["dtype"], node["shape"]) == ("float64", [len(ROWS), 3])
    np.testing.assert_array_equal(from_base64(node), np.array(plain))
    fit = {**WHITENING, "fit": {"x": as_base64(ROWS)}}
    assert ask(client, {**fit, "input": {"x": ROWS}})["output"]["y"] == plain


def test_the_dtype_of_the_input_is_the_dtype_of_the_output(client: TestClient) -> None:
    for dtype in ("float32", "float64"):
        node = ask(client, {**WHITENING, "input": {"x": as_base64(ROWS, dtype)}})["output"]["y"]
        assert node["dtype"] == dtype


def test_safetensors_in_and_out(client: TestClient) -> None:
    plain = ask(client, {**WHITENING, "input": {"x": ROWS}})
    body = tensors({**WHITENING, "fit": {}}, input__x=ROWS, fit__x=ROWS)
    response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
    assert response.headers["content-type"] == SAFETENSORS
    rest, arrays = read_tensors(response.content)
    np.testing.assert_array_equal(arrays["output.y"], np.array(plain["output"]["y"]))
    assert rest == {**plain, "output": {}}


def test_ragged_lists_in_safetensors_are_flat_with_offsets(client: TestClient) -> None:
    body = tensors(
        {"method": "min_max"}, input__scores=[3.0, 1.0, 5.0, 5.0], input__offsets=[0, 2, 2, 4]
    )
    response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
    rest, arrays = read_tensors(response.content)
    assert arrays["output.offsets"].tolist() == [0, 2, 2, 4]
    assert arrays["output.values"].tolist() == [1.0, 0.0, 1.0, 1.0]
    assert rest["flags"] == {"constant": [2]}
    nested = client.post(
        "/v1/transform",
        json={"method": "min_max", "input": {"scores": [[3, 1], [], [5, 5]]}},
        headers={"accept": SAFETENSORS},
    )
    _, from_json = read_tensors(nested.content)
    assert {name: a.tolist() for name, a in from_json.items()} == {
        name: a.tolist() for name, a in arrays.items()
    }


def test_a_matrix_for_a_ragged_field_is_one_list_a_row(client: TestClient) -> None:
    body = tensors({"method": "min_max"}, input__scores=[[3.0, 1.0], [5.0, 9.0]])
    sent = {"content-type": SAFETENSORS, "accept": JSON}
    answer = client.post("/v1/transform", content=body, headers=sent).json()
    np.testing.assert_array_equal(np.ravel(answer["output"]["values"]), [1.0, 0.0, 0.0, 1.0])
    assert answer["output"]["loc"] == [1.0, 5.0]


def test_ids_stay_json_beside_tensors(client: TestClient) -> None:
    body = tensors(
        {**HUBS, "input": {"candidate_ids": [["a", "b"]]}},
        input__candidate_scores=[[0.5, 0.4]],
    )
    response = client.post("/v1/transform", content=body, headers={"content-type": SAFETENSORS})
    assert response.status_code == 200, response.content
    _, arrays = read_tensors(response.content)
    plain = ask(
        client,
        {**HUBS, "input": {"candidate_ids": [["a", "b"]], "candidate_scores": [[0.5, 0.4]]}},
    )
    assert arrays["output.scores"].ravel().tolist() == plain["output"]["scores"][0]


def test_accept_decides_the_form_of_the_answer(client: TestClient) -> None:
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


def test_the_same_numbers_bit_for_bit_in_every_form(client: TestClient) -> None:
    rows = np.random.default_rng(3).normal(size=(7, 3))
    create(client, "n", {"method": "whitening", "fit": {"x": rows.tolist()}})
    path = f"{NAMES}/n/transform"
    plain = ask(client, {"input": {"x": rows.tolist()}}, path)["output"]["y"]
    encoded = ask(client, {"input": {"x": as_base64(rows)}}, path)["output"]["y"]
    response = client.post(
        path, content=tensors({}, input__x=rows), headers={"content-type": SAFETENSORS}
    )
    _, arrays = read_tensors(response.content)
    assert np.array(plain).tobytes() == from_base64(encoded).tobytes()
    assert arrays["output.y"].tobytes() == np.array(plain).tobytes()


def test_a_file_that_other_readers_open(client: TestClient, tmp_path) -> None:  # type: ignore[no-untyped-def]
    create(client, "n", WHITENING)
    path = tmp_path / "n.safetensors"
    path.write_bytes(client.get(f"{NAMES}/n/export").content)
    with safe_open(path, framework="numpy") as file:
        assert file.metadata().keys() == {"manifest"}
        assert "fitted.W" in set(file.keys())
