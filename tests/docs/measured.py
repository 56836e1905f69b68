"""The measured tables of the pages: found by their heads, renewed by ``python -m``.

``python -m tests.docs.measured`` computes every table anew and writes it into its page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.retrieval.tables import TABLES, Table, printed
from docs.markdown import table
from docs.site import HAND_WRITTEN

PAGES = ("which-fusion.md", "thresholds.md")
ROW = r"(?:\n\|.*)*"


def found(one: Table) -> list[tuple[str, str]]:
    """Return the pages with this table, and the table as it stands there."""
    pattern = re.compile(re.escape(table(one.head, ())) + ROW)
    texts = {name: (HAND_WRITTEN / name).read_text(encoding="utf-8") for name in PAGES}
    return [(name, match[0]) for name, text in texts.items() for match in pattern.finditer(text)]


def rows(shown: str) -> list[Sequence[str]]:
    """Return the cells of each row of a table."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines()[2:]]


def renew(one: Table) -> None:
    """Write a table anew into its page."""
    ((name, shown),) = found(one)
    page = HAND_WRITTEN / name
    page.write_text(page.read_text(encoding="utf-8").replace(shown, printed(one)), encoding="utf-8")


if __name__ == "__main__":
    for each in TABLES:
        renew(each)
