"""Bodies of the inference protocol that contradict themselves are refused with their place."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from fastapi.testclient import TestClient

LENGTH = "Inference-Header-Content-Length"
INFER = "/v2/models/m/infer"
X = {"name": "x", "shape": [2, 2], "datatype": "FP32"}


@pytest.fixture
def client(serve: Callable[..., TestClient]) -> TestClient:
    client = serve(max_values=1000)
    body = {"name": "m", "method": "centering", "fit": {"x": [[1, 2], [3, 4.0]]}}
    assert client.post("/v1/normalizers", json=body).status_code == 201
    return client


def _body(tensor: dict[str, object], content: bytes = b"", **beside: object) -> tuple[bytes, int]:
    text = json.dumps({"inputs": [tensor], **beside}).encode()
    return text + content, len(text)


def _refusal(client: TestClient, body: bytes, length: int | str | None = None) -> str:
    headers = {} if length is None else {LENGTH: str(length)}
    response = client.post(INFER, content=body, headers=headers)
    assert 400 <= response.status_code < 500, response.text
    return response.json()["error"]


def test_nested_and_flat_data_are_the_same(client: TestClient) -> None:
    nested = client.post(INFER, json={"inputs": [{**X, "data": [[1, 2], [3, 4]]}]})
    flat = client.post(INFER, json={"inputs": [{**X, "data": [1, 2, 3, 4]}]})
    assert nested.json() == flat.json()
    assert flat.json()["outputs"] == [
        {"name": "y", "datatype": "FP32", "shape": [2, 2], "data": [-1.0, -1.0, 1.0, 1.0]}
    ]


def test_bfloat16_is_read_as_bytes(client: TestClient) -> None:
    halves = (np.array([1, 2, 3, 4], "<f4").view("<u4") >> 16).astype("<u2").tobytes()
    tensor = {**X, "datatype": "BF16", "parameters": {"binary_data_size": 8}}
    body, length = _body(tensor, halves)
    answer = client.post(INFER, content=body, headers={LENGTH: str(length)}).json()
    assert answer["outputs"][0]["data"] == [-1.0, -1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "change, said",
    [
        ({"datatype": "FP99", "data": [1, 2, 3, 4]}, "inputs[0].datatype"),
        ({"datatype": "BF16", "data": [1, 2, 3, 4]}, "sent as bytes"),
        ({"shape": [2, -1], "data": [1, 2, 3, 4]}, "inputs[0].shape"),
        ({"shape": [2, 3], "data": [1, 2, 3, 4]}, "4 values, but shape [2, 3] takes 6"),
        ({"data": [1, 2, "3", 4]}, "inputs[0].data[2]"),
        ({"datatype": "INT8", "data": [1, 2, 3, 400]}, "beyond INT8"),
        ({"datatype": "BOOL", "data": [1, 0, 1, 0]}, "true and false"),
        ({"datatype": "FP32", "data": [1, 2, 3, 1e300]}, "infinit"),
        ({}, "data is missing"),
        ({"data": [1, 2, 3, 4], "more": 1}, "inputs[0].more"),
        ({"data": [1, 2, 3, 4], "parameters": {"binary_data_size": 0}}, "either data or"),
    ],
)
def test_what_contradicts_itself_is_told_by_its_place(
    client: TestClient, change: dict[str, object], said: str
) -> None:
    body, _ = _body({**X, **change})
    assert said in _refusal(client, body)


@pytest.mark.parametrize(
    "size, content, length, said",
    [
        (16, b"\0" * 12, 0, "12 bytes are left"),
        (12, b"\0" * 12, 0, "takes 16"),
        (16, b"\0" * 20, 0, "4 bytes of the body belong to no tensor"),
        (16, b"\0" * 16, 10_000, "the JSON has"),
    ],
)
def test_sizes_must_meet(
    client: TestClient, size: int, content: bytes, length: int, said: str
) -> None:
    body, own = _body({**X, "parameters": {"binary_data_size": size}}, content)
    assert said in _refusal(client, body, length or own)


@pytest.mark.parametrize("length", ["-1", "1e3", "9" * 30, "\u0661"])
def test_a_length_that_is_no_number_is_refused(client: TestClient, length: str) -> None:
    response = client.post(INFER, content=b"{}", headers={LENGTH: length.encode()})
    assert response.status_code == 400
    assert LENGTH in response.json()["error"]


def test_a_shape_of_more_than_may_be_sent_allocates_nothing(client: TestClient) -> None:
    huge = {**X, "shape": [2**40, 2**20], "parameters": {"binary_data_size": 0}}
    body, length = _body(huge)
    assert client.post(INFER, content=body, headers={LENGTH: str(length)}).status_code == 413


@pytest.mark.parametrize("content", [b"\1", b"\2\0\0\0a", b"\xff\xff\xff\xff", b"\1\0\0\0\xff"])
def test_texts_that_end_early_or_are_no_text(client: TestClient, content: bytes) -> None:
    tensor = {"name": "x", "shape": [1], "datatype": "BYTES"}
    body, length = _body({**tensor, "parameters": {"binary_data_size": len(content)}}, content)
    assert _refusal(client, body, length)


def test_unknown_outputs_options_and_versions_are_refused(client: TestClient) -> None:
    sent = {**X, "data": [1, 2, 3, 4]}
    assert "known: y" in _refusal(client, _body(sent, outputs=[{"name": "z"}])[0])
    assert "explian" in _refusal(client, _body(sent, parameters={"explian": True})[0])
    assert client.get("/v2/models/m/versions/9").json()["error"]
    assert client.get("/v2/nowhere").json()["error"]


def test_explanations_stand_in_the_parameters(client: TestClient) -> None:
    body, _ = _body({**X, "data": [1, 2, 3, 4]}, parameters={"explain": True})
    assert json.loads(client.post(INFER, content=body).json()["parameters"]["explain"])
