"""The table that the demonstration prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEADINGS = ("normalization", "measure", "without", "with", "")
DECIMALS = 3


@dataclass(frozen=True)
class Row:
    """One measure without and with a normalization.

    Parameters
    ----------
    normalization, measure : str
    without, with_it : float or str
        Text is shown as it is and not judged.
    lower_is_better : bool
    """

    normalization: str
    measure: str
    without: float | str
    with_it: float | str
    lower_is_better: bool = False

    @property
    def verdict(self) -> str:
        """What normalization did, by the digits that are shown."""
        if isinstance(self.without, str) or isinstance(self.with_it, str):
            return ""
        change = round(self.with_it, DECIMALS) - round(self.without, DECIMALS)
        if change == 0:
            return "no change"
        return "better" if (change > 0) != self.lower_is_better else "WORSE"

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the row."""
        numbers = (_shown(self.without), _shown(self.with_it))
        return (self.normalization, self.measure, *numbers, self.verdict)


@dataclass(frozen=True)
class Section:
    """A task, in a sentence, and its rows."""

    title: str
    rows: Sequence[Row]


def render(sections: Sequence[Section]) -> str:
    """Return the table."""
    cells = [HEADINGS, *(row.cells for section in sections for row in section.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS))]
    lines = [_line(HEADINGS, widths), "-" * (sum(widths) + 2 * len(widths))]
    for section in sections:
        lines += ["", section.title, *(_line(row.cells, widths) for row in section.rows)]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    left = [f"{cell:<{width}}" for cell, width in zip(cells[:2], widths[:2], strict=True)]
    right = [f"{cell:>{width}}" for cell, width in zip(cells[2:4], widths[2:4], strict=True)]
    return "  ".join(["", *left, *right, cells[4]]).rstrip()


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.{DECIMALS}f}"
