"""Keys: who may do what, with every route and every scope."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from app.access.key_file import KeyFile
from app.access.scopes import SCOPES, needed_scope
from app.main import create_app
from app.settings import Settings
from tests.api.conftest import Serve
from tests.api.problem import slug_of
from tests.api.samples import NAMES, PERCENTILE, create

OPEN = {"/", "/livez", "/readyz", "/problems", "/problems/{slug}"}
CREATED = "2026-01-01T00:00:00+00:00"


@pytest.fixture
def keys(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "data" / "keys.json")


def _bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def _operations() -> Iterator[tuple[str, str]]:
    for route in create_app(Settings()).routes:
        if isinstance(route, APIRoute):
            yield from ((verb, route.path) for verb in sorted(route.methods))


OPERATIONS = sorted(_operations())


def test_without_a_file_of_keys_nobody_needs_one(client: TestClient) -> None:
    assert client.get(NAMES).status_code == 200


@pytest.mark.parametrize("scope", SCOPES)
def test_every_route_lets_in_its_scope_alone(scope: str, serve: Serve, keys: KeyFile) -> None:
    secret = keys.add("one", [scope], CREATED)
    client = serve()
    for verb, path in OPERATIONS:
        place = path.replace("{ref}", "n").replace("{name}", "n").replace("{slug}", "x")
        answer = client.request(verb, place, headers=_bearer(secret))
        needed = needed_scope(verb, place)
        let_in = needed in {None, scope}
        assert (answer.status_code == 403) is not let_in, (verb, path, answer.text)
        assert answer.status_code != 401


def test_only_routes_that_tell_nothing_stored_are_open(serve: Serve, keys: KeyFile) -> None:
    keys.add("one", ["transform"], CREATED)
    client = serve()
    for verb, path in OPERATIONS:
        place = path.replace("{ref}", "n").replace("{name}", "n").replace("{slug}", "x")
        answer = client.request(verb, place)
        assert (answer.status_code == 401) is (path not in OPEN), (verb, path)
    assert slug_of(client.get(NAMES)) == "unauthorized"
    assert client.get(NAMES).headers["WWW-Authenticate"] == 'Bearer realm="normd"'


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic dXNlcjpwYXNz"},
        {"Authorization": "Bearer"},
        {"X-API-Key": ""},
        {"X-API-Key": "x" * 5000},
        {"X-API-Key": "k\xe9y"},
    ],
)
def test_what_is_no_key_is_refused(headers: dict[str, str], serve: Serve, keys: KeyFile) -> None:
    keys.add("one", ["transform"], CREATED)
    sent = {name: value.encode("latin-1") for name, value in headers.items()}
    answer = serve().get(NAMES, headers=sent)  # type: ignore[arg-type]
    assert slug_of(answer) == "unauthorized"


def test_two_keys_in_one_request_are_none(serve: Serve, keys: KeyFile) -> None:
    secret = keys.add("one", ["transform"], CREATED)
    answer = serve().get(NAMES, headers={**_bearer(secret), "X-API-Key": secret})
    assert slug_of(answer) == "unauthorized"


def test_keys_change_without_a_restart(serve: Serve, keys: KeyFile) -> None:
    old = keys.add("old", ["transform"], CREATED)
    client = serve()
    assert client.get(NAMES, headers=_bearer(old)).status_code == 200
    new = keys.add("new", ["transform"], CREATED)
    assert client.get(NAMES, headers=_bearer(new)).status_code == 200
    keys.remove("old")
    assert slug_of(client.get(NAMES, headers=_bearer(old))) == "unauthorized"
    assert client.get(NAMES, headers=_bearer(new)).status_code == 200


def test_a_file_of_keys_that_is_gone_or_broken_lets_nobody_in(serve: Serve, keys: KeyFile) -> None:
    secret = keys.add("one", ["transform"], CREATED)
    client = serve()
    assert client.get(NAMES, headers=_bearer(secret)).status_code == 200
    keys.path.write_text("{")
    assert slug_of(client.get(NAMES, headers=_bearer(secret))) == "unavailable"
    keys.path.unlink()
    assert slug_of(client.get(NAMES, headers=_bearer(secret))) == "unavailable"


def test_the_last_key_removed_opens_nothing(serve: Serve, keys: KeyFile) -> None:
    keys.add("one", ["transform"], CREATED)
    keys.remove("one")
    assert slug_of(serve().get(NAMES)) == "unauthorized"


def test_a_key_that_asks_too_often_waits_and_others_do_not(serve: Serve, keys: KeyFile) -> None:
    hasty, calm = (keys.add(name, ["transform"], CREATED) for name in ("hasty", "calm"))
    client = serve(key_rate="3/hour")
    answers = [client.get(NAMES, headers=_bearer(hasty)) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert slug_of(answers[-1]) == "too-many-requests"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    assert client.get(NAMES, headers=_bearer(calm)).status_code == 200


def test_nothing_of_a_key_is_kept_but_its_digest(keys: KeyFile) -> None:
    secret = keys.add("one", ["transform"], CREATED)
    kept = keys.path.read_text()
    assert secret not in kept
    assert keys.path.stat().st_mode & 0o777 == 0o600
    assert keys.path.with_name("pepper").stat().st_mode & 0o777 == 0o600


def test_a_key_of_another_deployment_is_none(serve: Serve, keys: KeyFile) -> None:
    secret = keys.add("one", ["transform"], CREATED)
    assert slug_of(serve(pepper="another").get(NAMES, headers=_bearer(secret))) == "unauthorized"


def test_who_has_the_data_folder_needs_no_key(tmp_path: Path, keys: KeyFile) -> None:
    from normd.client import Client

    keys.add("one", ["transform"], CREATED)
    with Client.local(Settings(data=tmp_path / "data")) as client:
        assert list(client.names()) == []


def test_the_client_sends_the_key_of_the_environment(
    tmp_path: Path, keys: KeyFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    from normd.client import Client
    from normd.client.errors import Forbidden, Unauthorized
    from normd.client.local import LocalTransport

    secret = keys.add("one", ["transform"], CREATED)
    app = create_app(Settings(data=tmp_path / "data"))
    transport = LocalTransport(app)
    without = Client("http://testserver", transport=transport, key="", retries=0)
    with pytest.raises(Unauthorized, match="normd keys add"):
        list(without.names())
    monkeypatch.setenv("NORMD_KEY", secret)
    with Client("http://testserver", transport=transport) as client:
        assert list(client.names()) == []
        with pytest.raises(Forbidden, match="'admin'"):
            client.delete("n")


def test_a_name_that_was_there_is_served_with_a_key(serve: Serve, keys: KeyFile) -> None:
    create(serve(), "n", PERCENTILE)
    secret = keys.add("one", ["transform"], CREATED)
    body = {"input": {"scores": [1.0]}}
    answer = serve().post(f"{NAMES}/n/transform", json=body, headers=_bearer(secret))
    assert answer.status_code == 200


def test_an_empty_key_beside_a_good_one_is_none(serve: Serve, keys: KeyFile) -> None:
    headers = {**_bearer(keys.add("who", ["transform"], CREATED)), "X-API-Key": ""}
    assert slug_of(serve().get(NAMES, headers=headers)) == "unauthorized"


def test_a_key_that_was_known_is_unknown_once_it_is_removed(keys: KeyFile) -> None:
    secret = keys.add("who", ["transform"], CREATED)
    for _ in range(2):
        found = keys.find(keys.read() or (), secret)
        assert found is not None
        assert found.name == "who"
    keys.remove("who")
    assert keys.find(keys.read() or (), secret) is None
