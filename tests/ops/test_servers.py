"""A service whose registry is in PostgreSQL and a bucket: what it promises when they fail."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.problem import read_problem, slug_of
from tests.api.samples import MORE_ROWS, NAMES, ROWS, WHITENING, create
from tests.cli.conftest import Run
from tests.cli.conftest import run as run
from tests.ops.server import PATIENCE_SECONDS, Server, client_of
from tests.stores import Postgresql, Servers, postgresql


@pytest.fixture
def settings(servers: Servers, tmp_path: Path) -> Settings:
    return servers.settings(tmp_path / "data", busy_timeout_seconds=1.0)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        create(client, "n", WHITENING)
        yield client


def files_of(client: TestClient):  # type: ignore[no-untyped-def]
    return client.app.state.context.registry._files  # type: ignore[attr-defined]


def test_any_text_is_kept_as_it_came(client: TestClient) -> None:
    told = {"description": "a\x00b \U0001f600 é", "tags": ["\x00", "ü"]}
    create(client, "texts", {"method": "min_max", **told})
    shown = client.get(f"{NAMES}/texts").json()
    assert {key: shown[key] for key in told} == told


def test_observations_versions_and_aliases(client: TestClient) -> None:
    for _ in range(20):
        assert client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}).is_success
    made = client.post(f"{NAMES}/n/versions", json={"from": "observations"}).json()
    assert (made["version"], made["n"]) == (2, 20 * len(ROWS))
    assert client.put(f"{NAMES}/n/aliases/prod", json={"version": 2}).is_success
    answer = client.post(f"{NAMES}/n@prod/transform", json={"input": {"x": ROWS}}).json()
    assert answer["hash"] == made["hash"]
    exported = client.get(f"{NAMES}/n@prod/export").content
    assert hashlib.sha256(exported).hexdigest() == made["hash"]


def test_a_version_file_that_changed_or_went_is_refused_by_name(
    client: TestClient, settings: Settings, run: Run, servers: Servers,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    import obstore

    from app.registry.files import place_of

    hash = client.get(f"{NAMES}/n").json()["hash"]
    for name, value in servers.environment.items():
        monkeypatch.setenv(name, value)
    assert run("verify").code == 0
    content = bytearray(files_of(client).read(hash))
    content[len(content) // 2] ^= 1
    for damaged in (bytes(content), bytes(content[:100])):
        obstore.put(files_of(client)._store, place_of(hash), damaged)
        with TestClient(create_app(settings), raise_server_exceptions=False) as again:
            for answer in (again.get(f"{NAMES}/n@1/export"), _transform(again)):
                assert slug_of(answer) == "damaged-version"
                assert "n@1" in str(read_problem(answer)["detail"])
        found = run("verify")
        assert (found.code, "n@1" in found.text + found.err) == (3, True)
    assert run("backup", "copy").code == 2


def test_a_bucket_that_is_away_takes_no_writes(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.registry.bucket_files import BucketFiles

    with monkeypatch.context() as away:
        away.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        lost = BucketFiles("s3://bucket/lost", timeout_seconds=1)
    files = files_of(client)
    kept, files._store = files._store, lost._store
    for verb, path, body in (
        ("POST", NAMES, {"name": "new", **WHITENING}),
        ("POST", f"{NAMES}/n/versions", {"from": "fit", "fit": {"x": MORE_ROWS}}),
    ):
        assert slug_of(client.request(verb, path, json=body)) == "unavailable"
    assert client.get("/readyz").status_code == 503
    files._store = kept
    assert client.get("/readyz").status_code == 200
    create(client, "new", WHITENING)


def test_a_database_that_goes_and_comes_back(tmp_path: Path, bucket: str) -> None:
    """What was acknowledged is there; what was not says so; the service goes on by itself."""
    with ExitStack() as stack:
        server: Postgresql = stack.enter_context(postgresql())
        settings = Settings(
            data=tmp_path / "data",
            database=server.place(),  # type: ignore[arg-type]
            blobs=f"{bucket}/back",
            busy_timeout_seconds=1.0,
        )
        client = stack.enter_context(
            TestClient(create_app(settings), raise_server_exceptions=False)
        )
        create(client, "n", WHITENING)
        server.stop()
        for answer in (
            client.post(NAMES, json={"name": "new", "method": "min_max"}),
            client.get(NAMES),
            client.get("/readyz"),
        ):
            assert slug_of(answer) == "unavailable"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := _transform(client)).is_success:  # Known for less than a second.
            assert time.monotonic() < deadline
        assert slug_of(answer) == "unavailable"
        assert client.get("/livez").status_code == 200
        server.start()
        assert client.get("/readyz").status_code == 200
        assert _transform(client).is_success
        create(client, "new", WHITENING)


def _transform(client: TestClient) -> httpx.Response:
    return client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}})


def test_two_services_share_what_they_know(servers: Servers, tmp_path: Path) -> None:
    where = {"database": servers.database, "blobs": servers.blobs}
    with ExitStack() as stack:
        both = [Server(tmp_path / name, **where) for name in ("one", "two")]
        for server in both:
            stack.callback(server.stop)
            server.start()
        one, two = [stack.enter_context(client_of(server)) for server in both]
        made = one.post(NAMES, json={"name": "n", **WHITENING}).raise_for_status().json()
        assert two.get(f"{NAMES}/n").json()["hash"] == made["hash"]
        assert two.put(f"{NAMES}/n/aliases/prod", json={"version": 1}).is_success
        assert _hash(one) == made["hash"]
        newer = {"from": "fit", "fit": {"x": MORE_ROWS}}
        second = two.post(f"{NAMES}/n/versions", json=newer).raise_for_status().json()
        moved = time.monotonic()
        assert two.put(f"{NAMES}/n/aliases/prod", json={"version": 2}).is_success
        while _hash(one) != second["hash"]:
            assert time.monotonic() - moved < PATIENCE_SECONDS


def _hash(client: httpx.Client) -> str:
    answer = client.post(f"{NAMES}/n@prod/transform", json={"input": {"x": ROWS}})
    hash: str = answer.raise_for_status().json()["hash"]
    return hash
