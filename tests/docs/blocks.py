"""The fenced blocks of a page, run as a reader would run them, one after the other."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

ADDRESS = "127.0.0.1:8000"
ELLIPSIS = "..."
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 60
# The last bits of a solved matrix differ between processors.
RELATIVE_TOLERANCE = 1e-9
RUN = {"bash", "python"}
COMPARED = {"json", "text"}
# What a page shows, and the tests need not have: its blocks run where it is installed.
OPTIONAL = ("faiss", "qdrant_client")
# Doctests run with the docstring they come from; what `console` shows is checked by name.
NOT_RUN = {"pycon", "console", "nginx", "caddy"}


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


@dataclass
class Runner:
    """Runs blocks in `folder`; the service starts when a block first names its address.

    The shell finds the programs in the folder `commands` before others.
    """

    folder: Path
    start: Callable[[], str]
    commands: Path
    output: str = ""
    names: dict[str, object] = field(default_factory=dict)

    @cached_property
    def address(self) -> str:
        return self.start()

    def run(self, page: str, name: str) -> None:
        skipped = False
        for block in blocks(page):
            where = f"{name}:{block.line}"
            skipped = needs_absent(block.text) if block.language in RUN else skipped
            if skipped:
                continue
            text = block.text
            if block.language in RUN and ADDRESS in text:
                text = text.replace(ADDRESS, self.address.removeprefix("http://"))
            if block.language == "bash":
                self.output = run_bash(text, self.folder, self.commands)
            elif block.language == "python":
                self.output = run_python(text, self.names, name)
            elif block.language in COMPARED:
                check_output(block, self.output, where)
            else:
                assert block.language in NOT_RUN, where
        close_figures()


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


def close_figures() -> None:
    """Close what a page drew: figures of a process are counted over all pages."""
    if (drawing := sys.modules.get("matplotlib.pyplot")) is not None:
        drawing.close("all")


def needs_absent(text: str) -> bool:
    """Whether a block imports what is not installed and need not be; nor does its output count."""
    return any(f"import {name}\n" in text and find_spec(name) is None for name in OPTIONAL)


def run_bash(text: str, folder: Path, *commands: Path) -> str:
    own = [*map(str, commands), str(Path(sys.executable).parent)]
    path = os.pathsep.join([*own, os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_python(text: str, names: dict[str, object], page: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, page, "exec"), names)
    return printed.getvalue()


def check_output(block: Block, output: str, where: str) -> None:
    if block.language == "text":
        assert output.strip() == block.text.strip(), where
    if block.language == "json":
        shown, sent = documents(block.text), documents(output)
        assert not list(differences(shown, sent)), f"{where}: {output}"
