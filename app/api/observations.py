"""``/v1/normalizers/{name}/observations``: the open statistics of a name."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from app.api.exchange import Reads, Reply, context_of, respond, send_reply
from app.registry.references import parse_name
from app.service.context import Context
from app.service.requests.bodies import ObservationBody, read_body
from app.service.versions import observations as service
from app.service.versions.newest import newest
from normd.wire.codecs.document import Document

router = APIRouter(prefix="/v1/normalizers/{name}/observations", tags=["observations"])


@router.post("", operation_id="observe", summary="Fold in an observation")
async def observe(request: Request, name: str) -> Response:
    """Fold data or statistics into the open statistics, durably, before it answers."""
    key = request.headers.get("idempotency-key")

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(ObservationBody, document.tree)
        folded = service.fold(context, parse_name(name), body, key)
        behind = BackgroundTask(service.compact, context, name) if folded.compaction_due else None
        return Reply({"name": name, "counted": folded.created}, background=behind)

    return await respond(request, handle, Reads(ObservationBody, "fit"), off_loop=True)


@router.get("", operation_id="observed", summary="Show the open statistics")
def observed(request: Request, name: str) -> Response:
    """Return the open statistics; the answer can be posted elsewhere as it is."""
    context = context_of(request)
    total = service.total(context, newest(context, name))
    return send_reply(request, Reply({"statistics": total.to_arrays()}))


@router.delete("", operation_id="forget", summary="Empty the open statistics", status_code=204)
def forget(request: Request, name: str) -> Response:
    """Empty the open statistics; versions stay."""
    context_of(request).registry.observations.clear(parse_name(name))
    return Response(status_code=204)
