"""Large texts are decoded and encoded in pieces that say what the whole says."""

from __future__ import annotations

import json as standard
import threading

import numpy as np
import pytest

from normalizers.data.json_numbers import ParsedNumbers
from normd.wire.codecs import json, json_values, strict_json, turns

SHAPES = [(1, 1), (7, 3), (1000, 4), (3, 1000), (10, 20, 3), (2500,), (4, 0), (2, 2, 2, 2)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_r50_blocks_are_written_as_the_whole(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...], dtype: str
) -> None:
    array = (np.random.default_rng(3).normal(size=shape) * 100).astype(dtype)
    if dtype.startswith("f") and array.size:
        array[(0,) * array.ndim] = np.nan
    tree = {"output": {"y": array, "steps": [{"loc": array[:1]}]}}
    whole = json.encode(tree)
    monkeypatch.setattr(json_values, "BLOCK_VALUES", 2)
    assert json.encode(tree) == whole


def test_r50_a_large_body_is_read_in_pieces() -> None:
    rows = np.random.default_rng(4).normal(size=(40_000, 2)).round(6)
    for array in (rows, rows.reshape(-1), rows.reshape(-1, 40_000), rows.reshape(-1, 4, 2)):
        body = standard.dumps({"input": {"x": array.tolist()}}).encode()
        found = json.decode(body).tree["input"]["x"]  # type: ignore[index]
        assert isinstance(found, ParsedNumbers)
        np.testing.assert_array_equal(found.array, array)


def test_r50_the_strict_decoder_reads_large_bodies_as_small_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = b'{"a": [1, -0, -0.0, 1e5, 1.5, 9007199254740993, null, true, 1e-400, 1e400]}'
    small = repr(strict_json.parse(body, 8))
    monkeypatch.setattr(strict_json, "LARGE_BYTES", 1)
    assert repr(strict_json.parse(body, 8)) == small


def test_r50_large_bodies_take_turns_and_small_ones_pass() -> None:
    order: list[str] = []

    def wait() -> None:
        with turns.turn(turns.LARGE_BYTES):
            order.append("second")

    with turns.turn(turns.LARGE_BYTES):
        other = threading.Thread(target=wait)
        other.start()
        with turns.turn(10):
            order.append("small")
        order.append("first")
    other.join()
    assert order == ["small", "first", "second"]
