"""The names that a page creates in the data folder of its reader."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.docs.blocks import RUN, blocks

CREATED = re.compile(
    r"""\\?"name\\?":\ \\?"(?P<body>[\w-]+)\\?",\s+\\?"method\\?"
    | [?&]name=(?P<query>[\w-]+)
    | --name\ (?P<option>[\w-]+)
    | \bclient\.(?:fit|create|import_)\(\s*"(?P<call>[\w-]+)"
    """,
    re.VERBOSE,
)


def created(page: str) -> set[str]:
    """Return the names that the blocks of a page create."""
    text = "\n".join(block.text for block in blocks(page) if block.language in RUN)
    return {name for found in CREATED.finditer(text) for name in found.groups() if name}


def kept(folder: Path) -> set[str]:
    """Return the names that the registry below a folder holds."""
    path = folder / "data" / "registry.db"
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as registry:
        return {name for (name,) in registry.execute("SELECT name FROM names")}
