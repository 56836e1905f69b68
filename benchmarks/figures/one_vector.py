"""The median latency of one vector, against a Starlette route that answers what it was sent."""

from __future__ import annotations

import orjson

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured
from benchmarks.pairs import alternate, typical
from benchmarks.rows import npy, rows
from benchmarks.server import reference, service

PAIRS = 15
BURST = 200


def npy_p50(effort: Effort) -> Measured:
    """Send the vector as npy."""
    return _measure(npy(rows(1)), stored.NPY, effort)


def json_p50(effort: Effort) -> Measured:
    """Send the vector as JSON."""
    body = {"input": {"x": rows(1)}}
    return _measure(orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY), stored.JSON, effort)


def _measure(body: bytes, media_type: str, effort: Effort) -> Measured:
    transform = request(stored.TRANSFORM, body, media_type)
    echo = request("/", body, media_type)
    with service() as ours, reference("echo") as bare:
        stored.fit(ours)
        with Connection(ours.port) as asked, Connection(bare.port) as echoed:
            return alternate(
                lambda: typical(lambda: asked.ask(transform), BURST),
                lambda: typical(lambda: echoed.ask(echo), BURST),
                effort.of(PAIRS),
            )
