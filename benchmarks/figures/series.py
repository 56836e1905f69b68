"""Windows and causal methods beside NumPy and pandas, and what the service adds to them."""

from __future__ import annotations

from functools import partial

import numpy as np
import orjson

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import alternate, beside, timed, typical
from benchmarks.rows import SEED, npy
from benchmarks.server import reference, service
from normalizers import EwmZScore, RollingZScore, WindowZScore
from normalizers.data.arrays import Array

WINDOWS = (1000, 512, 32)
STEPS = 1_000_000
ALPHA = 0.3
LONG, SHORT = 1000, 20
BURST, PAIRS = 200, 15
# Seconds that so many steps take at five million a second.
AT_FIVE_MILLION = STEPS / 5e6


def window_z_score(effort: Effort) -> Measured:
    """Compare windows of float32 with one expression of float64."""
    x = np.random.default_rng(SEED).standard_normal(WINDOWS, dtype=np.float32)

    def plain() -> Array:
        wide = x.astype(np.float64)
        centred = wide - wide.mean(axis=1, keepdims=True)
        return np.asarray(centred / wide.std(axis=1, keepdims=True))

    return beside(partial(WindowZScore().transform, x), plain, effort.of(5))


def windows_as_npy(effort: Effort) -> Measured:
    """Compare the same windows through loopback, sent as npy, with those in one process.

    The answer has loc and scale beside the windows, for which npy has no room.
    """
    x = np.random.default_rng(SEED).standard_normal(WINDOWS, dtype=np.float32)
    path = "/v1/transform?method=window_z_score"
    message = request(path, npy(x), stored.NPY, stored.SAFETENSORS)
    with service() as ours, Connection(ours.port) as asked:
        work = partial(WindowZScore().transform, x)
        return beside(lambda: asked.ask(message), work, effort.of(5))


def streamed_row(effort: Effort) -> Measured:
    """Compare one row and the state before it with a Starlette route that answers its bytes."""
    method = RollingZScore(window=SHORT)
    before = method.apply_to(_series()[: 10 * SHORT])["state"]
    body = orjson.dumps(
        {
            "method": method.name,
            "params": {"window": SHORT},
            "input": {"x": [1.5], "state": before},
        },
        option=orjson.OPT_SERIALIZE_NUMPY,
    )
    row, echo = request("/v1/transform", body, stored.JSON), request("/", body, stored.JSON)
    with (
        service() as ours,
        reference("echo") as bare,
        Connection(ours.port) as asked,
        Connection(bare.port) as echoed,
    ):
        return alternate(
            lambda: typical(lambda: asked.ask(row), BURST),
            lambda: typical(lambda: echoed.ask(echo), BURST),
            effort.of(PAIRS),
        ).in_microseconds()


def rolling_z_score(effort: Effort) -> Measured:
    """Compare a million steps with the time that five million a second allow."""
    work = partial(RollingZScore(window=LONG).transform, _series())
    return alternate(lambda: timed(work), lambda: AT_FIVE_MILLION, effort.of(5))


def rolling_windows(effort: Effort) -> Measured:
    """Compare windows of a thousand steps with windows of twenty."""
    long, short = (
        partial(RollingZScore(window=window).transform, _series()) for window in (LONG, SHORT)
    )
    return beside(long, short, effort.of(5))


def ewm_z_score(effort: Effort) -> Measured:
    """Compare exponential weights with pandas."""
    try:
        import pandas as pd
    except ImportError as missing:
        raise Unmeasurable("pandas is not installed") from missing
    series = _series()
    column = pd.Series(series)

    def plain() -> object:
        weighted = column.ewm(alpha=ALPHA)
        return (column - weighted.mean()) / weighted.std()

    return beside(partial(EwmZScore(alpha=ALPHA).transform, series), plain, effort.of(5))


def _series() -> Array:
    return np.random.default_rng(SEED).standard_normal(STEPS)
