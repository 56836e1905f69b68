"""A client that goes leaves no work behind: what has not begun does not begin."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
import uvicorn

from app.api import offloading
from app.main import create_app
from app.service import normalizers as names
from app.service import work as service
from app.settings import Settings
from normd.wire.codecs import json as codec
from tests.api.samples import NAMES, PERCENTILE
from tests.ops.server import PATIENCE_SECONDS, PAUSE_SECONDS, free_port

LARGE = {"method": "min_max", "input": {"scores": [1.0, 2.0] * 20_000}}
CREATION = {"name": "n", **PERCENTILE}


class Served:
    """A server in this process with one thread for work, and a record of what it does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.steps: list[str] = []
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.left = threading.Semaphore(0)

    def send(self, path: str, body: object) -> socket.socket:
        """Send a request, and return the connection without reading an answer."""
        content = json.dumps(body).encode()
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n".encode()
            + content
        )
        return connection

    def leave(self, connection: socket.socket) -> None:
        """Close a connection, and wait until the service knows."""
        connection.close()
        assert self.left.acquire(timeout=PATIENCE_SECONDS)


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    served = Served(free_port())
    _record(monkeypatch, served)
    app = create_app(Settings(data=tmp_path / "data", worker_threads=1))
    server = uvicorn.Server(uvicorn.Config(app, port=served.port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(PAUSE_SECONDS)
        yield served
    finally:
        served.go_on.set()
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)


def _record(monkeypatch: pytest.MonkeyPatch, served: Served) -> None:
    """Write down the steps of requests, and hold the first that parses."""

    def watch(module: object, name: str, step: str, hold: bool = False) -> None:
        original: Callable[..., object] = getattr(module, name)

        def watched(*args: object, **kwargs: object) -> object:
            served.steps.append(step)
            if hold:
                served.begun.set()
                assert served.go_on.wait(PATIENCE_SECONDS)
            return original(*args, **kwargs)

        monkeypatch.setattr(module, name, watched)

    watch(codec, "_inspected", "parse", hold=True)
    watch(service, "read_input", "read")
    watch(service, "at", "compute")
    watch(names, "read_source", "read")
    watch(names, "new_version", "fitted")
    watch(codec, "dumps", "write")
    original = offloading.Event.set

    class Seen(offloading.Event):  # type: ignore[misc]
        def set(self) -> None:
            original(self)
            served.left.release()

    monkeypatch.setattr(offloading, "Event", Seen)


def _let_go_on(served: Served) -> None:
    """Let the held request go on, and wait until the only thread has done with it."""
    served.go_on.set()
    answered = httpx.post(f"{served.url}/v1/transform", json=LARGE, timeout=PATIENCE_SECONDS)
    assert answered.status_code == 200
    served.steps[-4:] = []


def test_no_stage_begins_after_the_client_has_gone(served: Served) -> None:
    connection = served.send("/v1/transform", LARGE)
    assert served.begun.wait(PATIENCE_SECONDS)
    served.leave(connection)
    _let_go_on(served)
    assert served.steps == ["parse"]


def test_who_goes_while_waiting_for_a_thread_is_forgotten(served: Served) -> None:
    first = served.send("/v1/transform", LARGE)
    assert served.begun.wait(PATIENCE_SECONDS)
    second = served.send("/v1/transform", LARGE)
    served.leave(second)
    _let_go_on(served)
    assert served.steps == ["parse", "read", "compute", "write"]
    first.close()


def test_a_write_that_has_not_begun_is_not_begun(served: Served) -> None:
    connection = served.send(NAMES, CREATION)
    assert served.begun.wait(PATIENCE_SECONDS)
    served.leave(connection)
    _let_go_on(served)
    assert served.steps == ["parse"]
    assert httpx.get(f"{served.url}{NAMES}/n").status_code == 404


def test_a_client_that_waits_is_answered(served: Served) -> None:
    served.go_on.set()
    made = httpx.post(f"{served.url}{NAMES}", json=CREATION, timeout=PATIENCE_SECONDS)
    assert made.status_code == 201
    assert served.steps == ["parse", "read", "fitted", "write", "write"]
