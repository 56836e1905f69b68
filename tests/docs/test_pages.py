"""Hand-written pages: every block runs as a reader would run it."""

from __future__ import annotations

import re
import tomllib
from itertools import chain, combinations

import pytest

from app.settings import OF_SERVE, PREFIX, Settings, variable
from docs.site import HAND_WRITTEN, ROOT
from normd.cli.options.program import COMMANDS
from normd.client.errors import ClientError
from normd.client.verb_table import VerbTable
from normd.wire.codecs import CODECS
from tests.docs.blocks import Runner, blocks
from tests.docs.names import created, kept
from tests.docs.pictures import PICTURES, pictures_of

CALLED = re.compile(r"^(?:\$ )?normd ([a-z]+)", re.MULTILINE)
NOTICE = re.compile(r"notice\(\s*\"([a-z_]+)\"")
FIRST_CELL = re.compile(r"^\|([^|]*)\|", re.MULTILINE)
QUOTED = re.compile(r"`normd ([a-z]+)")
PAGES = sorted(path.name for path in HAND_WRITTEN.glob("*.md"))
# Variables of the command line and of compose.yaml.
VARIABLES = {f"{PREFIX}URL", f"{PREFIX}USER", f"{PREFIX}KEY"}
# Extras for people who work on the project itself.
OWN = {"bench", "docs", "test", "check", "deploy"}


def text_of(name: str) -> str:
    return (HAND_WRITTEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in PAGES if blocks(text_of(name))])
def test_every_block_runs_and_gives_what_is_shown(name: str, runner: Runner) -> None:
    runner.run(text_of(name), name)
    assert kept(runner.folder) == created(text_of(name))
    drawn = [
        picture for picture in pictures_of(text_of(name)) if (runner.folder / picture).exists()
    ]
    assert drawn == pictures_of(text_of(name))


def test_every_picture_is_shown_and_every_one_shown_is_there() -> None:
    shown = [picture for name in PAGES for picture in pictures_of(text_of(name))]
    assert sorted(shown) == sorted(path.name for path in PICTURES.iterdir())


def test_no_two_pages_create_the_same_name() -> None:
    pages = {name: created(text_of(name)) for name in PAGES}
    pages["README.md"] = created((ROOT / "README.md").read_text(encoding="utf-8"))
    for first, second in combinations(pages, 2):
        assert not pages[first] & pages[second], f"{first} and {second}"


def test_extras_are_those_that_there_are() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = re.findall(r"^\| `(\w+)` \|", text_of("getting-started.md"), re.MULTILINE)
    assert set(told) == set(project["optional-dependencies"]) - OWN


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    known = {variable(name) for name in Settings.model_fields} | {*VARIABLES, *OF_SERVE}
    for name in PAGES:
        assert set(re.findall(rf"\b{PREFIX}[A-Z_]+\b", text_of(name))) <= known, name


def test_every_verb_of_the_client_is_documented() -> None:
    verbs = {name for name in vars(VerbTable) if not name.startswith("_")}
    assert verbs <= set(re.findall(r"`(\w+)`", text_of("client.md")))


def test_every_error_of_the_client_that_the_page_names_is_there() -> None:
    named = re.search(r"Others are\n(.*?)\.\n", text_of("client.md"), re.DOTALL)
    assert named is not None
    names = re.findall(r"`(\w+)`", named[1])
    own = {cls.__name__ for cls in ClientError.__subclasses__()} - {"Refused"}
    assert set(names) == own


def test_every_form_of_bodies_is_documented() -> None:
    told = re.findall(r"^\| \w+ \| `([^`]+)` \|", text_of("bodies.md"), re.MULTILINE)
    assert set(told) == set(CODECS)


def test_every_warning_of_scores_is_documented() -> None:
    library = ROOT / "normalizers"
    sources = [library.rglob(f"{part}/**/*.py") for part in ("scores", "validation", "evaluation")]
    codes = {
        code
        for path in chain(*sources)
        for code in NOTICE.findall(path.read_text(encoding="utf-8"))
    }
    table = text_of("concepts.md").partition("| warning | of |")[2].partition("## ")[0]
    assert codes == set(re.findall(r"`([a-z_]+)`", "".join(FIRST_CELL.findall(table))))


def test_no_page_names_a_command_that_does_not_exist() -> None:
    for page in [*(HAND_WRITTEN / name for name in PAGES), ROOT / "README.md"]:
        text = page.read_text(encoding="utf-8")
        shell = [block.text for block in blocks(text) if block.language in ("bash", "console")]
        named = [word for part in shell for word in CALLED.findall(part)] + QUOTED.findall(text)
        assert set(named) <= set(COMMANDS), page.name
