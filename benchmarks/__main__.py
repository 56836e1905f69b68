"""Measure and print: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks import machine, table
from benchmarks.figure import Effort, Figure, Unmeasurable
from benchmarks.figures import GROUPS


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the machine, then a line for every figure that was asked for."""
    wanted = _arguments().parse_args(arguments)
    for fact in machine.describe():
        print(fact)
    print(f"\n{table.header()}", flush=True)
    for figure in _chosen(wanted.group, wanted.only):
        _report(figure, Effort(wanted.quick))


def _arguments() -> argparse.ArgumentParser:
    names = [figure.name for figures in GROUPS.values() for figure in figures]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--group", choices=GROUPS, help="the figures of one group")
    parser.add_argument("--only", choices=names, metavar="NAME", help="one figure, by its name")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, rougher numbers")
    return parser


def _chosen(group: str | None, only: str | None) -> list[Figure]:
    groups = GROUPS.values() if group is None else [GROUPS[group]]
    figures = [figure for group_figures in groups for figure in group_figures]
    return [figure for figure in figures if only in (None, figure.name)]


def _report(figure: Figure, effort: Effort) -> None:
    try:
        measured = figure.measure(effort)
    except Unmeasurable as reason:
        print(f"{figure.name}: {reason}", file=sys.stderr)
        measured = None
    print(table.line(figure, measured), flush=True)


if __name__ == "__main__":
    main()
