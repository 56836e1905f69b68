"""Files of npy that are cut, lie, or hold what is no number."""

from __future__ import annotations

import io

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.conftest import Serve
from tests.api.problem import MARKER, read_problem
from tests.api.samples import NPY, post
from tests.api.streams import npy

PATH = "/v1/transform?method=min_max"
WHOLE = npy([1.0, 2.0])
HEADER = len(WHOLE) - 16


def _file(header: str, content: bytes = b"\0" * 16) -> bytes:
    raw = header.encode()
    return b"\x93NUMPY\x01\x00" + len(raw).to_bytes(2, "little") + raw + content


def _shaped(shape: str, descr: str = "'<f8'", order: str = "False") -> bytes:
    return _file(f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}")


def _objects() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array([{"a": MARKER}], dtype=object), allow_pickle=True)
    return file.getvalue()


LIES = {
    "nothing": (b"", 400),
    "another magic": (b"PK\x03\x04" + WHOLE, 400),
    "version 4": (WHOLE[:6] + b"\x04" + WHOLE[7:], 400),
    "cut in the magic": (WHOLE[:4], 400),
    "cut in the header": (WHOLE[:50], 400),
    "cut in the array": (WHOLE[:-1], 400),
    "no array": (WHOLE[:HEADER], 400),
    "bytes left over": (WHOLE + b"x", 400),
    "two files": (WHOLE + WHOLE, 400),
    "a header beyond the body": (WHOLE[:8] + b"\xff\xff" + WHOLE[10:], 400),
    "a header of code": (_file("__import__('os').abort()"), 400),
    "a deep header": (_file("(" * 5000), 400),
    "a long header": (_file(" " * 20_000), 400),
    "a header of a list": (_file("[]"), 400),
    "another member": (_file("{'descr': '<f8', 'shape': (2,)}"), 400),
    "an order that is a number": (_shaped("(2,)", order="1"), 400),
    "a huge shape": (_shaped("(2**62,)"), 400),
    "a shape that wraps around": (_shaped("(2305843009213693952, 8)"), 413),
    "a huge empty shape": (_shaped("(0, 4611686018427387904)").removesuffix(b"\0" * 16), 413),
    "a negative shape": (_shaped("(-2,)"), 422),
    "a shape of booleans": (_shaped("(True, 2)"), 422),
    "a shape that is a number": (_shaped("2"), 422),
    "100 dimensions": (_shaped("(1,) * 100"), 400),
    "too many axes": (_shaped(f"({'1,' * 99}2)"), 422),
    "objects": (_objects(), 422),
    "a structure": (npy([(1, 2.0)], dtype="i4,f8"), 422),
    "text": (npy([MARKER]), 422),
    "complex": (npy([1j]), 422),
    "dates": (npy(["2020-01-01"], dtype="datetime64[D]"), 422),
    "an unknown type": (_shaped("(2,)", "'<f3'"), 422),
    "a type that is a number": (_shaped("(2,)", "8"), 422),
    "booleans for numbers": (npy([True, False]), 422),
    "a bool of 2": (_shaped("(16,)", "'|b1'").replace(b"\0" * 16, b"\x02" * 16), 422),
    "no axes": (npy(1.0), 422),
    "infinity": (npy([1.0, np.inf]), 422),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_file_that_lies(client: TestClient, lie: str) -> None:
    content, status = LIES[lie]
    assert read_problem(post(client, PATH, content, media_type=NPY))["status"] == status


def test_what_is_wrong_is_said(client: TestClient) -> None:
    for content, words in (
        (WHOLE[:-1], "cut short: the array takes 16 bytes, 15 follow"),
        (WHOLE + b"x", "longer than its array"),
        (_objects(), "the array holds objects; dtype must be one of"),
        (npy([(1, 2.0)], dtype="i4,f8"), "a structure"),
        (npy([1j]), "'<c16'"),
    ):
        detail = read_problem(post(client, PATH, content, media_type=NPY))["detail"]
        assert words in str(detail)


def test_more_values_than_allowed(serve: Serve) -> None:
    own = serve(max_values=1000)
    problem = read_problem(post(own, PATH, npy(np.zeros(1001)), media_type=NPY))
    assert (problem["limit"], problem["setting"]) == (1000, "NORMD_MAX_VALUES")
