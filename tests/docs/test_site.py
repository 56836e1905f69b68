"""The site: it builds without a warning, links lead somewhere, nothing is loaded from elsewhere."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from app.problems import CATALOGUE as PROBLEMS
from app.settings import Settings, variable
from benchmarks.figures import GROUPS
from docs.commands import records
from docs.site import contents, hand_written
from docs.tables import MARKER, filled
from normalizers.catalogue.catalogue import CATALOGUE
from normd.cli.exits import MEANINGS
from normd.cli.options.program import COMMANDS

LOADED = re.compile(r"<(?:script|img|iframe|source)[^>]+src=\"(?P<src>[^\"]+)\"")
LINKED = re.compile(r"<link[^>]+href=\"([^\"]+)\"")
# A page in the written navigation, and in the built one.
WRITTEN = re.compile(r"\]\(([^)]+)\)")
PAGES = re.compile(r'href="(?:\./)?([a-z/_0-9-]+\.html)"')
FLAG = re.compile(r"--[a-z-]+")
EXTERNAL = re.compile(r"^(?:https?:)?//")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return hand_written(CATALOGUE)


def test_every_method_and_page_is_built(site: Path, pages: dict[str, str]) -> None:
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    methods = {f"methods/{name}.html" for name in CATALOGUE}
    written = {name.replace(".md", ".html") for name in pages if name != "SUMMARY.md"}
    assert built == methods | written | {"methods/index.html", "404.html"}


def test_every_page_stands_in_the_navigation(site: Path) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    for path in site.rglob("*.html"):
        if path.name not in ("404.html", "index.html") or path.parent != site:
            assert f'href="./{path.relative_to(site).as_posix()}"' in start, path


def test_the_sidebar_follows_the_order_of_the_summary(site: Path, pages: dict[str, str]) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    sidebar = start.partition("md-sidebar--primary")[2].partition("md-sidebar--secondary")[0]
    listed = [path.replace(".md", ".html") for path in WRITTEN.findall(pages["SUMMARY.md"])]
    assert list(dict.fromkeys(PAGES.findall(sidebar))) == listed


def test_methods_stand_in_the_sidebar_by_family_and_room(pages: dict[str, str]) -> None:
    summary = pages["SUMMARY.md"]
    ranks = summary.partition("    * scores\n")[2].partition("        * fusion/ranks\n")[2]
    assert "            * [rrf](methods/rrf.md)\n" in ranks.partition("        * fusion/scores")[0]


def test_the_search_works_in_pages_opened_from_a_file(site: Path) -> None:
    assert (site / "search.js").read_text(encoding="utf-8").startswith("var __index =")
    assert (site / "assets" / "iframe-worker.js").is_file()
    for name, base in (("index.html", "."), ("methods/rrf.html", "..")):
        page = (site / name).read_text(encoding="utf-8")
        assert f'<script src="{base}/assets/iframe-worker.js"' in page


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        loaded = [*LOADED.findall(text), *LINKED.findall(text)]
        assert loaded
        assert not [target for target in loaded if EXTERNAL.match(target)], path.name


def test_every_problem_type_has_its_anchor(site: Path) -> None:
    text = (site / "errors.html").read_text(encoding="utf-8")
    for slug, kind in PROBLEMS.items():
        assert f'<h3 id="{slug}">' in text, slug
        assert html.escape(kind.title, quote=False) in text


def test_every_problem_type_has_cause_and_remedy(pages: dict[str, str]) -> None:
    for slug, kind in PROBLEMS.items():
        assert kind.cause, slug
        assert kind.remedy, slug
        assert kind.cause in pages["errors.md"], slug
        assert kind.remedy in pages["errors.md"], slug


def test_every_setting_is_documented(pages: dict[str, str]) -> None:
    for name, field in Settings.model_fields.items():
        assert field.description
        default = str(field.default) or "none"
        assert (
            f"| `{variable(name)}` | `{default}` | {field.description} |"
            in (pages["operations.md"])
        )


def test_every_limit_is_documented(pages: dict[str, str]) -> None:
    for name in Settings.SHOWN:
        assert f"| `{name}` | `{variable(name)}` |" in pages["operations.md"]


def test_no_marker_stays_and_none_is_unknown(pages: dict[str, str]) -> None:
    assert not [name for name, text in pages.items() if MARKER.search(text)]
    with pytest.raises(KeyError, match="nothing"):
        filled("<!-- nothing -->", contents(CATALOGUE))


def test_every_figure_of_speed_is_documented(pages: dict[str, str]) -> None:
    for group in GROUPS.values():
        for figure in group:
            assert f"| `{figure.name}` | {figure.goal} | " in pages["speed.md"]


def test_every_command_and_option_is_documented(pages: dict[str, str]) -> None:
    page = pages["command-line.md"]
    for name in COMMANDS:
        section = page.partition(f"### normd {name} {{#{name}}}")[2].partition("###")[0]
        assert section, name
        told = {flag for record in records(name) for flag in FLAG.findall(record[0])}
        assert told
        for flag in told:
            assert re.search(rf"`[^`]*{flag}\b[^`]*` \|", section), f"{name} {flag}"


def test_every_exit_code_is_documented(pages: dict[str, str]) -> None:
    for number, meaning in MEANINGS.items():
        assert f"| `{number}` | {meaning} |" in pages["command-line.md"]
