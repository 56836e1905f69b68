"""What a service survives: bombs, floods, jumps of the clock, lost folders, SIGTERM."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx2 as httpx
import pytest
import zstandard
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.problem import slug_of
from tests.api.samples import MORE_ROWS, NAMES, ROWS, WHITENING, create
from tests.ops.server import PATIENCE_SECONDS, Server, client_of, serving
from tests.ops.test_overload import HEAD, MIB, SMALL, _connect, _is_alive, _memory

GIB = 1024 * MIB
CONNECTIONS = 1000
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("faults") / "data"
    with serving(folder, max_connections=CONNECTIONS + 20) as started:
        yield started


def _zeros(size: int) -> Iterator[bytes]:
    for _ in range(size // MIB):
        yield bytes(MIB)


def _gzip_bomb() -> bytes:
    """Return a gigabyte in a megabyte: a member of zeros again and again."""
    return gzip.compress(bytes(64 * MIB), 9) * (GIB // (64 * MIB))


def _zstd_bomb() -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    return b"".join([*map(packer.compress, _zeros(GIB)), packer.flush()])


@pytest.mark.parametrize("coding, bomb", [("gzip", _gzip_bomb), ("zstd", _zstd_bomb)])
def test_a_bomb_is_put_out_before_it_is_held(server: Server, coding: str, bomb) -> None:  # type: ignore[no-untyped-def]
    before = _memory(server)
    answer = httpx.post(
        f"{server.url}/v1/transform",
        content=bomb(),
        headers={**JSON, "content-encoding": coding},
        timeout=PATIENCE_SECONDS,
    )
    assert (answer.status_code, slug_of(answer)) == (413, "too-large")
    assert _memory(server) - before < 200 * MIB


def test_bodies_that_are_announced_with_a_gigabyte_are_refused_unread(server: Server) -> None:
    before = _memory(server)
    with ExitStack() as stack:
        held = [stack.enter_context(closing(_connect(server))) for _ in range(50)]
        for connection in held:
            connection.sendall(HEAD + b"content-length: %d\r\n\r\n{" % GIB)
        for connection in held:
            assert connection.recv(65536).startswith(b"HTTP/1.1 413")
    assert _memory(server) - before < 50 * MIB


def test_a_thousand_connections_leave_room_for_one_that_asks(server: Server) -> None:
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 2 * CONNECTIONS:
        pytest.skip("this machine allows too few open files")
    with ExitStack() as stack:
        held = [stack.enter_context(closing(_connect(server))) for _ in range(CONNECTIONS)]
        for connection in held:
            connection.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\n\r\n")
        assert _is_alive(server)
        for connection in held:
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    assert _is_alive(server)


def test_an_aborted_upload_gives_its_place_back(server: Server) -> None:
    for _ in range(50):
        with closing(_connect(server)) as connection:
            connection.sendall(HEAD + b"content-length: 1000000\r\n\r\n" + b" " * 1000)
            linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    with client_of(server) as client:
        answer = client.post("/v1/transform", content=SMALL, headers=JSON)
        assert answer.is_success
        deadline = time.monotonic() + PATIENCE_SECONDS
        while b"normd_requests_in_work 0.0" not in client.get("/metrics").content:
            assert time.monotonic() < deadline


@pytest.mark.parametrize("workers", [1, 2])
def test_sigterm_under_load_fails_no_request(tmp_path: Path, workers: int) -> None:
    """Clients connect anew for each request, until an answer or a probe says to go elsewhere."""
    ended, begun = threading.Event(), threading.Barrier(5)

    def send(url: str) -> None:
        sent = 0
        with httpx.Client(base_url=url, timeout=PATIENCE_SECONDS) as client:
            while not ended.is_set():
                answer = client.post(
                    "/v1/transform", content=SMALL, headers={**JSON, "connection": "close"}
                )
                assert answer.status_code == 200, answer.text
                sent += 1
                if sent == 5:
                    begun.wait(PATIENCE_SECONDS)

    def watch(url: str) -> None:
        with httpx.Client(base_url=url, timeout=PATIENCE_SECONDS) as client:
            while client.get("/readyz", headers={"connection": "close"}).status_code == 200:
                time.sleep(0.05)
        ended.set()

    with serving(tmp_path / "data", workers, drain_seconds=2) as server, ThreadPoolExecutor(5) as p:
        running = [p.submit(send, server.url) for _ in range(4)]
        watching = p.submit(watch, server.url)
        begun.wait(PATIENCE_SECONDS)
        os.kill(server.pid, signal.SIGTERM)
        watching.result()
        for future in running:
            future.result()
        assert server.wait() in {0, -signal.SIGTERM}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    app = create_app(Settings(data=tmp_path / "data", busy_timeout_seconds=0.2))
    with TestClient(app, raise_server_exceptions=False) as client:
        create(client, "n", WHITENING)
        yield client


def _writes(client: TestClient) -> list[httpx.Response]:
    return [
        client.post(NAMES, json={"name": "new", **WHITENING}),
        client.post(f"{NAMES}/n/versions", json={"from": "fit", "fit": {"x": MORE_ROWS}}),
        client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}),
        client.put(f"{NAMES}/n/aliases/prod", json={"version": 1}),
        client.delete(f"{NAMES}/n@1"),
    ]


@pytest.mark.parametrize("what", ["folder removed", "folder replaced", "database", "removed"])
def test_what_is_no_longer_the_registry_takes_no_writes(
    client: TestClient, tmp_path: Path, what: str
) -> None:
    """An open connection would go on with the removed file, and what it writes is lost."""
    data, other = tmp_path / "data", tmp_path / "other"
    with TestClient(create_app(Settings(data=other))) as another:
        create(another, "n", WHITENING)
    if what.startswith("folder"):
        shutil.rmtree(data)
        if what == "folder replaced":
            shutil.copytree(other, data)
    else:
        (data / "registry.db").unlink()
        if what == "database":
            shutil.copy(other / "registry.db", data / "registry.db")
    for answer in _writes(client):
        assert slug_of(answer) == "unavailable"
    ready = client.get("/readyz")
    assert (ready.status_code, slug_of(ready)) == (503, "unavailable")
    assert client.get("/livez").status_code == 200


def test_version_files_that_are_removed_are_named_and_others_are_written(
    client: TestClient, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "data" / "versions")
    made = client.post(f"{NAMES}/n/versions", json={"from": "fit", "fit": {"x": MORE_ROWS}})
    assert made.status_code == 201
    assert client.get(f"{NAMES}/n@2/export").is_success
    lost = client.get(f"{NAMES}/n@1/export")
    assert slug_of(lost) == "damaged-version"
    assert "n@1" in lost.text


@pytest.mark.parametrize("clock", ["1999-01-01T00:00:00+00:00", "2099-01-01T00:00:00+00:00"])
def test_a_clock_that_jumps_changes_no_order(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, clock: str
) -> None:
    for module in ("aliases", "idempotency", "names", "observations", "rows", "tidying"):
        monkeypatch.setattr(f"app.registry.{module}.now", lambda: clock)
    key = {"idempotency-key": "once"}
    body = {"from": "fit", "fit": {"x": MORE_ROWS}}
    made = client.post(f"{NAMES}/n/versions", json=body, headers=key).json()
    assert made["version"] == 2
    assert client.get(f"{NAMES}/n").json()["version"] == 2
    monkeypatch.undo()
    client.app.state.context.registry.tidy()  # type: ignore[attr-defined]
    assert client.post(f"{NAMES}/n/versions", json=body, headers=key).json()["version"] == 2
    listed = client.get(f"{NAMES}/n/versions").json()["items"]
    assert [item["version"] for item in listed] == [1, 2]
    assert client.get(f"{NAMES}/n@2/export").is_success
