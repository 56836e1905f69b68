"""A JSON transform end to end, against what is quickly written with FastAPI."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import orjson

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import alternate, timed
from benchmarks.rows import rows
from benchmarks.server import reference, service

ROWS = 1_000
PAIRS = 10
FAST = "simdjson"


def against_bare(effort: Effort) -> Measured:
    """Compare the core install with a route that declares no return type."""
    return _measure("/bare", (FAST,), effort)


def against_annotated(effort: Effort) -> Measured:
    """Compare the core install with a route that declares its return type."""
    return _measure("/annotated", (FAST,), effort)


def fast_against_bare(effort: Effort) -> Measured:
    """Compare the install with the extra `fast` with a route that declares no return type."""
    return _with_fast("/bare", effort)


def fast_against_annotated(effort: Effort) -> Measured:
    """Compare the install with the extra `fast` with a route that declares its return type."""
    return _with_fast("/annotated", effort)


def _with_fast(path: str, effort: Effort) -> Measured:
    if find_spec(FAST) is None:
        raise Unmeasurable("the extra 'fast' is not installed")
    return _measure(path, (), effort)


def _measure(path: str, hidden: Sequence[str], effort: Effort) -> Measured:
    fields = {"x": rows(ROWS)}
    numbers = orjson.dumps(fields, option=orjson.OPT_SERIALIZE_NUMPY)
    plain = request(path, numbers, stored.JSON)
    transform = request(stored.TRANSFORM, b'{"input":' + numbers + b"}", stored.JSON)
    with service(hidden=hidden) as ours, reference("plain") as theirs:
        stored.fit(ours)
        with Connection(ours.port) as asked, Connection(theirs.port) as compared:
            return alternate(
                lambda: timed(lambda: asked.ask(transform)),
                lambda: timed(lambda: compared.ask(plain)),
                effort.of(PAIRS),
            )
