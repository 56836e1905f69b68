"""From the start of the process to ready, against the two seconds that it may take."""

from __future__ import annotations

import time

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import compare
from benchmarks.server import service

STARTS = 5
LIMIT_SECONDS = 2.0


def measure(effort: Effort) -> Measured:
    """Start the service on an empty folder, several times."""
    starts = [_start() for _ in range(effort.of(STARTS))]
    return compare(starts, [LIMIT_SECONDS] * len(starts))


def _start() -> float:
    began = time.perf_counter()
    with service():
        return time.perf_counter() - began
