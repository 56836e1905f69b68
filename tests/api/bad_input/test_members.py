"""Queries, headers, descriptions and tags that are refused."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.problem import MARKER, paths_of, slug_of
from tests.api.samples import NAMES, ROWS, post


def test_queries(client: TestClient) -> None:
    for query in ("limit=0", "limit=-1", "limit=x", "limit=1.5", f"cursor={'x' * 300}"):
        assert slug_of(client.get(f"{NAMES}?{query}")) == "invalid-input"
    for cursor in ("x", "-1", "1.5", "9" * 100, "٣", " 1"):
        response = client.get(f"{NAMES}/white/versions", params={"cursor": cursor})
        assert slug_of(response) == "invalid-input"
    assert slug_of(post(client, f"{NAMES}?dry_run={MARKER}", {"name": "n"})) == "invalid-input"


def test_headers(client: TestClient) -> None:
    body = {"from": "fit", "fit": {"x": ROWS}}
    for key in ("", "a b", "x" * 256, "é".encode(), "a\tb"):
        response = client.post(
            f"{NAMES}/white/versions", json=body, headers={"idempotency-key": key}
        )
        assert slug_of(response) == "invalid-input"
        response = client.post(
            f"{NAMES}/white/observations",
            json={"fit": {"x": ROWS}},
            headers={"idempotency-key": key},
        )
        assert paths_of(response) == ["Idempotency-Key"]
    response = client.put(
        f"{NAMES}/white/aliases/prod", json={"version": 1}, headers={"if-none-match": '"abc"'}
    )
    assert paths_of(response) == ["If-None-Match"]


def test_descriptions_and_tags_that_are_too_long(client: TestClient) -> None:
    for member, value in (
        ("description", "x" * 10_001),
        ("description", 5),
        ("tags", ["a"] * 101),
        ("tags", "a"),
        ("tags", [5]),
        ("tags", ["x" * 201]),
        ("tags", [None]),
    ):
        response = post(client, NAMES, {"name": "new", "method": "min_max", member: value})
        assert slug_of(response) == "invalid-input"
        assert paths_of(response)[0].split("[")[0] == member
