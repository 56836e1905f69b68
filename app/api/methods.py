"""``/v1/methods``: the catalogue."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from app.api.exchange import Reply, context_of, send_reply
from app.service.errors import UnknownMethod
from normalizers.contract.resolution import resolved_alone
from normalizers.errors import UnknownName
from normd.wire.codecs import json
from normd.wire.descriptions import describe, describe_resolved

Params = Annotated[str, Query(description="parameters, a JSON object: what holds with these")]

router = APIRouter(prefix="/v1/methods", tags=["methods"])


@router.get("", operation_id="methods", summary="List methods")
def methods(request: Request) -> Response:
    """Return every method: family, kinds, fields, parameters, capabilities, references."""
    catalogue = context_of(request).catalogue
    return send_reply(request, Reply({"items": [describe(cls) for cls in catalogue.values()]}))


@router.get("/{method}", operation_id="method", summary="Show a method")
def method(request: Request, method: str, params: Params = "") -> Response:
    """Return one method by name or alias; with parameters, what holds with these."""
    context = context_of(request)
    try:
        cls = context.catalogue.method(method)
    except UnknownName as error:
        raise UnknownMethod(error.message) from None
    if not params:
        return send_reply(request, Reply(describe(cls)))
    read = json.decode(params.encode()).tree
    alone = resolved_alone(context.versions.create(method, read))
    return send_reply(request, Reply(describe_resolved(alone)))
