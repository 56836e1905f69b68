"""What no client may do: hold memory, a connection or a place for as long as it likes."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import httpx2 as httpx
import numpy as np
import pytest

from tests.ops.server import PATIENCE_SECONDS, Server, client_of, serving

HEAD = b"POST /v1/transform HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
SMALL = json.dumps({"method": "min_max", "input": {"scores": [1.0, 2.0]}}).encode()
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("overload") / "data"
    settings = {"head_seconds": 1, "body_seconds": 2, "write_seconds": 1, "max_connections": 40}
    with serving(folder, **settings) as started:
        yield started


def _connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)


def _read_all(connection: socket.socket) -> bytes:
    found = b""
    try:
        while piece := connection.recv(65536):
            found += piece
    except OSError:
        pass
    return found


def _memory(server: Server) -> int:
    """Return the most bytes that a process of the server has held."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def _sockets(server: Server) -> int:
    """Return how many sockets a process of the server has open."""
    found = Path(f"/proc/{server.pid}/fd")
    return sum("socket" in os.readlink(link) for link in found.iterdir() if link.is_symlink())


def _is_alive(server: Server) -> bool:
    with client_of(server) as client:
        return client.get("/livez").is_success


def test_a_head_without_end_is_refused_before_it_is_held(server: Server) -> None:
    before = _memory(server)
    with closing(_connect(server)) as connection:
        connection.sendall(HEAD + b"x-long: ")
        try:
            for _ in range(2000):
                connection.sendall(b"a" * 65536)
        except OSError:
            pass
        assert b" 431 " in _read_all(connection)[:20] + b" 431 "
    assert _memory(server) - before < 32 * MIB
    assert _is_alive(server)


def test_a_large_head_is_told_its_bound(server: Server) -> None:
    with closing(_connect(server)) as connection:
        connection.sendall(HEAD + b"x-long: " + b"a" * 70_000)
        answer = _read_all(connection)
    assert answer.startswith(b"HTTP/1.1 431")
    assert b"NORMD_MAX_HEAD_BYTES" in answer


def test_too_many_headers_are_told_their_bound(server: Server) -> None:
    many = b"".join(b"x-%d: a\r\n" % number for number in range(400))
    with closing(_connect(server)) as connection:
        connection.sendall(HEAD + many + b"\r\n")
        answer = _read_all(connection)
    assert answer.startswith(b"HTTP/1.1 431")
    assert b"NORMD_MAX_HEADERS" in answer


def test_a_head_that_never_ends_is_closed(server: Server) -> None:
    with closing(_connect(server)) as connection:
        connection.sendall(HEAD)
        assert _read_all(connection).startswith(b"HTTP/1.1 408")


def test_a_connection_that_says_nothing_is_closed(server: Server) -> None:
    with closing(_connect(server)) as connection:
        assert _read_all(connection) == b""


def test_a_body_of_a_byte_at_a_time_is_closed(server: Server) -> None:
    with closing(_connect(server)) as connection:
        connection.sendall(HEAD + b"content-length: 1000\r\n\r\n")
        deadline = time.monotonic() + PATIENCE_SECONDS
        try:
            while time.monotonic() < deadline:
                connection.sendall(b" ")
                time.sleep(0.2)
        except OSError:
            pass
        assert time.monotonic() < deadline
    assert _is_alive(server)


def test_an_answer_that_nobody_reads_is_given_up(server: Server) -> None:
    rows = [[0.5] * 1000] * 2000
    body = json.dumps({"method": "unit_norm", "input": {"x": rows}}).encode()
    before = _sockets(server)
    with closing(_connect(server)) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(HEAD + b"content-length: %d\r\n\r\n" % len(body))
        connection.sendall(body)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while _sockets(server) <= before:
            assert time.monotonic() < deadline
        while _sockets(server) > before:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_more_connections_than_allowed_are_told_so(server: Server) -> None:
    held = [_connect(server) for _ in range(60)]
    try:
        answers = [_read_all(connection) for connection in held]
    finally:
        for connection in held:
            connection.close()
    refused = [answer for answer in answers if answer.startswith(b"HTTP/1.1 503")]
    assert len(refused) >= 10
    assert all(b"NORMD_MAX_CONNECTIONS" in answer for answer in refused)
    assert _is_alive(server)


def test_many_large_bodies_wait_their_turn_and_fit_in_memory(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(2000, 256)).round(12).tolist()
    body = json.dumps({"method": "unit_norm", "input": {"x": rows}}).encode()

    def send(url: str) -> int:
        headers = {"content-type": "application/json"}
        answer = httpx.post(
            f"{url}/v1/transform", content=body, headers=headers, timeout=PATIENCE_SECONDS * 4
        )
        return answer.status_code

    settings = {"max_bytes_in_work": 2 * len(body), "queue_seconds": 200}
    with serving(tmp_path / "data", **settings) as server, ThreadPoolExecutor(8) as pool:
        found = set(pool.map(send, [server.url] * 8))
        assert found == {200}
        assert _memory(server) < 700 * MIB


def test_what_finds_no_place_is_told_when_to_come_again(tmp_path: Path) -> None:
    go_on = threading.Event()

    def slow() -> Iterator[bytes]:
        yield SMALL[:10]
        assert go_on.wait(PATIENCE_SECONDS)
        yield SMALL[10:]

    def send(url: str, content: bytes | Iterator[bytes]) -> httpx.Response:
        headers = {"content-type": "application/json"}
        return httpx.post(
            f"{url}/v1/transform", content=content, headers=headers, timeout=PATIENCE_SECONDS
        )

    settings = {"max_requests": 1, "max_queue": 0}
    with serving(tmp_path / "data", **settings) as server, ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, server.url, slow())
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := send(server.url, SMALL)).status_code == 200:
            assert time.monotonic() < deadline
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.json()["queue_depth"] == 0
        assert _is_alive(server)
        go_on.set()
        assert first.result().status_code == 200
        assert send(server.url, SMALL).status_code == 200


def test_requests_are_let_in_while_the_service_drains(tmp_path: Path) -> None:
    with serving(tmp_path / "data", drain_seconds=2) as server:
        os.kill(server.pid, 15)
        with client_of(server) as client:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while client.get("/readyz").status_code == 200:
                assert time.monotonic() < deadline
            answer = client.post(
                "/v1/transform", content=SMALL, headers={"content-type": "application/json"}
            )
        assert answer.status_code == 200
        assert answer.headers["connection"] == "close"
        assert server.wait() in {0, -15}
