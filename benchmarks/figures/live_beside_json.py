"""How late `/livez` answers beside large JSON bodies, against an idle service."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from statistics import median, quantiles

import orjson

from benchmarks import stored
from benchmarks.connection import HOST, PATIENCE_SECONDS, Connection, request
from benchmarks.figure import Effort, Measured
from benchmarks.rows import DIMS, rows
from benchmarks.server import Server, service

PAIRS = 4
AT_ONCE = 4
ROWS = 1_000
NARROW = 8
PAUSE_SECONDS = 0.005
IDLE = 200
CENTILES = 100


def wide(effort: Effort) -> Measured:
    """Send rows of many dims, about 12 MB of text each time."""
    numbers = rows(ROWS).astype(float)
    body = {"input": {"x": numbers}}
    message = request(stored.TRANSFORM, _text(body), stored.JSON)
    return _measure([message] * AT_ONCE, effort)


def narrow(effort: Effort) -> Measured:
    """Send as many numbers in rows of few."""
    numbers = rows(ROWS).astype(float).reshape(ROWS * DIMS // NARROW, NARROW)
    fit = {"x": numbers[: 10 * NARROW]}
    body = {"method": "whitening", "fit": fit, "input": {"x": numbers}}
    message = request("/v1/transform", _text(body), stored.JSON)
    return _measure([message] * AT_ONCE, effort)


def missing(effort: Effort) -> Measured:
    """Send the same with one number missing, which the strict decoder reads."""
    numbers = rows(ROWS).astype(float)
    numbers[0, 0] = float("nan")
    body = {"method": "quantile_transform", "fit": {"x": numbers[1:30]}, "input": {"x": numbers}}
    message = request(
        "/v1/transform", _text({**body, "params": {"nan_policy": "omit"}}), stored.JSON
    )
    return _measure([message] * AT_ONCE, effort)


def _text(body: object) -> bytes:
    return orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)


def _measure(messages: Sequence[bytes], effort: Effort) -> Measured:
    pairs = []
    with service() as ours, ExitStack() as opened, ThreadPoolExecutor(len(messages)) as threads:
        stored.fit(ours)
        connections = [opened.enter_context(Connection(ours.port)) for _ in messages]
        for _ in range(effort.of(PAIRS)):
            idle = _late(delay for _, delay in zip(range(IDLE), _delays(ours), strict=False))
            asked = [
                threads.submit(connection.ask, message)
                for connection, message in zip(connections, messages, strict=True)
            ]
            busy = []
            for delay in _delays(ours):
                busy.append(delay)
                if all(one.done() for one in asked):
                    break
            for one in asked:
                one.result()
            pairs.append((_late(busy), idle))
    busy, idle = (median(values) for values in zip(*pairs, strict=True))
    share = median(one / other for one, other in pairs)
    return Measured(busy * 1e3, idle * 1e3, share, "ms")


def _delays(server: Server) -> Iterator[float]:
    """Yield how long `/livez` takes, asked again and again on one connection."""
    connection = HTTPConnection(HOST, server.port, timeout=PATIENCE_SECONDS)
    try:
        while True:
            begin = time.perf_counter()
            connection.request("GET", "/livez")
            connection.getresponse().read()
            yield time.perf_counter() - begin
            time.sleep(PAUSE_SECONDS)
    finally:
        connection.close()


def _late(delays: Iterator[float] | Sequence[float]) -> float:
    """Return the 99th centile."""
    found = list(delays)
    return quantiles(found, n=CENTILES, method="inclusive")[-1] if len(found) > 1 else found[0]
