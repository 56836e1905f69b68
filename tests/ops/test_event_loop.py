"""Large bodies are parsed, computed and written beside the event loop (report 3)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.service import work as service
from app.service.fusion import fusion
from app.settings import Settings
from normd.wire.codecs import DecodeLimits, json, safetensors
from tests.api.samples import NAMES, ROWS, SAFETENSORS, WHITENING, create, tensors

PATIENCE_SECONDS = 60.0
SMALL = {"method": "min_max", "input": {"scores": [1.0, 2.0]}}
LARGE = {"method": "min_max", "input": {"scores": [1.0, 2.0] * 20_000}}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path / "data"))) as client:
        yield client


def _on_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """Record of each step of a request whether it ran on the event loop."""
    found: dict[str, bool] = {}

    def watch(module: object, name: str, step: str) -> None:
        original: Callable[..., object] = getattr(module, name)

        def watched(*args: object, **kwargs: object) -> object:
            found[step] = _on_event_loop()
            return original(*args, **kwargs)

        monkeypatch.setattr(module, name, watched)

    watch(json, "parse", "parse")
    watch(json, "parse_fast", "parse")
    watch(json, "dumps", "write")
    watch(safetensors, "read_header", "parse")
    watch(safetensors, "serialized", "write")
    watch(service, "read_input", "compute")
    return found


def test_small_work_is_done_at_once(client: TestClient, places: dict[str, bool]) -> None:
    assert client.post("/v1/transform", json=SMALL).status_code == 200
    assert places == {"parse": True, "compute": True, "write": True}


def test_large_work_leaves_the_event_loop(client: TestClient, places: dict[str, bool]) -> None:
    assert client.post("/v1/transform", json=LARGE).status_code == 200
    assert places == {"parse": False, "compute": False, "write": False}


def test_large_tensors_leave_it_too(client: TestClient, places: dict[str, bool]) -> None:
    body = tensors({"method": "min_max"}, input__scores=LARGE["input"]["scores"])  # type: ignore[index]
    sent = {"content-type": SAFETENSORS}
    assert client.post("/v1/transform", content=body, headers=sent).status_code == 200
    assert places == {"parse": False, "compute": False, "write": False}


def test_every_write_leaves_it(client: TestClient, places: dict[str, bool]) -> None:
    create(client, "n", WHITENING)
    assert places["parse"] is places["write"] is False
    for verb, path, body in (
        ("POST", f"{NAMES}/n/versions", {"from": "params"}),
        ("POST", f"{NAMES}/n/observations", {"fit": {"x": ROWS}}),
        ("PUT", f"{NAMES}/n/aliases/prod", {"version": 1}),
    ):
        places.clear()
        assert client.request(verb, path, json=body).is_success
        assert places == {"parse": False, "write": False}


def test_a_stored_version_is_read_beside_it_and_then_at_hand(
    client: TestClient, places: dict[str, bool]
) -> None:
    create(client, "n", WHITENING)
    for on_loop in (False, True):  # creating it was a commit
        places.clear()
        answer = client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}})
        assert answer.status_code == 200
        assert places == {"parse": on_loop, "compute": on_loop, "write": on_loop}
    create(client, "m", WHITENING)
    places.clear()
    assert client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}}).status_code == 200
    assert places["compute"] is False


def test_the_threshold_is_a_setting(tmp_path: Path, places: dict[str, bool]) -> None:
    settings = Settings(data=tmp_path / "other", offload_bytes=0)
    with TestClient(create_app(settings)) as own:
        assert own.post("/v1/transform", json=SMALL).status_code == 200
    assert places == {"parse": False, "compute": False, "write": False}


def test_livez_answers_while_a_large_body_is_being_parsed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    parse = json.parse_fast

    def slow(body: bytes, bounds: DecodeLimits) -> object:
        begun.set()
        assert go_on.wait(PATIENCE_SECONDS)
        return parse(body, bounds)

    monkeypatch.setattr(json, "parse_fast", slow)
    with ThreadPoolExecutor(1) as pool:
        large = pool.submit(client.post, "/v1/transform", json=LARGE)
        try:
            assert begun.wait(PATIENCE_SECONDS)
            assert client.get("/livez").status_code == 200
            assert not large.done()
        finally:
            go_on.set()
        assert large.result().status_code == 200


def test_what_is_watched_is_what_is_called() -> None:
    assert fusion.answer_input is service.answer_input
