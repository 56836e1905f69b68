"""One line a figure, in columns, the verdict last."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.figure import Figure, Measured

NAME_WIDTH = 26
VALUE_WIDTH = 12
RATIO_WIDTH = 8
GOAL_WIDTH = 9
REACHED, MISSED = "reached", "missed"
UNKNOWN = "-"
WHOLE_FROM = 100


def header() -> str:
    """Return the names of the columns."""
    return _columns("figure", "ours", "reference", ("ratio", "goal", "verdict"))


def line(figure: Figure, measured: Measured | None) -> str:
    """Return the line of a figure; what could not be measured is missed."""
    if measured is None:
        return _columns(figure.name, UNKNOWN, UNKNOWN, (UNKNOWN, str(figure.goal), MISSED))
    ratio = f"{figure.goal.ratio(measured.share):.2f}"
    verdict = REACHED if figure.goal.is_reached(measured.share) else MISSED
    ours, reference = (f"{_rounded(value)} {measured.unit}" for value in measured[:2])
    return _columns(figure.name, ours, reference, (ratio, str(figure.goal), verdict))


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= WHOLE_FROM else f"{value:.3g}"


def _columns(name: str, ours: str, reference: str, judged: Sequence[str]) -> str:
    ratio, goal, verdict = judged
    return (
        f"{name:<{NAME_WIDTH}}{ours:>{VALUE_WIDTH}}{reference:>{VALUE_WIDTH}}"
        f"{ratio:>{RATIO_WIDTH}}{goal:>{GOAL_WIDTH}}  {verdict}"
    )
