"""``/v1/evaluate``, and ``/v1/normalizers/{ref}/drift``."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.envelope import version_headers
from app.api.exchange import Reads, Reply, respond
from app.service import evaluation as service
from app.service.context import Context
from app.service.requests.bodies import StoredWorkBody, read_body
from app.service.requests.evaluation_body import evaluation_body
from normd.wire.codecs.document import Document

router = APIRouter(tags=["evaluation"])


@router.post("/v1/evaluate", operation_id="evaluate", summary="Measure runs or scores")
async def evaluate(request: Request) -> Response:
    """Measure runs against judgements, scores against labels or qualities, beside a baseline.

    Every comparison has both values, their difference and its interval over seeded resamples of
    the queries. What is not defined is null, with the reason.
    """
    body = evaluation_body()

    def handle(context: Context, document: Document) -> Reply:
        return Reply(service.evaluate(context, read_body(body, document.tree)))

    return await respond(request, handle, Reads(body), off_loop=True)


@router.post(
    "/v1/normalizers/{ref}/drift", operation_id="drift", summary="Compare a live sample with a fit"
)
async def drift(request: Request, ref: str) -> Response:
    """Compare a live sample with the statistics that a version was fitted from.

    Distances, shifted quantiles and shares out of range, as far as the statistics know them.
    """

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(StoredWorkBody, document.tree)
        record, found = service.drift(context, ref, body)
        named = {"name": record.name, "version": record.number, "hash": record.hash}
        return Reply({**named, "method": record.method, **found}, headers=version_headers(record))

    return await respond(request, handle, Reads(StoredWorkBody, "input"), off_loop=True)
