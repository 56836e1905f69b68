"""A fit report as text: values, tables, and numbers drawn as bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from normd.cli.display.console import print_table, print_text, shown_value

BARS = "▁▂▃▄▅▆▇█"
WIDEST = 60
MOST_ROWS = 20
FEWEST_DRAWN = 3
# Told apart from the others, or only to who draws them.
NOT_PRINTED = ("warnings", "pictures")
INDENT = "  "


def print_report(report: Mapping[str, object]) -> None:
    """Print a fit report."""
    for name, value in report.items():
        if name not in NOT_PRINTED:
            _print_member(name, value, "")


def bars(values: Sequence[float]) -> str:
    """Return numbers as bars between their smallest and largest; a long list is thinned.

    Examples
    --------
    >>> from normd.cli.display.text_report import bars
    >>> bars([1.0, 2.0, 3.0])
    '▁▄█'
    """
    drawn = _thinned(values)
    low, high = min(drawn), max(drawn)
    if high == low:
        return BARS[0] * len(drawn)
    steps = len(BARS) - 1
    # Halved: the difference of two finite numbers may be none.
    return "".join(
        BARS[int(steps * ((value / 2 - low / 2) / (high / 2 - low / 2)))] for value in drawn
    )


def is_row_of_numbers(value: object) -> bool:
    """Return whether a value is a list of numbers long enough to be drawn."""
    return (
        isinstance(value, list)
        and len(value) >= FEWEST_DRAWN
        and all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)
    )


def _print_member(name: str, value: object, indent: str) -> None:
    if isinstance(value, list) and is_row_of_numbers(value):
        ends = f"{shown_value(value[0])} ... {shown_value(value[-1])}"
        print_text(f"{indent}{name:24} {bars(value)}  {ends} ({len(value)})")
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        _print_rows(name, value, indent)
    elif isinstance(value, Mapping) and value:
        print_text(f"{indent}{name}")
        for inner, item in value.items():
            _print_member(inner, item, indent + INDENT)
    else:
        print_text(f"{indent}{name:24} {shown_value(value)}")


def _print_rows(name: str, rows: Sequence[Mapping[str, object]], indent: str) -> None:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    print_text(f"{indent}{name} ({len(rows)})")
    print_table(columns, [[row.get(column) for column in columns] for row in rows[:MOST_ROWS]])
    if len(rows) > MOST_ROWS:
        print_text(f"{indent}{INDENT}... and {len(rows) - MOST_ROWS} more; --json has them all")


def _thinned(values: Sequence[float]) -> list[float]:
    if len(values) <= WIDEST:
        return list(values)
    return [values[place * (len(values) - 1) // (WIDEST - 1)] for place in range(WIDEST)]
