"""Integers that float64 does not hold, in every form a body has: refused by their place."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from fastapi.testclient import TestClient
from safetensors.numpy import save

from tests.api.asking import ask
from tests.api.problem import paths_of
from tests.api.samples import ARROW, JSON, NPY, SAFETENSORS
from tests.api.streams import npy, stream

PLACE = "/v1/transform?method=min_max"
LOST = [2**53, 2**53 + 1, 2**53 + 2]
HELD = [2**60, 2**60 + 2**9, 2**60 + 2**10]
TREE = {"method": "min_max"}


def bodies(numbers: list[int]) -> dict[str, tuple[str, str, bytes]]:
    """Return a path, a type and a body for each form."""
    whole, holed = pa.array(numbers), pa.array([*numbers, None])
    coded = pa.array(range(3)).cast(pa.int8())
    columns = {
        "arrow": whole,
        "arrow with null": holed,
        "dictionary": pa.DictionaryArray.from_arrays(coded, whole),
        "dictionary with null": pa.DictionaryArray.from_arrays(
            pa.array([0, 1, 2, None], pa.int8()), whole
        ),
    }
    tree = {**TREE, "params": {"nan_policy": "propagate"}}
    arrow = {
        name: ("/v1/transform", ARROW, stream({"input.scores": column}, tree))
        for name, column in columns.items()
    }
    array = np.array(numbers)
    member = {"input.scores": array}
    return arrow | {
        "npy": (PLACE, NPY, npy(array)),
        "safetensors": (
            "/v1/transform", SAFETENSORS, save(member, metadata={"json": '{"method": "min_max"}'})
        ),
    }  # fmt: skip


@pytest.mark.parametrize("form", bodies(LOST))
def test_r5_arrays_of_integers_that_float64_does_not_hold_are_refused(
    client: TestClient, form: str
) -> None:
    path, kind, body = bodies(LOST)[form]
    response = client.post(path, content=body, headers={"content-type": kind, "accept": JSON})
    (where,) = paths_of(response)
    assert "does not hold the integer" in response.text
    assert where.endswith("[1]")


@pytest.mark.parametrize("form", bodies(HELD))
def test_r5_arrays_of_integers_that_float64_holds_pass(client: TestClient, form: str) -> None:
    path, kind, body = bodies(HELD)[form]
    response = client.post(path, content=body, headers={"content-type": kind, "accept": JSON})
    assert response.status_code == 200, response.text
    assert response.json()["output"]["values"][:3] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("padding", [0, 2_000])
def test_r5_integers_of_json_are_looked_at_in_short_and_long_bodies(
    client: TestClient, padding: int
) -> None:
    body = {**TREE, "input": {"scores": [*LOST, *[2**53] * padding]}}
    response = client.post("/v1/transform", json=body)
    assert paths_of(response) == ["input.scores[1]"]
    held = {**TREE, "input": {"scores": [*HELD, *[2**60] * padding]}}
    assert ask(client, held)["output"]["values"][:3] == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("padding", [0, 2_000])
def test_r5_integers_of_runs_are_looked_at(client: TestClient, padding: int) -> None:
    count = padding + len(LOST)
    run = {"ids": [str(place) for place in range(count)], "scores": [*LOST, *[1] * padding]}
    body = {"method": "combsum", "input": {"runs": [run, run]}}
    response = client.post("/v1/transform", json=body)
    assert "does not hold the integer" in response.text
    assert paths_of(response)[0] == "input.runs[0].scores[1]"


def test_r5_floats_beyond_pass_as_they_are_written(client: TestClient) -> None:
    text = b'{"method": "min_max", "input": {"scores": [9007199254740993.0, 0, 1e300]}}'
    response = client.post("/v1/transform", content=text, headers={"content-type": JSON})
    assert response.status_code == 200, response.text


def test_r5_scores_of_trec_lines_that_float64_does_not_hold_are_refused(client: TestClient) -> None:
    lines = "q1 Q0 a 1 {} bm25\nq1 Q0 b 2 1.5 bm25\n"
    for written, status in ((2**53 + 1, 400), (2**60, 200), ("9007199254740993.0", 200)):
        response = client.post(
            "/v1/fuse?method=combsum",
            content=lines.format(written).encode(),
            headers={"content-type": "text/plain", "accept": JSON},
        )
        assert response.status_code == status, response.text
        if status == 400:
            assert "run 'bm25', line 1: float64 does not hold the integer here" in response.text
