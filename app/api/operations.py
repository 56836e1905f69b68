"""``/livez``, ``/readyz``, ``/v1/limits`` and the documented problem types."""

from __future__ import annotations

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.exchange import Reply, context_of, send_reply
from app.problems import CATALOGUE
from app.registry.errors import NotFound, Unavailable
from app.server.drain import DRAIN
from app.service.context import Context
from normd.wire.problem_types import ProblemType

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

router = APIRouter(tags=["operations"])


@router.get("/livez", operation_id="livez", summary="Is the process alive?")
async def livez() -> Response:
    """Answer at once: the event loop turns."""
    return _json({"status": "alive"})


@router.get("/readyz", operation_id="readyz", summary="Can it serve?")
def readyz(request: Request) -> Response:
    """Answer whether the registry can be read and written."""
    require_ready(context_of(request))
    return _json({"status": "ready"})


@router.get("/metrics", operation_id="metrics", summary="Metrics for Prometheus")
def metrics(request: Request) -> Response:
    """Return the metrics of every worker of this service in Prometheus's text."""
    found = getattr(request.app.state, "metrics", None)
    if found is None:
        raise NotFound("a service within a process has no metrics")
    return Response(found.text(), headers={"content-type": METRICS_TYPE})


@router.get("/v1/limits", operation_id="limits", summary="Limits of one request")
def limits(request: Request) -> Response:
    """Return every limit with its value, the setting that sets it and its meaning."""
    return send_reply(request, Reply({"limits": context_of(request).settings.limits()}))


@router.get("/problems", operation_id="problems", summary="Problem types")
def problems(request: Request) -> Response:
    """Return every problem type an answer can have."""
    return send_reply(request, Reply({"items": [_described(kind) for kind in CATALOGUE.values()]}))


@router.get("/problems/{slug}", operation_id="problem", summary="A problem type")
def problem(request: Request, slug: str) -> Response:
    """Return one problem type."""
    if slug not in CATALOGUE:
        raise NotFound("there is no such problem type")
    return send_reply(request, Reply(_described(CATALOGUE[slug])))


def require_ready(context: Context) -> None:
    """Refuse to be ready while the service ends, or the registry cannot be used.

    Raises
    ------
    Unavailable
        Says why.
    """
    if DRAIN.begun:
        raise Unavailable("not ready: the service was asked to end")
    reason = context.registry.ready()
    if reason is not None:
        raise Unavailable(f"not ready: {reason}")


def _described(kind: ProblemType) -> dict[str, object]:
    return {
        "type": kind.uri,
        "title": kind.title,
        "status": kind.status,
        "cause": kind.cause,
        "remedy": kind.remedy,
    }


def _json(tree: dict[str, object]) -> Response:
    return Response(orjson.dumps(tree), media_type="application/json")
