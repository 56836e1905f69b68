"""Peak memory: of a streamed fit against one of a quarter of the rows, of a transform against
what goes in, what comes out and a fixed allowance.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks import memory, stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured
from benchmarks.rows import npy, rows
from benchmarks.server import ROOT, service

MEBIBYTE = 1024 * 1024
ALLOWANCE = 64 * MEBIBYTE
BLOCKS = 5
TIMES = 4
ROWS = 20_000


def streamed_fit(effort: Effort) -> Measured:
    """Fit on n rows and on four times n, each in a process of its own."""
    blocks = effort.of(BLOCKS)
    return _compared(_peak_of_stream(TIMES * blocks), _peak_of_stream(blocks))


def transform(effort: Effort) -> Measured:
    """Transform 20,000 rows of float32 as npy; the growth of the service is what counts."""
    body = npy(rows(ROWS))
    with service() as server:
        stored.fit(server)
        with Connection(server.port) as connection:
            connection.ask(request(stored.TRANSFORM, npy(rows(1)), stored.NPY))
            before = memory.forget_peak(server.process)
            answer = connection.ask(request(stored.TRANSFORM, body, stored.NPY))
        grown = memory.peak(server.process) - before
    return _compared(grown, len(body) + len(answer) + ALLOWANCE)


def _peak_of_stream(blocks: int) -> int:
    command = [sys.executable, "-m", "benchmarks.streaming", str(blocks)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return int(done.stdout)


def _compared(ours: int, reference: int) -> Measured:
    return Measured(ours / MEBIBYTE, reference / MEBIBYTE, ours / reference, "MB")
