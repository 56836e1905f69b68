"""What is said: results on standard output, everything else on standard error."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from normd.cli.errors import BadFile

PLAIN_WIDTH = 120


def say(text: str) -> None:
    """Tell a person something on standard error."""
    print(text, file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """Tell a person on standard error why nothing was done."""
    say(f"normd: {text}")


def tell_warnings(warnings: object) -> None:
    """Tell the warnings of an answer or of a fit report."""
    for noted in warnings if isinstance(warnings, list) else ():
        say(f"warning: {noted.get('message')} ({noted.get('code')})")


def json_text(value: object) -> str:
    """Return a value as indented JSON; arrays become lists, a missing number null."""
    import orjson

    from normd.wire.codecs.json_values import plain

    option = orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_APPEND_NEWLINE
    return orjson.dumps(plain(value), option=option).decode()


def print_json(document: Mapping[str, object]) -> None:
    """Write one JSON document on standard output."""
    with reading_may_end():
        sys.stdout.write(json_text(document))
        sys.stdout.flush()


def print_text(text: str) -> None:
    """Write text on standard output."""
    with reading_may_end():
        print(text, flush=True)


@contextmanager
def reading_may_end() -> Iterator[None]:
    """Write on standard output; whoever reads it may have seen enough, which is no failure."""
    try:
        yield
    except BrokenPipeError:
        # What is still buffered is written when Python ends.
        _discard_output()
    except OSError as error:
        _discard_output()
        raise BadFile("standard output", f"it cannot be written: {error.strerror}") from None


def _discard_output() -> None:
    """Send what is still to be written nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table on standard output."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for place, name in enumerate(columns):
        # The first column is what people copy.
        table.add_column(name, overflow="fold", no_wrap=place == 0)
    for row in rows:
        table.add_row(*(Text(shown_value(value)) for value in row))
    is_terminal = sys.stdout.isatty()
    width = None if is_terminal else PLAIN_WIDTH
    # Drawn aside: rich itself ends the program when whoever reads has seen enough.
    drawn = io.StringIO()
    Console(file=drawn, width=width, highlight=False, force_terminal=is_terminal).print(table)
    with reading_may_end():
        sys.stdout.write(drawn.getvalue())
        sys.stdout.flush()


def shown_value(value: object) -> str:
    """Return a value as a table shows it.

    Examples
    --------
    >>> from normd.cli.display.console import shown_value
    >>> shown_value(0.123456789), shown_value(None), shown_value(["a", "b"])
    ('0.123457', '', 'a, b')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={shown_value(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(shown_value, value))
    return str(value)
