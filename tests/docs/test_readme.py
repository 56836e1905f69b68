"""README: every block runs as a reader would run it, and what it names is there."""

from __future__ import annotations

import re

import pytest

from docs.site import HAND_WRITTEN, ROOT
from normalizers.catalogue.catalogue import CATALOGUE
from tests.docs.blocks import Runner, blocks, differences
from tests.docs.names import created, kept

README = ROOT / "README.md"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")]
MAKE = re.compile(r"(?:`|\$ )make ([a-z-]+)")


def test_every_block_runs_and_gives_what_is_shown(runner: Runner) -> None:
    text = README.read_text(encoding="utf-8")
    runner.run(text, README.name)
    assert kept(runner.folder) == created(text)


def test_families_are_those_that_there_are() -> None:
    told = re.findall(r"^\| \*\*(\w+)\*\* \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(told) == {cls.family for cls in CATALOGUE.values()}


def test_commands_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in [*PAGES, *HAND_WRITTEN.glob("*.md")]:
        assert set(MAKE.findall(page.read_text(encoding="utf-8"))) <= targets, page.name


def test_links_between_pages_lead_somewhere() -> None:
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^):#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_block_has_a_language(path) -> None:
    fences = re.findall(r"^```.*$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("shown", "sent"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "...": "..."}, {"b": 2}),
        ([1.0], [1.0, 2.0]),
        (0.5, 0.50001),
        (1, True),
        ({"a": [{"b": "x"}]}, {"a": [{"b": "y"}]}),
    ],
)
def test_differences_are_found(shown: object, sent: object) -> None:
    assert list(differences(shown, sent))
