"""How far a long work is: a bar on a terminal, else now and then a line in the log."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

SECONDS_BETWEEN_LINES = 10.0
Advance = Callable[[int], None]


class _Lines:
    """Lines of a log, seldom enough that short work writes none.

    Parameters
    ----------
    title : str
        What is done.
    total : int, optional
        Rows there are.
    """

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total = title, total
        self._rows, self._told = 0, monotonic()

    def advance(self, rows: int) -> None:
        """Count rows, and tell how many there were where it is time to."""
        self._rows += rows
        if monotonic() - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = monotonic()
        share = f" of {self._total:,}" if self._total is not None else ""
        print(f"{self._title}: {self._rows:,}{share} rows", file=sys.stderr, flush=True)


@contextmanager
def progress(title: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Advance]:
    """Show how far a long work is.

    Parameters
    ----------
    title : str
        What is done.
    total : int, optional
        Rows there are; without it the bar only moves.
    quiet : bool
        Whether to show nothing.

    Yields
    ------
    callable
        To be called with the number of rows done since the last call.
    """
    if quiet:
        yield lambda rows: None
        return
    if not sys.stderr.isatty():
        yield _Lines(title, total).advance
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(file=sys.stderr), transient=True
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda rows: bar.advance(task, rows)
