"""The state of a causal method travels with the client, and is untrusted when it comes back."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import pytest
from fastapi.testclient import TestClient

from tests.api.problem import MARKER, paths_of, slug_of
from tests.api.samples import JSON, NAMES, SAFETENSORS, create, post, tensors

METHOD = {"method": "rolling_z_score", "params": {"window": 3, "min_periods": 2}}
SERIES = [1.0, 2.0, 4.0, 3.0, 9.0, 7.0, 7.0, 0.5]


def _ask(client: TestClient, given: Mapping[str, object], **members: object) -> object:
    response = post(client, "/v1/transform", {**METHOD, **members, "input": given})
    assert response.status_code == 200, response.content
    return response.json()["output"]  # type: ignore[attr-defined]


def _state(client: TestClient) -> dict[str, object]:
    output = _ask(client, {"x": SERIES[:4]})
    return dict(output["state"])  # type: ignore[index]


TAMPERED = {
    "another method": {"method": "window_z_score"},
    "a method of a number": {"method": 5},
    "no method": {"method": ...},
    "another binding": {"binding": "0" * 64},
    "a binding of a marker": {"binding": MARKER},
    "no binding": {"binding": ...},
    "a step below 0": {"step": -1},
    "a step of halves": {"step": 1.5},
    "a step in digits": {"step": "4"},
    "a step of true": {"step": True},
    "a step of null": {"step": None},
    "a step of 2**70": {"step": 2**70},
    "a step of 400 digits": {"step": 10**400},
    "no step": {"step": ...},
    "rows of nothing": {"rows": []},
    "rows of null": {"rows": None},
    "rows of text": {"rows": MARKER},
    "too few rows": {"rows": [[[4.0]]]},
    "too many rows": {"rows": [[[1.0]] * 50]},
    "rows of two channels": {"rows": [[[4.0, 1.0], [3.0, 1.0]]]},
    "rows of two windows": {"rows": [[[4.0], [3.0]], [[4.0], [3.0]]]},
    "rows without channels": {"rows": [[4.0, 3.0]]},
    "text in the rows": {"rows": [[[4.0], [MARKER]]]},
    "true in the rows": {"rows": [[[4.0], [True]]]},
    "ragged rows": {"rows": [[[4.0], []]]},
    "rows of an object": {"rows": {"a": MARKER}},
    "a member more": {"extra": MARKER},
}


@pytest.mark.parametrize("name", TAMPERED)
def test_state_that_was_tampered_with(client: TestClient, name: str) -> None:
    state = copy.deepcopy(_state(client))
    for member, value in TAMPERED[name].items():
        if value is ...:
            del state[member]
        else:
            state[member] = value
    create(client, "n", METHOD)
    for path, body in (("/v1/transform", METHOD), (f"{NAMES}/n/transform", {})):
        response = post(client, path, {**body, "input": {"x": [1.0, 2.0], "state": state}})
        assert response.status_code in (409, 422), response.content
        assert paths_of(response)[0].startswith("input.state")
        assert slug_of(response) in ("incompatible-state", "dtype-error", "shape-error") or (
            name == "a step of 400 digits"
        )


@pytest.mark.parametrize("state", [[], MARKER, 5, True, [{}]])
def test_state_that_is_no_object(client: TestClient, state: object) -> None:
    body = {**METHOD, "input": {"x": [1.0], "state": state}}
    assert paths_of(post(client, "/v1/transform", body)) == ["input.state"]


def test_state_of_other_parameters_channels_or_step(client: TestClient) -> None:
    state = _state(client)
    x = {"x": [1.0, 2.0], "state": state}
    for body in (
        {**METHOD, "params": {"window": 4, "min_periods": 2}, "input": x},
        {**METHOD, "input": {"x": [[[1.0, 2.0]]], "state": state}},
        {**METHOD, "input": x, "options": {"start_step": 3}},
        {**METHOD, "input": {"x": [1.0]}, "options": {"start_step": 4}},
        {**METHOD, "input": {"x": [1.0], "state": {}}},
    ):
        assert slug_of(post(client, "/v1/transform", body)) == "incompatible-state"


def test_any_chunking_gives_the_same_bits(client: TestClient) -> None:
    whole = _ask(client, {"x": SERIES})
    create(client, "n", METHOD)
    for size in (1, 2, 3, 5):
        parts: list[object] = []
        given: dict[str, object] = {}
        for start in range(0, len(SERIES), size):
            answer = client.post(
                f"{NAMES}/n/transform",
                json={
                    "input": {**given, "x": SERIES[start : start + size]},
                    "options": {"start_step": start},
                },
            ).json()["output"]
            parts += answer["y"]
            given = {"state": answer["state"]}
        assert parts == whole["y"]  # type: ignore[index]
        assert given["state"] == whole["state"]  # type: ignore[index]


def test_the_same_state_and_chunk_give_the_same_answer(client: TestClient) -> None:
    given = {"x": SERIES[4:6], "state": _state(client)}
    assert _ask(client, given) == _ask(client, given)


def test_state_travels_in_safetensors_too(client: TestClient) -> None:
    state = _state(client)
    rows = state.pop("rows")
    body = tensors(
        {**METHOD, "input": {"state": state}}, input__x=SERIES[4:], input__state__rows=rows
    )
    answer = client.post(
        "/v1/transform", content=body, headers={"content-type": SAFETENSORS, "accept": JSON}
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["output"]["y"] == _ask(client, {"x": SERIES})["y"][4:]  # type: ignore[index]
