"""A caller says how long it waits: what nobody waits for is not computed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.api.problem import read_problem, slug_of
from tests.api.samples import NAMES, PERCENTILE
from tests.ops.server import PATIENCE_SECONDS, Server, serving

TIMEOUT = "x-request-timeout-ms"
JSON = {"content-type": "application/json"}
TREE = {"method": "min_max", "input": {"scores": [1.0, 2.0]}}
SMALL = json.dumps(TREE).encode()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("deadline") / "data"
    with serving(folder, max_requests=1) as started:
        yield started


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path / "data"))) as client:
        yield client


def test_a_request_in_time_is_answered(client: TestClient) -> None:
    answer = client.post("/v1/transform", json=TREE, headers={TIMEOUT: "60000"})
    assert answer.status_code == 200


@pytest.mark.parametrize("said", ["0", "-5", "2s", "1e3", "", "99999999999"])
def test_what_is_no_time_is_told(client: TestClient, said: str) -> None:
    answer = client.post("/v1/transform", json=TREE, headers={TIMEOUT: said})
    assert (answer.status_code, slug_of(answer)) == (400, "bad-request")
    assert "X-Request-Timeout-Ms" in str(read_problem(answer)["detail"])


def test_a_request_that_comes_too_late_is_not_done(server: Server) -> None:
    body = json.dumps({"name": "late", **PERCENTILE}).encode()

    def slow() -> Iterator[bytes]:
        yield body[:10]
        time.sleep(0.2)
        yield body[10:]

    answer = httpx.post(
        f"{server.url}{NAMES}", content=slow(), headers={**JSON, TIMEOUT: "50"}, timeout=60
    )
    assert (answer.status_code, slug_of(answer)) == (503, "unavailable")
    assert "X-Request-Timeout-Ms" in answer.json()["detail"]
    assert httpx.get(f"{server.url}{NAMES}/late").status_code == 404


def test_nobody_waits_for_a_place_longer_than_its_caller(server: Server) -> None:
    go_on = threading.Event()

    def held() -> Iterator[bytes]:
        yield SMALL[:10]
        assert go_on.wait(PATIENCE_SECONDS)
        yield SMALL[10:]

    def send(content: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
        return httpx.post(
            f"{server.url}/v1/transform",
            content=content,
            headers={**JSON, **headers},
            timeout=PATIENCE_SECONDS,
        )

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(send, held())
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (answer := send(SMALL, **{TIMEOUT: "100"})).status_code == 200:
            assert time.monotonic() < deadline
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/unavailable")
        go_on.set()
        assert first.result().status_code == 200
    assert send(SMALL, **{TIMEOUT: "60000"}).status_code == 200
