"""An array in base64 where a list, a number, a text or an object belongs is data, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import cycle

import pytest
from fastapi.testclient import TestClient

from normalizers.catalogue.catalogue import CATALOGUE
from tests.api.problem import paths_of, read_problem
from tests.api.samples import post

ONE = {"dtype": "float64", "shape": [1], "base64": "AAAAAAAA8D8="}
ARRAYS = (
    ONE,
    {"dtype": "float64", "shape": [], "base64": "AAAAAAAA8D8="},
    {"dtype": "uint8", "shape": [2], "base64": "AAE="},
    {"dtype": "float64", "shape": [0], "base64": ""},
    {"dtype": "bool", "shape": [1, 1], "base64": "AQ=="},
)
Place = tuple[str | int, ...]


def _places(node: object, keys: Place) -> Iterator[Place]:
    """Yield the place of everything in `node`, of lists the first and last element."""
    yield keys
    if isinstance(node, Mapping):
        for name, child in node.items():
            yield from _places(child, (*keys, name))
    elif isinstance(node, list):
        for index in sorted({0, len(node) - 1} if node else ()):
            yield from _places(node[index], (*keys, index))


def _with(body: Mapping[str, object], place: Place, value: object) -> dict[str, object]:
    changed = deepcopy(dict(body))
    node: object = changed
    for key in place[:-1]:
        node = node[key]  # type: ignore[index]
    node[place[-1]] = value  # type: ignore[index]
    return changed


@pytest.mark.parametrize("name", CATALOGUE)
def test_r40_an_array_anywhere_in_the_data_is_read_or_refused(
    client: TestClient, name: str
) -> None:
    example = CATALOGUE[name].example
    fit = {"fit": dict(example.fit)} if example.fit else {}
    body = {
        "method": name,
        "params": dict(example.params),
        **fit,
        "input": dict(example.input or {}),
    }
    arrays = cycle(ARRAYS)
    for member in (*fit, "input"):
        for place in _places(body[member], (member,)):
            response = post(client, "/v1/transform", _with(body, place, next(arrays)))
            if response.status_code != 200:
                read_problem(response)
                assert response.status_code in (409, 413, 415, 422), (place, response.text)


FIELDS = {
    "ids": {"ids": [ONE, "a"], "scores": [1.0, 2.0]},
    "scores": {"ids": ["a", "b"], "scores": [ONE, 2.0]},
}


@pytest.mark.parametrize("name", FIELDS)
def test_r40_an_array_before_other_elements_is_refused_by_its_place(
    client: TestClient, name: str
) -> None:
    response = post(client, "/v1/fuse", {"method": "rrf", "runs": [FIELDS[name]]})
    read_problem(response)
    assert response.status_code == 422
    assert paths_of(response)[0].startswith(f"runs[0].{name}")


def test_r40_arrays_in_queries_are_refused(client: TestClient) -> None:
    runs = [{"name": ONE, "ids": ["a"], "scores": [1.0]}]
    for body in (
        {"queries": [{"id": "q", "runs": runs}]},
        {"queries": [{"id": ONE, "runs": []}]},
        {"queries": [ONE]},
        {"queries": [], "on_error": ARRAYS[2]},
    ):
        response = post(client, "/v1/fuse", {"method": "rrf", **body})
        read_problem(response)
        assert response.status_code == 422
