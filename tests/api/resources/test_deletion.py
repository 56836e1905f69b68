"""Deleted versions and names: what is refused, and what goes with them."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.problem import read_problem, slug_of
from tests.api.resources.statistics import SOME
from tests.api.samples import MORE_ROWS, NAMES, ROWS, add, create, look, stored


def test_refused_while_an_alias_points_there(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
    client.put(f"{NAMES}/n/aliases/prod", json={"version": 1})
    before = stored(client)
    for path in ("n@1", "n"):
        response = client.delete(f"{NAMES}/{path}")
        assert slug_of(response) == "conflict"
        assert "prod" in str(read_problem(response)["detail"])
    assert stored(client) == before
    assert client.delete(f"{NAMES}/n@2").status_code == 204
    client.delete(f"{NAMES}/n/aliases/prod")
    assert client.delete(f"{NAMES}/n").status_code == 204
    assert slug_of(client.get(f"{NAMES}/n")) == "not-found"
    assert slug_of(client.get(f"{NAMES}/n/observations")) == "not-found"


def test_numbers_are_never_used_again(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
    assert client.delete(f"{NAMES}/n@2").status_code == 204
    assert slug_of(client.delete(f"{NAMES}/n@2")) == "not-found"
    assert add(client, "n", {"from": "params"})["version"] == 3
    assert client.delete(f"{NAMES}/n").status_code == 204
    assert create(client, "n", SOME)["version"] == 4
    assert slug_of(client.get(f"{NAMES}/n@1")) == "not-found"


def test_observations_and_keys_go_with_the_name(client: TestClient) -> None:
    for rows in (ROWS, MORE_ROWS):
        create(client, "n", {"method": "whitening"})
        answer = client.post(
            f"{NAMES}/n/observations",
            json={"fit": {"x": rows}},
            headers={"idempotency-key": "k"},
        )
        assert answer.json()["counted"] is True
        assert client.delete(f"{NAMES}/n").status_code == 204


def test_the_first_request_after_its_version_was_deleted(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
    client.delete(f"{NAMES}/n@1")
    assert slug_of(client.post(NAMES, json={"name": "n", **SOME})) == "conflict"


def test_the_last_version_leaves_an_open_name(client: TestClient) -> None:
    create(client, "n", SOME)
    assert client.delete(f"{NAMES}/n@1").status_code == 204
    assert look(client, "/n")["version"] is None
    assert client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}).is_success
    assert add(client, "n", {"from": "observations"})["version"] == 2


def test_files_that_no_version_needs_are_removed(client: TestClient) -> None:
    create(client, "n", SOME)
    create(client, "m", SOME)
    folder = client.app.state.context.settings.data / "versions"  # type: ignore[attr-defined]
    client.delete(f"{NAMES}/n")
    assert len(list(folder.rglob("*.safetensors"))) == 1
    assert look(client, "/m/statistics")
    client.delete(f"{NAMES}/m")
    assert list(folder.rglob("*.safetensors")) == []
