"""``/v1/evaluate``, and ``/v1/normalizers/{ref}/`` ``drift`` and ``diagnose``."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.envelope import version_headers
from app.api.exchange import Reads, Reply, respond
from app.registry.records import VersionRecord
from app.service import evaluation as service
from app.service.context import Context
from app.service.requests.bodies import DiagnosisBody, DriftBody, read_body
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
        body = read_body(DriftBody, document.tree)
        return _beside(*service.drift(context, ref, body))

    return await respond(request, handle, Reads(DriftBody, "input"), off_loop=True)


@router.post(
    "/v1/normalizers/{ref}/diagnose",
    operation_id="diagnose",
    summary="Tell whether a correction of hubs helps live queries",
)
async def diagnose(request: Request, ref: str) -> Response:
    """Tell whether a correction of hubs helps live queries, without labels.

    Measures of hubs among the nearest items before and after, beside those of random lists, how
    the bank agrees with the live queries, and a verdict that also says when the method harms.
    """

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(DiagnosisBody, document.tree)
        return _beside(*service.diagnose(context, ref, body))

    return await respond(request, handle, Reads(DiagnosisBody, "input"), off_loop=True)


def _beside(record: VersionRecord, found: Mapping[str, object]) -> Reply:
    """Return what was found of a version, with its name."""
    named = {"name": record.name, "version": record.number, "hash": record.hash}
    return Reply({**named, "method": record.method, **found}, headers=version_headers(record))
