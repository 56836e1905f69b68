"""``/v1/methods``: the catalogue."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.exchange import Reply, context_of, send_reply
from app.service.errors import UnknownMethod
from normalizers.errors import UnknownName
from normd.wire.descriptions import describe

router = APIRouter(prefix="/v1/methods", tags=["methods"])


@router.get("", operation_id="methods", summary="List methods")
def methods(request: Request) -> Response:
    """Return every method: family, kinds, fields, parameters, capabilities, references."""
    catalogue = context_of(request).catalogue
    return send_reply(request, Reply({"items": [describe(cls) for cls in catalogue.values()]}))


@router.get("/{method}", operation_id="method", summary="Show a method")
def method(request: Request, method: str) -> Response:
    """Return one method by name or alias."""
    try:
        cls = context_of(request).catalogue.method(method)
    except UnknownName as error:
        raise UnknownMethod(error.message) from None
    return send_reply(request, Reply(describe(cls)))
