"""SIGTERM ends the service cleanly: what runs is answered, what was acknowledged is there."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.ops.server import PATIENCE_SECONDS, client_of, serving

NAMES = "/v1/normalizers"
BODY = {"method": "min_max", "params": {"scope": "fitted"}, "fit": {"scores": [1.0, 5.0]}}

# A single uvicorn gives the signal back to itself when it has ended.
CLEAN = (0, -signal.SIGTERM)


@pytest.mark.parametrize("workers", [1, 2])
def test_sigterm_ends_with_nothing_lost_and_nothing_said(tmp_path: Path, workers: int) -> None:
    folder = tmp_path / "data"
    with serving(folder, workers) as server:
        with client_of(server) as client:
            made = client.post(NAMES, json={"name": "n", **BODY}).raise_for_status().json()
        assert server.terminate() in CLEAN
        log = server.log.read_text()
        assert "Traceback" not in log
        assert "Error" not in log
    with serving(folder) as server, client_of(server) as client:
        assert client.get(f"{NAMES}/n").json()["hash"] == made["hash"]


def test_a_request_that_runs_is_answered(tmp_path: Path) -> None:
    body = json.dumps({"name": "late", **BODY}).encode()
    begun, go_on = threading.Event(), threading.Event()

    def halves() -> Iterator[bytes]:
        yield body[:20]
        begun.set()
        assert go_on.wait(PATIENCE_SECONDS)
        yield body[20:]

    def send(url: str) -> httpx.Response:
        return httpx.post(
            f"{url}{NAMES}",
            content=halves(),
            headers={"content-type": "application/json"},
            timeout=PATIENCE_SECONDS,
        )

    with serving(tmp_path / "data") as server, ThreadPoolExecutor(1) as pool:
        late = pool.submit(send, server.url)
        assert begun.wait(PATIENCE_SECONDS)
        with client_of(server) as client:
            assert client.get("/livez").is_success
            assert client.get("/livez").is_success
        server._running.send_signal(signal.SIGTERM)
        go_on.set()
        assert late.result().status_code == 201
        assert server._running.wait(PATIENCE_SECONDS) in CLEAN
    with serving(tmp_path / "data") as server, client_of(server) as client:
        assert client.get(f"{NAMES}/late").status_code == 200
