"""Two things measured in turn, so that both meet the same machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from benchmarks.figure import Measured

Timer: TypeAlias = Callable[[], float]


def alternate(ours: Timer, reference: Timer, pairs: int) -> Measured:
    """Return the medians in milliseconds of `pairs` pairs, after one of each to warm up.

    Which of the two comes first changes from pair to pair.
    """
    ours(), reference()
    measured = [_pair(ours, reference, ours_first=pair % 2 == 0) for pair in range(pairs)]
    return compare([pair[0] for pair in measured], [pair[1] for pair in measured])


def beside(ours: Callable[[], object], reference: Callable[[], object], pairs: int) -> Measured:
    """Return the medians in milliseconds of doing both, in pairs."""
    return alternate(lambda: timed(ours), lambda: timed(reference), pairs)


def compare(ours: Sequence[float], reference: Sequence[float]) -> Measured:
    """Return the medians in milliseconds of seconds that were measured in pairs."""
    share = statistics.median(mine / theirs for mine, theirs in zip(ours, reference, strict=True))
    return Measured(
        milliseconds(statistics.median(ours)),
        milliseconds(statistics.median(reference)),
        share,
        "ms",
    )


def milliseconds(seconds: float) -> float:
    """Return seconds in thousandths."""
    return seconds * 1e3


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def busy(work: Callable[[], object]) -> float:
    """Return the seconds of processors that `work` takes: what else runs here hardly enters."""
    began = time.process_time()
    work()
    return time.process_time() - began


def typical(work: Callable[[], object], times: int) -> float:
    """Return the median seconds of doing `work` so many times."""
    return statistics.median(timed(work) for _ in range(times))


def _pair(ours: Timer, reference: Timer, *, ours_first: bool) -> tuple[float, float]:
    if ours_first:
        mine = ours()
        return mine, reference()
    theirs = reference()
    return ours(), theirs
