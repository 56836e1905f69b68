"""An evaluation as people read it: runs by measures, and the differences from a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

# A result as it stands in an answer.
Tree: TypeAlias = Mapping[str, Any]
ALONE, BASELINE, COUNT = "scores", "baseline", "n"
MARK = "*"
DIFFERENCES = ("measure", "run", "difference", "from", "to", "p", "p (Holm)")
GAP = "  "


class Table(NamedTuple):
    """Columns and rows of texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            GAP.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )


def printed(answer: Tree) -> str:
    """Return an evaluation as text."""
    parts: list[object] = [values_table(answer)] if answer["results"] else []
    below = differences_table(answer)
    if below.rows:
        parts += ["", below, "", legend(answer)]
    return "\n".join(map(str, parts))


def values_table(answer: Tree, sort: str | None = None) -> Table:
    """Return the value of every run by every measure, marked where it differs from the baseline.

    Parameters
    ----------
    answer : mapping
        What an evaluation answers.
    sort : str, optional
        The measure whose best run comes first; by default runs stand as they were sent.
    """
    results: Sequence[Tree] = answer["results"]
    measures = tuple(dict.fromkeys(one["measure"] for one in results))
    runs = list(dict.fromkeys(one.get("run") for one in results))
    by_place = {(one.get("run"), one["measure"]): one for one in results}
    if sort is not None:
        better = {one["measure"]: one["higher_is_better"] for one in results}[sort]
        runs.sort(key=lambda run: _sorted_by(by_place[run, sort]["value"], higher=better))
    rows = [(_named(run), *(_cell(by_place[run, measure]) for measure in measures)) for run in runs]
    if any(_beside(one) and one["baseline"].get("run") is None for one in results):
        first = [by_place[runs[0], measure] for measure in measures]
        rows.append((BASELINE, *(number(one["baseline"]["value"]) for one in first)))
    return Table(("run", *measures), (*rows, (COUNT, *(_count(results, one) for one in measures))))


def differences_table(answer: Tree) -> Table:
    """Return every difference from the baseline with its interval and its p values."""
    rows = [
        (
            one["measure"],
            _named(one.get("run")),
            f"{one['baseline']['difference']:+.4f}" if _known(one) else "",
            *(number(one["baseline"]["interval"][end]) for end in ("lower", "upper")),
            *(number(one["baseline"][name]) for name in ("p", "p_holm")),
        )
        for one in answer["results"]
        if _beside(one)
    ]
    return Table(DIFFERENCES, tuple(rows))


def legend(answer: Tree) -> str:
    """Return what the mark of a value means."""
    bootstrap = answer.get("bootstrap") or {}
    confidence, samples = bootstrap.get("confidence", 0.95), bootstrap.get("samples", "")
    names = dict.fromkeys(one["baseline"]["run"] for one in answer["results"] if _beside(one))
    whom = ", ".join(BASELINE if name is None else str(name) for name in names)
    return (
        f"{MARK} differs from {whom}: p after Holm's correction is below {1 - confidence:.3g} "
        f"(paired bootstrap, {samples} resamples)"
    )


def number(value: float | None) -> str:
    """Return a number of few digits; nothing where there is none."""
    return "" if value is None else f"{value:.4g}"


def _cell(one: Tree) -> str:
    return number(one["value"]) + (MARK if _beside(one) and one["baseline"]["differs"] else "")


def _beside(one: Tree) -> bool:
    return one.get("baseline") is not None


def _known(one: Tree) -> bool:
    return one["baseline"]["difference"] is not None


def _named(run: object) -> str:
    return ALONE if run is None else str(run)


def _count(results: Sequence[Tree], measure: str) -> str:
    counts = sorted({one["n"] for one in results if one["measure"] == measure})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"


def _sorted_by(value: float | None, *, higher: bool) -> tuple[bool, float]:
    """Return what puts the best first, and what has no value last."""
    return value is None, 0.0 if value is None else -value if higher else value
