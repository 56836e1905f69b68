"""Many lists, and long axes without a value: few bytes that would take much time and memory."""

from __future__ import annotations

import json
from importlib import import_module

import pyarrow as pa
import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import read_problem
from tests.api.samples import ARROW, JSON, NPY, SAFETENSORS, post
from tests.api.streams import stream

PATH = "/v1/transform"
SERIES = {"method": "rolling_z_score", "params": {"window": 5}}
LONG = 60_000_000
LISTS = 100_001
STEPS = 1_000_001


def _base64(*shape: int) -> bytes:
    x = {"dtype": "float64", "shape": shape, "base64": ""}
    return json.dumps({**SERIES, "input": {"x": x}}).encode()


def _npy(*shape: int) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


def _tensor(*shape: int) -> bytes:
    entries = {
        "__metadata__": {"json": json.dumps({"method": "min_max"})},
        "input.scores": {"dtype": "F64", "shape": shape, "data_offsets": [0, 0]},
    }
    header = json.dumps(entries).encode()
    return len(header).to_bytes(8, "little") + header


def _column(kind: pa.DataType, rows: int) -> bytes:
    """Return a column of lists, or of lists of lists, that are all empty."""
    buffers, child = pa.FixedSizeListArray.from_buffers, pa.array([], pa.float64())
    if pa.types.is_fixed_size_list(kind.value_type):
        child = buffers(kind.value_type, rows * kind.list_size, [None], children=[child])
    scores = buffers(kind, rows, [None], children=[child])
    return stream({"scores": scores}, {"method": "min_max"})


EMPTY = pa.list_(pa.float64(), 0)
VALUES = {
    "base64": (JSON, _base64(1, LONG, 0)),
    "base64, first axis": (JSON, _base64(LONG, 1, 0)),
    "base64, last axis": (JSON, _base64(0, 1, LONG)),
    "npy": (NPY, _npy(LONG, 0)),
    "npy, turned": (NPY, _npy(0, LONG)),
    "safetensors": (SAFETENSORS, _tensor(LONG, 0)),
    "arrow": (ARROW, _column(EMPTY, LONG)),
    "arrow, second axis": (ARROW, _column(pa.list_(EMPTY, LONG), 1)),
}
COUNTED = {
    "base64": (JSON, _base64(1, STEPS, 0), "MAX_ROWS"),
    "json": (
        JSON,
        b'{"method":"min_max","input":{"scores":[' + b"[]," * (LISTS - 1) + b"[]]}}",
        "MAX_LISTS",
    ),
    "json, some full": (
        JSON,
        b'{"method":"min_max","input":{"scores":[[1]' + b",[]" * (LISTS - 1) + b"]}}",
        "MAX_LISTS",
    ),
    "json, beside offsets": (
        JSON,
        b'{"method":"min_max","input":{"scores":[],"offsets":[' + b"0," * LISTS + b"0]}}",
        "MAX_LISTS",
    ),
    "records": (
        JSON,
        b'{"method":"rrf","input":{"runs":[' + b"{}," * (LISTS - 1) + b"{}]}}",
        "MAX_LISTS",
    ),
    "npy": (NPY, _npy(LISTS, 0), "MAX_LISTS"),
    "safetensors": (SAFETENSORS, _tensor(LISTS, 0), "MAX_LISTS"),
    "arrow": (ARROW, _column(EMPTY, LISTS), "MAX_LISTS"),
}


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test fail in which a field is read."""
    monkeypatch.delattr(import_module("normalizers.validation.validate"), "_admit_one")


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("form", VALUES)
def test_an_axis_without_values_counts(client: TestClient, form: str) -> None:
    media_type, body = VALUES[form]
    problem = read_problem(post(client, f"{PATH}{_query(media_type)}", body, media_type=media_type))
    assert (problem["status"], problem["setting"]) == (413, "NORMD_MAX_VALUES")


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("form", COUNTED)
def test_lists_are_counted_before_they_are_read(client: TestClient, form: str) -> None:
    media_type, body, setting = COUNTED[form]
    problem = read_problem(post(client, f"{PATH}{_query(media_type)}", body, media_type=media_type))
    assert (problem["status"], problem["setting"]) == (413, f"NORMD_{setting}")


def test_a_hundred_thousand_lists_are_answered(client: TestClient) -> None:
    body = b'{"method":"min_max","input":{"scores":[[1,2]' + b",[]" * (LISTS - 2) + b"]}}"
    answer = post(client, PATH, body)
    assert answer.status_code == 200
    values = json.loads(answer.content)["output"]["values"]
    assert (values[0], len(values)) == ([0.0, 1.0], LISTS - 1)


def test_the_values_of_all_streams_are_counted_together(serve: Serve) -> None:
    own = serve(max_values=1000)
    body = stream({"fit.x": [0.0] * 600}, {"method": "whitening"}) + stream({"x": [0.0] * 600})
    problem = read_problem(post(own, PATH, body, media_type=ARROW))
    assert (problem["limit"], problem["setting"]) == (1000, "NORMD_MAX_VALUES")


def _query(media_type: str) -> str:
    return "?method=min_max" if media_type == NPY else ""
