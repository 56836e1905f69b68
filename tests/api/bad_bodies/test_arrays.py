"""Arrays in safetensors and base64 whose description lies."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.bad_bodies.nesting import LEVELS
from tests.api.problem import MARKER, paths_of, read_problem, slug_of
from tests.api.samples import JSON, NAMES, SAFETENSORS, post, tensors

FLOATS = np.array([1.0, 2.0]).tobytes()
META = {"json": '{"method": "min_max", "input": {}}'}
ENTRY = {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}


def _file(header: object, content: bytes = FLOATS, length: int | None = None) -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(raw) if length is None else length) + raw + content


def _scores(**changes: object) -> dict[str, object]:
    return {"__metadata__": META, "input.scores": {**ENTRY, **changes}}


LIES = {
    "too short": (b"abc", 400),
    "length beyond the body": (_file(_scores(), length=10**6), 400),
    "length of 2**63": (_file(_scores(), length=2**63), 400),
    "length inside the header": (_file(_scores(), length=10), 400),
    "length 0": (_file(_scores(), length=0), 400),
    "negative offsets": (_file(_scores(data_offsets=[-1, 15])), 400),
    "offsets backwards": (_file(_scores(data_offsets=[16, 0])), 400),
    "offsets beyond the body": (_file(_scores(data_offsets=[0, 32])), 400),
    "a gap": (_file(_scores(data_offsets=[8, 24]), FLOATS * 2), 400),
    "bytes left over": (_file(_scores(), FLOATS + b"x"), 400),
    "overlap": (_file({**_scores(), "input.other": ENTRY}), 400),
    "offsets that are floats": (_file(_scores(data_offsets=[0.0, 16])), 400),
    "three offsets": (_file(_scores(data_offsets=[0, 8, 16])), 400),
    "no offsets": (_file({"__metadata__": META, "input.scores": {"dtype": "F64"}}), 400),
    "an unknown type": (_file(_scores(dtype="F8")), 422),
    "a type not read": (_file(_scores(dtype="F8_E8M0", shape=[16])), 422),
    "a type that is a number": (_file(_scores(dtype=8)), 422),
    "another type of the same size": (_file(_scores(dtype="F32")), 400),
    "a huge shape": (_file(_scores(shape=[2**62, 2**62])), 400),
    "a shape that wraps around": (_file(_scores(shape=[2**61, 8])), 400),
    "a huge empty shape": (_file(_scores(shape=[0, 2**62], data_offsets=[0, 0]), b""), 413),
    "a negative shape": (_file(_scores(shape=[-2])), 422),
    "a shape of strings": (_file(_scores(shape=["2"])), 422),
    "a shape of booleans": (_file(_scores(shape=[True, 2])), 422),
    "100 dimensions": (_file(_scores(shape=[1] * 99 + [2])), 422),
    "a repeated key": (_file(b'{"input.scores": 1, "input.scores": 2}'), 400),
    "a deep header": (_file(b"[" * LEVELS), 400),
    "a header that is a list": (_file([]), 400),
    "metadata that are a list": (_file({**_scores(), "__metadata__": []}), 400),
    "other metadata": (_file({**_scores(), "__metadata__": {"format": "pt"}}), 400),
    "metadata of a number": (_file({**_scores(), "__metadata__": {"json": 5}}), 400),
    "metadata of no JSON": (_file({**_scores(), "__metadata__": {"json": MARKER}}), 400),
    "metadata of a list": (_file({**_scores(), "__metadata__": {"json": "[]"}}), 422),
    "a repeated key in the JSON": (
        _file({**_scores(), "__metadata__": {"json": '{"method": "a", "method": "b"}'}}),
        400,
    ),
    "NaN in the JSON": (
        _file({**_scores(), "__metadata__": {"json": '{"input": {"a": NaN}}'}}),
        400,
    ),
    "a tensor where a value stands": (
        _file(
            {
                **_scores(),
                "__metadata__": {"json": '{"method": "min_max", "input": {"scores": [1]}}'},
            }
        ),
        400,
    ),
    "a tensor inside a number": (
        _file({**_scores(), "__metadata__": {"json": '{"method": "min_max", "input": 5}'}}),
        400,
    ),
    "a wrong escape": (_file({"__metadata__": META, "input.sc~2": ENTRY}), 400),
    "a deep name": (_file({"__metadata__": META, ".".join("a" * 1000): ENTRY}), 400),
    "no name": (_file({"__metadata__": META, "": ENTRY}), 422),
    "an unknown field": (_file({"__metadata__": META, "input.score": ENTRY}), 422),
    "booleans of 2": (_file(_scores(dtype="BOOL", data_offsets=[0, 2]), b"\x00\x02"), 422),
    "booleans for numbers": (_file(_scores(dtype="BOOL", data_offsets=[0, 2]), b"\x00\x01"), 422),
}


@pytest.mark.parametrize("name", LIES)
def test_safetensors_whose_header_lies(client: TestClient, name: str) -> None:
    body, status = LIES[name]
    response = post(client, "/v1/transform", body, media_type=SAFETENSORS)
    read_problem(response)
    assert response.status_code == status
    imported = post(client, f"{NAMES}/import?name=new", body, media_type=SAFETENSORS)
    assert slug_of(imported) == "corrupt-version"


def test_report_1_nan_and_infinities_in_tensors_follow_the_policy(client: TestClient) -> None:
    for bad in (np.nan, np.inf, -np.inf):
        body = tensors({"method": "min_max"}, input__scores=[1.0, bad])
        response = post(client, "/v1/transform", body, media_type=SAFETENSORS)
        assert slug_of(response) == "non-finite"
        assert paths_of(response) == ["input.scores[1]"]
    body = tensors(
        {"method": "min_max", "params": {"nan_policy": "omit"}}, input__scores=[1.0, np.nan, 3.0]
    )
    response = client.post(
        "/v1/transform", content=body, headers={"content-type": SAFETENSORS, "accept": JSON}
    )
    assert response.json()["output"]["values"] == [0.0, None, 1.0]
    assert response.json()["flags"] == {"missing": [1]} or response.json()["flags"] == {
        "missing": [[0, 1]]
    }


BASE64 = {
    "a length that differs": ({"dtype": "float64", "shape": [2], "base64": "AAAA"}, "shape-error"),
    "another alphabet": ({"dtype": "float16", "shape": [1], "base64": "_-A="}, "invalid-input"),
    "an unknown type": ({"dtype": "complex64", "shape": [1], "base64": "AAAA"}, "dtype-error"),
    "objects": ({"dtype": "object", "shape": [1], "base64": "AAAA"}, "dtype-error"),
    "a huge shape": (
        {"dtype": "float64", "shape": [2**62, 2**62], "base64": "AAAA"},
        "shape-error",
    ),
    "a negative shape": ({"dtype": "float64", "shape": [-1], "base64": "AAAA"}, "shape-error"),
    "a shape of floats": ({"dtype": "float64", "shape": [0.5], "base64": "AAAA"}, "shape-error"),
    "no text": ({"dtype": "float64", "shape": [0], "base64": 5}, "invalid-input"),
    "one member more": ({"dtype": "float64", "shape": [0], "base64": "", "a": 1}, "invalid-input"),
    "one member less": ({"dtype": "float64", "shape": [0]}, "invalid-input"),
    "booleans": ({"dtype": "bool", "shape": [1], "base64": "AQ=="}, "dtype-error"),
    "NaN": ({"dtype": "float64", "shape": [1], "base64": "AAAAAAAA+H8="}, "non-finite"),
}


@pytest.mark.parametrize("name", BASE64)
def test_arrays_in_base64_are_checked(client: TestClient, name: str) -> None:
    array, slug = BASE64[name]
    response = post(client, "/v1/transform", {"method": "min_max", "input": {"scores": array}})
    assert slug_of(response) == slug
    assert paths_of(response)[0].startswith("input.scores")
