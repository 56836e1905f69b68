"""Fusions against ranx, the service against the library, one request against an echo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec

import orjson

from benchmarks import stored
from benchmarks.connection import Connection, request
from benchmarks.figure import Effort, Measured, Unmeasurable
from benchmarks.pairs import alternate, beside, timed, typical
from benchmarks.runs import Runs, query_ids
from benchmarks.server import reference, service
from normalizers import ReciprocalRankFusion, WeightedSum
from normalizers.contract.answer import Answer

PAIRS = 10
BURST = 200
FUSE = "/v1/fuse"
PEER = "ranx"


def ranks_against_ranx(effort: Effort) -> Measured:
    """Fuse by reciprocal ranks, and build ranx's runs and fuse them the same way."""
    return _against_ranx(ReciprocalRankFusion().apply_to, {"method": "rrf"}, effort)


def scores_against_ranx(effort: Effort) -> Measured:
    """Fuse by weighted min-max scores, and build ranx's runs and fuse them the same way."""
    asked = {"method": "wsum", "norm": "min-max", "params": {"weights": (0.5, 0.5)}}
    return _against_ranx(WeightedSum().apply_to, asked, effort)


def service_against_library(effort: Effort) -> Measured:
    """Send columns as JSON and read the answer's bytes; the library fuses the same columns."""
    runs = Runs.drawn()
    columns, names = runs.columns(), query_ids(len(runs.runs[0].ids))
    body = orjson.dumps({"method": "rrf", "query_ids": names, "runs": columns})
    message = request(FUSE, body, stored.JSON)
    fusion = ReciprocalRankFusion()
    with service() as ours, Connection(ours.port) as asked:
        return alternate(
            lambda: timed(lambda: asked.ask(message)),
            lambda: timed(lambda: fusion.apply_to(columns)),
            effort.of(PAIRS),
        )


def one_request(effort: Effort) -> Measured:
    """Fuse one query in a request; a Starlette route answers the bytes that it was sent."""
    runs = [run.first() for run in Runs.drawn(1).runs]
    body = orjson.dumps({"method": "rrf", "runs": runs})
    fuse, echo = request(FUSE, body, stored.JSON), request("/", body, stored.JSON)
    with (
        service() as ours,
        reference("echo") as bare,
        Connection(ours.port) as asked,
        Connection(bare.port) as echoed,
    ):
        return alternate(
            lambda: typical(lambda: asked.ask(fuse), BURST),
            lambda: typical(lambda: echoed.ask(echo), BURST),
            effort.of(PAIRS),
        )


def _against_ranx(
    fuse: Callable[..., Answer], asked: Mapping[str, object], effort: Effort
) -> Measured:
    if find_spec(PEER) is None:
        raise Unmeasurable("ranx is not installed; the extra 'bench' brings it")
    from ranx import Run
    from ranx import fuse as fuse_runs

    runs = Runs.drawn()
    columns = runs.columns()
    by_query = [run.by_query() for run in runs.runs]

    def peer() -> object:
        return fuse_runs(runs=[Run(scores) for scores in by_query], **{"norm": None, **asked})

    return beside(lambda: fuse(columns), peer, effort.of(PAIRS))
