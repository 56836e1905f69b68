"""Aliases: put, moved, deleted, and only when the version is the one expected."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.resources.statistics import SOME
from tests.api.samples import NAMES, ROWS, add, create, look


def _named(client: TestClient) -> list[str]:
    hashes = [str(create(client, "n", SOME)["hash"])]
    hashes.append(str(add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})["hash"]))
    return hashes


def test_put_get_move_and_delete(client: TestClient) -> None:
    one, two = _named(client)
    path = f"{NAMES}/n/aliases/prod"
    made = client.put(path, json={"version": 1})
    assert (made.status_code, made.headers["etag"]) == (201, f'"{one}"')
    assert look(client, "/n@prod")["version"] == 1
    assert look(client, "/n")["version"] == 2
    moved = client.put(path, json={"version": 2})
    assert (moved.status_code, moved.json()["hash"]) == (200, two)
    answer = client.post(f"{NAMES}/n@prod/transform", json={"input": {"x": ROWS}})
    assert (answer.json()["hash"], answer.headers["etag"]) == (two, f'"{two}"')
    listed = look(client, "/n/aliases")["items"]
    assert [(a["alias"], a["version"], a["hash"]) for a in listed] == [("prod", 2, two)]  # type: ignore[attr-defined]
    assert client.delete(path).status_code == 204
    assert look(client, "/n/aliases") == {"items": []}
    assert slug_of(client.get(f"{NAMES}/n@prod")) == "not-found"


def test_if_match(client: TestClient) -> None:
    one, two = _named(client)
    path = f"{NAMES}/n/aliases/prod"
    none = client.put(path, json={"version": 1}, headers={"if-match": f'"{one}"'})
    assert slug_of(none) == "precondition-failed"
    assert slug_of(client.put(path, json={"version": 1}, headers={"if-match": "*"})) == (
        "precondition-failed"
    )
    client.put(path, json={"version": 1})
    for tag in (f'"{one}"', one, "*"):
        answer = client.put(path, json={"version": 1}, headers={"if-match": tag})
        assert answer.status_code == 200
    assert client.put(path, json={"version": 2}, headers={"if-match": f'"{one}"'}).is_success
    stale = client.put(path, json={"version": 1}, headers={"if-match": f'"{one}"'})
    assert slug_of(stale) == "precondition-failed"
    assert read_problem(stale)["actual"] == two
    assert look(client, "/n@prod")["hash"] == two
    wrong = client.delete(path, headers={"if-match": f'"{one}"'})
    assert slug_of(wrong) == "precondition-failed"
    assert client.delete(path, headers={"if-match": f'"{two}"'}).status_code == 204


def test_if_none_match_only_creates(client: TestClient) -> None:
    _named(client)
    path, sent = f"{NAMES}/n/aliases/prod", {"if-none-match": "*"}
    assert client.put(path, json={"version": 1}, headers=sent).status_code == 201
    again = client.put(path, json={"version": 2}, headers=sent)
    assert slug_of(again) == "precondition-failed"
    assert look(client, "/n@prod")["version"] == 1


def test_an_alias_never_meets_a_version_or_the_open_statistics(client: TestClient) -> None:
    _named(client)
    for alias in ("1", "7up", "open", "-a", "a b", "x" * 129):
        response = client.put(f"{NAMES}/n/aliases/{alias}", json={"version": 1})
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["alias"]
