"""References to what is not there, and references that are none."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.problem import paths_of, slug_of
from tests.api.samples import NAMES, ROWS


def test_unknown_names_versions_and_aliases(client: TestClient) -> None:
    for ref in ("nothing", "white@2", "white@999999999999999999", "white@canary", "nothing@1"):
        for verb, path, body in (
            ("GET", "", None),
            ("GET", "/statistics", None),
            ("GET", "/fitted", None),
            ("GET", "/report", None),
            ("GET", "/export", None),
            ("POST", "/transform", {"input": {"x": ROWS}}),
            ("POST", "/inverse", {"input": {"y": ROWS}}),
        ):
            response = client.request(verb, f"{NAMES}/{ref}{path}", json=body)
            assert slug_of(response) == "not-found"
    for verb, path, body in (
        ("GET", "nothing/versions", None),
        ("GET", "nothing/aliases", None),
        ("GET", "nothing/observations", None),
        ("DELETE", "nothing", None),
        ("DELETE", "white@2", None),
        ("DELETE", "white/aliases/canary", None),
        ("DELETE", "nothing/observations", None),
        ("PUT", "white/aliases/canary", {"version": 2}),
        ("PUT", "nothing/aliases/canary", {"version": 1}),
        ("POST", "nothing/versions", {"from": "params"}),
        ("POST", "nothing/observations", {"fit": {"x": ROWS}}),
        ("POST", "white/versions", {"from": "merge", "refs": ["white@2"]}),
        ("POST", "white/versions", {"from": "merge", "refs": ["nothing"]}),
        ("POST", "white/versions", {"from": "merge", "refs": ["white@1"], "minus": ["white@2"]}),
    ):
        assert slug_of(client.request(verb, f"{NAMES}/{path}", json=body)) == "not-found"


def test_references_that_are_none(client: TestClient) -> None:
    for ref in ("white@", "white@0", "white@-1", "white@1.5", "white@1e3", "white@01", "@1", "@"):
        assert slug_of(client.get(f"{NAMES}/{ref}")) == "invalid-input"
    assert slug_of(client.get(f"{NAMES}/white@open")) == "invalid-input"
    assert slug_of(client.put(f"{NAMES}/white/aliases/open", json={"version": 1})) == (
        "invalid-input"
    )
    assert slug_of(client.put(f"{NAMES}/white/aliases/7", json={"version": 1})) == "invalid-input"
    assert slug_of(client.delete(f"{NAMES}/white@prod")) == "invalid-input"


def test_versions_of_aliases(client: TestClient) -> None:
    for version in (0, -1, 2**63, 2**53 + 1, 1.5, "1", None, [1], True):
        response = _put_alias(client, version)
        assert slug_of(response) == "invalid-input"
        assert paths_of(response) == ["version"]


def _put_alias(client: TestClient, version: object):  # type: ignore[no-untyped-def]
    return client.put(f"{NAMES}/white/aliases/canary", json={"version": version})
