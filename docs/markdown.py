"""Markdown: tables, code, prose from docstrings, and JSON that people can read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docs.formulas import drawn_within, formula

CODE = re.compile(r"(``.+?``|`.+?`)", re.DOTALL)
# What Markdown would take for emphasis or a link outside code.
SPECIAL = re.compile(r"([*_\[\]])")
LONGEST_LINE = 92
INDENT = "  "


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a bar outside code is escaped."""
    return "\n".join(_line(cells) for cells in (head, ["---"] * len(head), *rows))


def code(text: str) -> str:
    """Return text as inline code; nothing for nothing."""
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str]) -> str:
    """Return several texts as inline code, with commas."""
    return ", ".join(code(text) for text in texts)


def fence(language: str, text: str) -> str:
    """Return a fenced block."""
    return f"```{language}\n{text.strip()}\n```"


def prose(text: str) -> str:
    """Return text of a docstring as Markdown: formulas drawn, what is no code meant literally."""
    parts = CODE.split(text)
    return "".join(
        _code_or_formula(part) if index % 2 else drawn_within(part, _literal)
        for index, part in enumerate(parts)
    )


def _code_or_formula(part: str) -> str:
    # By two backticks docstrings mark values and formulas, by one the names of things.
    drawn = formula(" ".join(part.strip("`").split())) if part.startswith("``") else None
    return drawn or part


def _literal(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text.replace("<", "&lt;"))


def joined(*parts: str) -> str:
    """Return the parts that are not empty, with an empty line between them."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def readable(value: object) -> str:
    """Return a value as JSON, a member a line where it does not fit on one."""
    return "\n".join(_lines(value, ""))


def _lines(value: object, indent: str) -> Iterator[str]:
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= LONGEST_LINE or not isinstance(value, (Mapping, list)):
        yield flat
        return
    deeper = indent + INDENT
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    yield opening
    members = list(value.items()) if isinstance(value, Mapping) else [(None, v) for v in value]
    for place, (name, member) in enumerate(members, 1):
        label = "" if name is None else f"{json.dumps(name)}: "
        first, *others = _lines(member, deeper)
        comma = "," if place < len(members) else ""
        text = "\n".join([f"{deeper}{label}{first}", *others])
        yield text + comma
    yield indent + closing


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    parts = CODE.split(text.replace("\n", " "))
    return "".join(
        part if index % 2 else part.replace("|", "\\|") for index, part in enumerate(parts)
    )
