"""HEAD is answered wherever GET is: the same headers, and no body."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.samples import NAMES, WHITENING, create, post

OF_THE_ANSWER = ("content-type", "content-length", "etag", "content-disposition")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/livez",
        "/readyz",
        "/openapi.json",
        "/v1/methods",
        "/v1/methods/min_max",
        f"{NAMES}/n",
        f"{NAMES}/n/export",
        f"{NAMES}/none",
        "/nowhere",
    ],
)
def test_head_tells_what_get_would(client: TestClient, path: str) -> None:
    create(client, "n", WHITENING)
    headers = {"accept-encoding": "identity"}
    whole, told = client.get(path, headers=headers), client.head(path, headers=headers)
    assert told.status_code == whole.status_code
    assert told.content == b""
    for name in OF_THE_ANSWER:
        if name != "content-length" or whole.is_success:
            assert told.headers.get(name) == whole.headers.get(name)


def test_where_get_is_not_answered_head_is_not(client: TestClient) -> None:
    told = client.head("/v1/transform")
    assert (told.status_code, told.headers["allow"]) == (405, "POST")


def test_allow_lists_it(client: TestClient) -> None:
    assert client.put("/v1/methods").headers["allow"] == "GET, HEAD"
    create(client, "n", WHITENING)
    assert post(client, f"{NAMES}/n", {}).headers["allow"] == "DELETE, GET, HEAD"  # type: ignore[attr-defined]


def test_the_document_does_not_tell_of_it(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert not any("head" in verbs for verbs in paths.values())
