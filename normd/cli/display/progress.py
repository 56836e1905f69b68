"""A progress bar on standard error, where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Advance = Callable[[int], None]


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
    if quiet or not sys.stderr.isatty():
        yield lambda rows: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeElapsedColumn(), console=Console(file=sys.stderr), transient=True
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda rows: bar.advance(task, rows)
