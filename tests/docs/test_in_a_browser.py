"""Pages as a browser sees them: no fault, no other host, a search that finds, formulas drawn."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import uvicorn

from app.access.key_file import KeyFile
from app.api.pages import files
from app.main import create_app
from app.settings import Settings
from normd import Client
from tests.browser.chromium import Page, browsing, program
from tests.ops.server import PATIENCE_SECONDS, PAUSE_SECONDS, free_port

pytestmark = pytest.mark.skipif(program() is None, reason="no Chromium is installed")
OWN = {"data", "blob", "about"}


@pytest.fixture(scope="module")
def address(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the built guide, and one stored name."""
    folder = tmp_path_factory.mktemp("served") / "data"
    with pytest.MonkeyPatch.context() as patch, Client.local(Settings(data=folder)) as client:
        patch.setattr(files, "GUIDES", (site,))
        client.fit("bm25", "percentile", [1.0, 2.0, 3.0])
        client.alias("bm25", "prod", 1)
        with served(folder) as address:
            yield address


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    with browsing(tmp_path) as page:
        yield page


@contextmanager
def served(folder: Path) -> Iterator[str]:
    port = free_port()
    config = uvicorn.Config(create_app(Settings(data=folder)), port=port, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not server.started and time.monotonic() < deadline:
        time.sleep(PAUSE_SECONDS)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def require_clean(page: Page, address: str) -> None:
    """Refuse a fault in the console and a request that leaves the host."""
    assert page.faults == []
    hosts = {urlsplit(url).netloc for url in page.requests if urlsplit(url).scheme not in OWN}
    assert hosts == {urlsplit(address).netloc}


def test_the_start_page_shows_what_is_stored(page: Page, address: str) -> None:
    page.open(f"{address}/")
    assert "bm25" in str(page.value("document.getElementById('names').innerText"))
    assert page.value("getComputedStyle(document.querySelector('table')).borderCollapse") == (
        "collapse"
    )
    require_clean(page, address)


def test_the_start_page_asks_for_a_key(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "keyed"
    with Client.local(Settings(data=folder)) as client:
        client.fit("hidden", "percentile", [1.0, 2.0, 3.0])
    secret = KeyFile(folder / "keys.json").add("one", ["transform"], "2026-01-01T00:00:00+00:00")
    with served(folder) as address:
        page.open(f"{address}/")
        shown = "document.getElementById('names').innerText"
        page.value("document.querySelector('input').focus()")
        page.type("wrong")
        page.value("document.querySelector('button').click()")
        page.wait("document.querySelector('output').value.includes('may not read')")
        page.value("document.querySelector('input').select()")
        page.type(secret)
        page.value("document.querySelector('button').click()")
        page.wait(f"{shown}.includes('hidden')")
        require_clean(page, address)


def test_the_api_browser_draws_every_call(page: Page, address: str) -> None:
    page.open(f"{address}/docs")
    page.wait("document.querySelectorAll('.opblock').length > 20")
    require_clean(page, address)


def test_the_search_of_the_guide_finds_a_method(page: Page, address: str) -> None:
    page.open(f"{address}/guide/index.html")
    shadows = "[...document.querySelectorAll('*')].flatMap(e => e.shadowRoot ?? [])"
    page.wait(f"{shadows}.length > 0 || document.querySelector('.md-search__button')")
    page.value("document.querySelector('.md-search__button').click()")
    page.wait(f"{shadows}.some(root => root.activeElement?.matches('input'))")
    page.type("rrf")
    found = f"{shadows}.flatMap(root => [...root.querySelectorAll('a')])"
    page.wait(f"{found}.some(link => link.href.includes('/guide/methods/rrf.html?'))")
    require_clean(page, address)


@pytest.mark.parametrize("name", ["min_max", "whitening"])
def test_formulas_are_drawn(name: str, page: Page, address: str) -> None:
    page.open(f"{address}/guide/methods/{name}.html")
    heights = "[...document.querySelectorAll('mfrac')].map(f => f.getBoundingClientRect().height)"
    line = page.value("parseFloat(getComputedStyle(document.querySelector('p')).fontSize)")
    drawn = page.value(heights)
    assert drawn
    assert max(drawn) > 1.5 * line
    require_clean(page, address)
