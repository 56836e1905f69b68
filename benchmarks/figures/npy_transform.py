"""An npy transform end to end, against the sum of bare transport and bare arithmetic."""

from __future__ import annotations

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, timed
from benchmarks.rows import Affine, npy, rows
from benchmarks.server import reference, service

ROWS = 10_000
PAIRS = 15


def measure(effort: Effort) -> Measured:
    """Transform 10,000 rows of float32 through loopback."""
    x = rows(ROWS)
    affine = Affine.drawn("float32")
    body, answer = npy(x), npy(affine(x))
    exchange = request(f"/?{len(answer)}", body, stored.NPY)
    transform = request(stored.TRANSFORM, body, stored.NPY)
    with service() as ours, reference("exchange") as bare:
        stored.fit(ours)
        with Connection(ours.port) as asked, Connection(bare.port) as exchanged:

            def sum_of_parts() -> float:
                carried = timed(lambda: exchanged.ask(exchange))
                return carried + timed(lambda: affine(x))

            return alternate(
                lambda: timed(lambda: asked.ask(transform)), sum_of_parts, effort.of(PAIRS)
            )
