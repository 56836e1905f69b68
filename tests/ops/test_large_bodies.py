"""Bodies that are received where they stay, whatever their connection does meanwhile."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator

import numpy as np
import pytest
from safetensors.numpy import load

from normalizers.data.arrays import Array
from tests.ops.server import Server, serving

PATIENCE_SECONDS = 30.0
MEBIBYTE = 1024 * 1024
PATH = "/v1/transform?method=unit_norm"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Serve on one worker."""
    with serving(tmp_path_factory.mktemp("large") / "data", body_seconds=3) as running:
        yield running


def _connect(server: Server) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _rows(seed: int) -> Array:
    return np.random.default_rng(seed).random((75_000, 8), dtype=np.float64)


def _request(rows: Array, *, path: str = PATH) -> bytes:
    file = io.BytesIO()
    np.save(file, rows)
    body = file.getvalue()
    head = f"POST {path} HTTP/1.1\r\nhost: test\r\ncontent-type: application/x-npy\r\n"
    head += "accept: application/vnd.safetensors\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def _answer(reader: io.BufferedReader) -> tuple[int, bytes]:
    status = int(reader.readline().split()[1])
    length = 0
    while (line := reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    return status, reader.read(length)


def _is_answer_to(rows: Array, answer: tuple[int, bytes]) -> bool:
    status, body = answer
    assert status == 200, body
    found = load(body)["output.y"]
    wanted = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.allclose(found, wanted, rtol=1e-12)


def test_requests_sent_one_behind_the_other_are_answered_in_turn(server: Server) -> None:
    first, second = _rows(1), _rows(2)
    ready = b"GET /livez HTTP/1.1\r\nhost: test\r\n\r\n"
    with _connect(server) as connection, connection.makefile("rb") as reader:
        connection.sendall(_request(first) + ready + _request(second))
        assert _is_answer_to(first, _answer(reader))
        assert _answer(reader)[0] == 200
        assert _is_answer_to(second, _answer(reader))


def test_a_body_in_pieces_arrives_whole_and_its_connection_goes_on(server: Server) -> None:
    rows = _rows(3)
    message = _request(rows)
    with _connect(server) as connection, connection.makefile("rb") as reader:
        for _ in range(2):
            for cut in (0, 90, 200, 70_000, 1_300_000, len(message) - 1):
                following = [c for c in (90, 200, 70_000, 1_300_000, len(message) - 1) if c > cut]
                connection.sendall(message[cut : min(following, default=len(message))])
                time.sleep(0.01)
            assert _is_answer_to(rows, _answer(reader))


def test_a_body_that_is_refused_unread_leaves_a_connection_that_can_be_used(
    server: Server,
) -> None:
    rows = _rows(4)
    with _connect(server) as connection, connection.makefile("rb") as reader:
        connection.sendall(_request(rows, path="/v1/nowhere"))
        assert _answer(reader)[0] == 404
        connection.sendall(_request(rows))
        assert _is_answer_to(rows, _answer(reader))


def test_a_client_that_leaves_in_its_body_disturbs_nobody(server: Server) -> None:
    rows = _rows(5)
    message = _request(rows)
    with _connect(server) as leaving:
        leaving.sendall(message[:MEBIBYTE])
        time.sleep(0.05)
    with _connect(server) as connection, connection.makefile("rb") as reader:
        connection.sendall(message)
        assert _is_answer_to(rows, _answer(reader))


def test_a_large_body_that_stops_is_given_up(server: Server) -> None:
    with _connect(server) as connection, connection.makefile("rb") as reader:
        connection.sendall(_request(_rows(6))[:MEBIBYTE])
        assert _answer(reader)[0] == 408
        assert reader.read() == b""
