"""README: every block runs as a reader would run it, and every table is true."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from demo.service import running
from tests.docs.tables import README, TABLES, parts

ADDRESS = "http://127.0.0.1:8000"
ELLIPSIS = "..."
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# The last bits of a solved matrix differ between processors.
RELATIVE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the line where it begins."""

    language: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    return [
        Block(found[1], found[2], page.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(page)
    ]


def differences(shown: object, sent: object, path: str = "$") -> Iterator[str]:
    """Yield where an answer is not what is shown; ``"...": "..."`` admits further members."""
    if isinstance(shown, Mapping) and isinstance(sent, Mapping):
        named = shown.keys() - {ELLIPSIS}
        if named - sent.keys() or (ELLIPSIS not in shown and sent.keys() - named):
            yield f"{path}: members {sorted(sent)}, shown {sorted(shown)}"
        for name in sorted(named & sent.keys()):
            yield from differences(shown[name], sent[name], f"{path}.{name}")
    elif isinstance(shown, list) and isinstance(sent, list) and len(shown) == len(sent):
        for index, pair in enumerate(zip(shown, sent, strict=True)):
            yield from differences(*pair, f"{path}[{index}]")
    elif isinstance(shown, float) and isinstance(sent, float):
        if not math.isclose(shown, sent, rel_tol=RELATIVE_TOLERANCE):
            yield f"{path}: {sent}, shown {shown}"
    elif type(shown) is not type(sent) or shown != sent:
        yield f"{path}: {sent!r}, shown {shown!r}"


def documents(text: str) -> list[object]:
    """Return the JSON documents that stand one after the other in a text."""
    decoder, found, place = json.JSONDecoder(), [], 0
    while (rest := text[place:].lstrip()) != "":
        place = len(text) - len(rest)
        document, place = decoder.raw_decode(text, place)
        found.append(document)
    return found


def run_bash(text: str, folder: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_python(text: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, README.name, "exec"), names)
    return printed.getvalue()


def check_output(block: Block, output: str) -> None:
    where = f"README.md:{block.line}"
    if block.language == "text":
        assert output.strip() == block.text.strip(), where
    if block.language == "json":
        shown, sent = documents(block.text), documents(output)
        assert not list(differences(shown, sent)), where


def test_every_block_runs_and_gives_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    output = ""
    with running(tmp_path) as client:
        for block in blocks(README.read_text(encoding="utf-8")):
            text = block.text.replace(ADDRESS, client.address)
            if block.language == "bash":
                output = run_bash(text, tmp_path)
            elif block.language == "python":
                output = run_python(text, names)
            else:
                check_output(block, output)


@pytest.mark.parametrize("name", TABLES)
def test_table_is_what_the_code_says(name: str) -> None:
    shown = parts(README.read_text(encoding="utf-8"))[name]
    assert shown == TABLES[name](), "run: make readme"


def test_commands_are_targets() -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md", "SECURITY.md"):
        text = (README.parent / page).read_text(encoding="utf-8")
        assert set(re.findall(r"(?:`|\$ )make ([a-z-]+)", text)) <= targets, page


def test_links_between_pages_lead_somewhere() -> None:
    for page in README.parent.glob("*.md"):
        for target in re.findall(r"\]\(([^):#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


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
