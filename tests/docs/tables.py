"""The tables of README.md, made from the code and a run of the demonstration.

``python -m tests.docs.tables`` renews them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from app.problems import CATALOGUE as PROBLEMS
from app.service.describing import docstring_sections
from app.settings import Settings, variable
from normalizers.catalogue import CATALOGUE

README = Path(__file__).parents[2] / "README.md"


def methods() -> str:
    """Return a row for each method."""
    return _table(
        ("method", "aliases", "family", "kind", "what it does"),
        (
            (
                f"`{name}`",
                ", ".join(f"`{alias}`" for alias in sorted(cls.aliases)),
                cls.family,
                ", ".join(cls.kinds),
                docstring_sections(cls)["summary"],
            )
            for name, cls in CATALOGUE.items()
        ),
    )


def settings() -> str:
    """Return a row for each setting."""
    return _table(
        ("variable", "default", "meaning"),
        (
            (f"`{variable(name)}`", f"`{field.default}`", field.description or "")
            for name, field in Settings.model_fields.items()
        ),
    )


def problems() -> str:
    """Return a row for each problem type, by status."""
    kinds = sorted(PROBLEMS.values(), key=lambda kind: (kind.status, kind.slug))
    return _table(
        ("type", "status", "title"),
        ((f"`{kind.uri}`", str(kind.status), kind.title) for kind in kinds),
    )


TABLES = {"methods": methods, "settings": settings, "problems": problems}


def demonstrated() -> str:
    """Run the demonstration and return the table that it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "demo"],
        cwd=README.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    table = re.search(
        r"^  normalization .*?(?=\n\n\"WORSE\")", done.stdout, re.MULTILINE | re.DOTALL
    )
    if table is None:
        raise ValueError(f"the demonstration printed no table:\n{done.stdout}")
    return table[0]


def parts(page: str) -> Mapping[str, str]:
    """Return what stands between the markers of a page, by name."""
    found = re.findall(r"<!-- (\w+) -->\n(.*?)<!-- /\1 -->", page, re.DOTALL)
    return {name: body.strip() for name, body in found}


def renewed(page: str, contents: Mapping[str, str]) -> str:
    """Return the page with other contents between its markers."""
    for name, content in contents.items():
        pattern = re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)
        page = pattern.sub(lambda _, content=content: f"\n{content}\n\n", page)
    return page


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(_line(cells) for cells in (head, ["---"] * len(head), *rows))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    current = README.read_text(encoding="utf-8")
    made = {name: make() for name, make in TABLES.items()}
    made["demo"] = f"```console\n{demonstrated()}\n```"
    README.write_text(renewed(current, made), encoding="utf-8")
