"""The pages for people: start, guide, API browser and their files, with keys and without."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.access.key_file import KeyFile
from app.api.pages import files
from normalizers import __version__
from tests.api.conftest import Serve
from tests.api.samples import NAMES, PERCENTILE, create

HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
CREATED = "2026-01-01T00:00:00+00:00"
TARGET = re.compile(r"(?:href|src)=\"([^\"]+)\"")


@pytest.fixture
def guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a guide of two pages in place of the built one."""
    folder = tmp_path / "guide"
    (folder / "methods").mkdir(parents=True)
    (folder / "index.html").write_text("<h1>the guide</h1>")
    (folder / "methods" / "index.html").write_text("<h1>methods</h1>")
    monkeypatch.setattr(files, "GUIDES", (folder,))
    return folder


def test_a_program_gets_json_at_the_start(client: TestClient) -> None:
    answer = client.get("/").json()
    assert answer["release"] == __version__
    assert [client.get(answer[name]).status_code for name in ("documentation", "openapi")] == [
        200
    ] * 2


def test_the_start_page_lists_names_versions_and_aliases(client: TestClient) -> None:
    create(client, "bm25", PERCENTILE)
    client.put(f"{NAMES}/bm25/aliases/prod", json={"version": 1})
    opened = {"name": "open", "method": "percentile", "params": {"scope": "fitted"}}
    client.post(NAMES, json={**opened, "description": "<b>bold</b>"})
    page = client.get("/", headers=HTML)
    assert page.headers["content-type"].startswith("text/html")
    assert __version__ in page.text
    assert '<a href="v1/normalizers/bm25@prod">prod</a> &rarr; 1' in page.text
    assert "&lt;b&gt;bold&lt;/b&gt;" in page.text
    linked = [target for target in TARGET.findall(page.text) if "guide" not in target]
    for target in linked:
        assert not target.startswith(("/", "http")), "it works behind a prefix"
        assert target == "data:," or client.get(f"/{target}").status_code == 200, target


def test_the_start_page_lists_nothing_to_those_who_may_not_read(
    serve: Serve, tmp_path: Path
) -> None:
    client = serve()
    create(client, "secret", PERCENTILE)
    keys = KeyFile(tmp_path / "data" / "keys.json")
    reads = keys.add("reader", ["transform"], CREATED)
    scrapes = keys.add("scraper", ["metrics"], CREATED)
    for sent in ({}, {"x-api-key": "wrong"}, {"x-api-key": scrapes}):
        page = client.get("/", headers={**HTML, **sent})
        assert (page.status_code, "secret" in page.text, "<form" in page.text) == (200, False, True)
    for sent in ({"x-api-key": reads}, {"authorization": f"Bearer {reads}"}):
        assert "secret" in client.get("/", headers={**HTML, **sent}).text
    (tmp_path / "data" / "keys.json").write_text("damaged")
    page = client.get("/", headers={**HTML, "x-api-key": reads})
    assert (page.status_code, "secret" in page.text) == (200, False)


def test_pages_ask_no_other_host(client: TestClient, guide: Path) -> None:
    for path in ("/", "/docs", "/guide/", "/assets/pages.css"):
        answer = client.get(path, headers=HTML)
        assert answer.status_code == 200
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert not re.findall(r"(?:src|href)=\"(?:https?:)?//", answer.text), path


def test_the_api_browser_loads_its_own_files(client: TestClient) -> None:
    page = client.get("/docs").text
    loaded = [target for target in TARGET.findall(page) if target != "data:,"]
    assert len(loaded) == 3
    for target in loaded:
        assert client.get(f"/{target}").status_code == 200, target
    assert 'data-document="openapi.json"' in page


def test_the_guide_is_served_with_its_folders(client: TestClient, guide: Path) -> None:
    moved = client.get("/guide", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (307, "guide/")
    assert "the guide" in client.get("/guide").text
    assert "methods" in client.get("/guide/methods/index.html?h=rrf").text
    assert client.head("/guide/index.html").status_code == 200
    assert '<a href="guide/">' in client.get("/", headers=HTML).text


@pytest.mark.parametrize(
    "path", ["nothing.html", "..%2f..%2fsecret", "%00", "../secret", "a" * 500]
)
def test_the_guide_gives_its_own_files_alone(
    path: str, client: TestClient, guide: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("hidden")
    for place in (f"/guide/{path}", f"/assets/{path}"):
        answer = client.get(place)
        assert answer.status_code == 404
        assert answer.json()["type"] == "/problems/not-found"


def test_a_service_without_the_guide_says_how_it_is_built(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "GUIDES", ())
    answer = client.get("/guide/")
    assert answer.status_code == 404
    assert "make docs" in answer.json()["detail"]
    assert "make docs" in client.get("/", headers=HTML).text
