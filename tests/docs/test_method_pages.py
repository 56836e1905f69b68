"""The page of every method: its examples run, and all that it declares stands there."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from typing import get_args

import pytest

from demo.service import running
from docs.fields import KINDS
from docs.method_index import INDEX, page_of
from docs.site import method_pages
from normalizers.catalogue.catalogue import CATALOGUE, Catalogue
from normalizers.contract.fields import Kind
from normalizers.normalizer import Normalizer
from normd.wire.descriptions import docstring_sections
from tests.docs.blocks import ADDRESS, Block, blocks, check_output, run_bash
from tests.docs.example_method import RatioToMean

METHODS = list(CATALOGUE.values())


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return method_pages(CATALOGUE)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("service")) as client:
        yield client.address


def example_of(page: str) -> tuple[Block, Block]:
    """Return the first command of a page and the answer that stands after it."""
    found = blocks(page)
    place = [block.language for block in found].index("bash")
    return found[place], found[place + 1]


def each_method(function):
    return pytest.mark.parametrize("cls", METHODS, ids=lambda cls: cls.name)(function)


@each_method
def test_the_command_gives_the_answer_shown(
    cls: type[Normalizer], pages: dict[str, str], address: str, tmp_path
) -> None:
    command, answer = example_of(pages[page_of(cls.name)])
    assert ADDRESS in command.text
    output = run_bash(command.text.replace(ADDRESS, address.removeprefix("http://")), tmp_path)
    assert answer.language == "json"
    check_output(answer, output, cls.name)


@each_method
def test_the_python_example_is_that_of_the_docstring(
    cls: type[Normalizer], pages: dict[str, str]
) -> None:
    shown = [block.text for block in blocks(pages[page_of(cls.name)]) if block.language == "pycon"]
    parser = doctest.DocTestParser()
    (examples,) = map(parser.get_examples, shown)
    assert examples == parser.get_examples(docstring_sections(cls)["Examples"])


@each_method
def test_everything_declared_stands_on_the_page(
    cls: type[Normalizer], pages: dict[str, str]
) -> None:
    page, method = pages[page_of(cls.name)], cls()
    assert page.startswith(f"# {cls.name}\n")
    declared = [*cls.parameters, *method.takes, *method.gives, *method.inverse_takes, *method.fits]
    for name in [*declared, *method.keeps, *cls.aliases, *cls.presets]:
        assert f"`{name}`" in page, name
    for kind in cls.kinds:
        assert kind in page
    for title in ("## Notes", "## References", "## Parameters", "## Fields"):
        assert title in page


def test_every_kind_of_field_has_words() -> None:
    assert KINDS.keys() == set(get_args(Kind))


def test_the_index_lists_every_method(pages: dict[str, str]) -> None:
    assert set(re.findall(r"^\| \[(\w+)\]\(\1\.md\)", pages[INDEX], re.MULTILINE)) == set(CATALOGUE)


def test_a_new_method_has_a_page_at_once() -> None:
    # Beside two of ours: pages of all are made for the other tests already.
    few = Catalogue([CATALOGUE["rrf"], CATALOGUE["min_max"]])
    pages = method_pages(few.with_methods(RatioToMean))
    page = pages[page_of("ratio_to_mean")]
    assert '"output": {"y": [1.0, 2.0]}' in page
    assert "`index_number`" in page
    assert "| `scale` | number > 0 | `1.0` | answer | what the mean becomes |" in page
    assert "[ratio_to_mean](ratio_to_mean.md)" in pages[INDEX]
