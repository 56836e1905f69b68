"""What an operator adds to a service: keys, metrics and logs to a request, workers to a machine."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from app.access.key_file import KeyFile
from app.registry.clock import now
from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import alternate
from benchmarks.rows import rows
from benchmarks.server import Server, command, reference
from normd.service import CONNECTION

PAIRS = 21
BURST = 500
SCORES = 100
ROUNDS = 7
CLIENTS, ASKED = 4, 12
ROWS = 1_000


def seen_and_guarded(effort: Effort) -> Measured:
    """Send a small request with a key, that is counted and logged; the other does none of it.

    What is compared is the processor time of the servers: it says the same on a busy machine.
    """
    generator = np.random.default_rng(0)
    tree = {"method": "min_max", "input": {"scores": generator.random(SCORES).tolist()}}
    body = json.dumps(tree).encode()
    with (
        _guarded("--log", "json") as (ours, key),
        reference("unguarded", "--http", CONNECTION) as bare,
        Connection(ours.port) as asked,
        Connection(bare.port) as unguarded,
    ):
        mine = request("/v1/transform", body, stored.JSON, key=key)
        theirs = request("/v1/transform", body, stored.JSON)
        return alternate(
            lambda: _burst(asked, mine, ours),
            lambda: _burst(unguarded, theirs, bare),
            effort.of(PAIRS),
        ).in_microseconds()


def workers(effort: Effort) -> Measured:
    """Answer four clients with two workers, against one."""
    body = json.dumps({"input": {"x": rows(ROWS).tolist()}}).encode()
    with _guarded("--workers", "2") as (ours, key), _guarded() as (one, other_key):
        stored.fit(ours, key)
        stored.fit(one, other_key)
        mine = request(stored.TRANSFORM, body, stored.JSON, stored.NPY, key)
        theirs = request(stored.TRANSFORM, body, stored.JSON, stored.NPY, other_key)
        return alternate(lambda: _load(ours, mine), lambda: _load(one, theirs), effort.of(ROUNDS))


@contextmanager
def _guarded(*flags: str) -> Iterator[tuple[Server, str]]:
    """Run a service that asks for a key, and give one."""
    with TemporaryDirectory(prefix="normd-bench-") as folder:
        key = KeyFile(Path(folder) / "keys.json").add("bench", ["transform", "fit"], now())
        with command(folder, "--log-level", "warning", *flags) as server:
            yield server, key


def _burst(connection: Connection, message: bytes, server: Server) -> float:
    """Return the seconds of the processor that the event loop takes for each request."""
    begun = _taken(server)
    for _ in range(BURST):
        connection.ask(message)
    return (_taken(server) - begun) / BURST


def _taken(server: Server) -> float:
    try:
        nanoseconds = Path(f"/proc/{server.process}/schedstat").read_text().split()[0]
    except OSError:
        raise Unmeasurable("this system does not tell the time of other processes") from None
    return int(nanoseconds) / 1e9


def _load(server: Server, message: bytes) -> float:
    """Return the seconds that each of several clients' requests takes, all at once.

    Each request has a connection of its own, so that workers share them.
    """

    def ask(_: int) -> None:
        with Connection(server.port) as connection:
            connection.ask(message)

    begun = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(ask, range(ASKED)))
    return (time.perf_counter() - begun) / ASKED
