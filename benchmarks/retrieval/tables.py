"""The measured tables, each by the heading of its first column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.retrieval import fusions, thresholds
from docs.markdown import table


@dataclass(frozen=True)
class Table:
    """A table of a page: its head, and what computes its rows."""

    head: Sequence[str]
    rows: Callable[[], Iterable[Sequence[str]]]


TABLES = (
    Table(fusions.HEAD, fusions.rows),
    Table(("depth", *fusions.BY_DEPTH), fusions.depth_rows),
    Table(thresholds.HEAD, thresholds.rows),
    Table(thresholds.QUALITY_HEAD, thresholds.quality_rows),
)


def printed(one: Table) -> str:
    """Compute a table and return it as Markdown."""
    return table(one.head, one.rows())
