"""``/v1/normalizers``: names and versions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from app.api.envelope import (
    listed,
    manifest_tree,
    trial_tree,
    version_headers,
    version_location,
    version_tree,
)
from app.api.exchange import Reads, Reply, context_of, respond, send_reply
from app.registry.references import NAME, parse_name, parse_reference
from app.service import normalizers
from app.service.context import Context
from app.service.normalizers import Outcome
from app.service.requests.bodies import CreateBody, VersionBody, read_body
from app.service.versions import adding
from normalizers.errors import InvalidInput
from normd.wire.codecs.document import Document

router = APIRouter(prefix="/v1/normalizers", tags=["normalizers"])

LARGEST_VERSION = 10**18
Limit = Annotated[int | None, Query(ge=1, description="items on the page")]
DryRun = Annotated[bool, Query(description="fit and report, and store nothing")]
AFTER = "``next`` of the page before"
AfterName = Annotated[str, Query(max_length=200, pattern=f"^({NAME.pattern})?$", description=AFTER)]
AfterNumber = Annotated[str, Query(max_length=200, pattern=r"^[0-9]*$", description=AFTER)]


@router.post("", operation_id="create", summary="Create a name")
async def create(request: Request, dry_run: DryRun = False) -> Response:
    """Fit a first version under a new name, or open the name for observations.

    The same request again answers 200 with the version it made. A dry run stores nothing.
    """

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(CreateBody, document.tree)
        if dry_run:
            return Reply(trial_tree(body.name, normalizers.rehearse(context, body)))
        return _created(normalizers.create(context, body))

    return await respond(request, handle, Reads(CreateBody, "fit"), off_loop=True)


@router.get("", operation_id="list_names", summary="List names")
def list_names(request: Request, limit: Limit = None, cursor: AfterName = "") -> Response:
    """Return a page of names, each with its newest version."""
    context = context_of(request)
    page = context.registry.names.list(limit=_size(context, limit), after=cursor)
    items = [listed(manifest_tree(item)) for item in page.items]
    return send_reply(request, Reply({"items": items, "next": page.next}))


@router.get("/{ref}", operation_id="show", summary="Show a version")
def show_version(request: Request, ref: str) -> Response:
    """Return the manifest of what a reference points to; an open name has ``version: null``."""
    manifest = context_of(request).versions.manifest(ref)
    headers = version_headers(manifest.version)
    return send_reply(request, Reply(manifest_tree(manifest), headers=headers))


@router.delete(
    "/{ref}", operation_id="delete", summary="Delete a version or a name", status_code=204
)
def delete(request: Request, ref: str) -> Response:
    """Delete ``name@7``, or ``name`` with all its versions; refused while an alias points there."""
    reference = parse_reference(ref)
    if reference.alias is not None:
        raise InvalidInput("delete a version (name@7) or a name, not an alias", path="ref")
    gone = normalizers.delete(context_of(request), reference.name, reference.version)
    request.state.before = gone
    return Response(status_code=204)


@router.get("/{name}/versions", operation_id="history", summary="History of a name")
def history(request: Request, name: str, limit: Limit = None, cursor: AfterNumber = "") -> Response:
    """Return a page of the versions of a name, oldest first."""
    context = context_of(request)
    after = _number(cursor)
    page = context.registry.versions.history(
        parse_name(name), limit=_size(context, limit), after=after
    )
    items = [listed(version_tree(item)) for item in page.items]
    return send_reply(request, Reply({"items": items, "next": page.next}))


@router.post("/{name}/versions", operation_id="add_version", summary="Add a version")
async def add_version(request: Request, name: str) -> Response:
    """Add a version from data, statistics, parameters, observations, a merge or a join."""
    key = request.headers.get("idempotency-key")

    def handle(context: Context, document: Document) -> Reply:
        made = adding.add_version(context, name, read_body(VersionBody, document.tree), key)
        status = 201 if made.created else 200
        headers = {**version_location(made.record), **version_headers(made.record)}
        return Reply(version_tree(made.record), status, headers)

    return await respond(request, handle, Reads(VersionBody, "fit"), off_loop=True)


def _created(outcome: Outcome) -> Reply:
    manifest = outcome.manifest
    status = 201 if outcome.created else 200
    headers = {
        "Location": f"/v1/normalizers/{manifest.name.name}",
        **version_headers(manifest.version),
    }
    return Reply(manifest_tree(manifest), status, headers)


def _size(context: Context, limit: int | None) -> int:
    return min(limit or context.settings.page_size, context.settings.max_page_size)


def _number(cursor: str) -> int:
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdigit()) or int(cursor) > LARGEST_VERSION:
        raise InvalidInput("cursor is the 'next' of the page before", path="cursor")
    return int(cursor)
