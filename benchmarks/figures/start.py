"""From the start of the process to ready, against the start of a bare application."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate
from benchmarks.server import Server, reference, service

STARTS = 5


def measure(effort: Effort) -> Measured:
    """Start the service on an empty folder, and Starlette with one route, in turn."""
    return alternate(
        lambda: _start(service), lambda: _start(lambda: reference("echo")), effort.of(STARTS)
    )


def _start(server: Callable[[], AbstractContextManager[Server]]) -> float:
    began = time.perf_counter()
    with server():
        return time.perf_counter() - began
