"""``/v1/normalizers/{name}/aliases``: pointers to versions, moved by compare and swap."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.envelope import alias_tree
from app.api.exchange import Reads, Reply, context_of, respond, send_reply
from app.api.preconditions import ANY, hashes_of, sent
from app.registry.references import parse_alias, parse_name
from app.service.context import Context
from app.service.requests.bodies import AliasBody, read_body
from normalizers.errors import InvalidInput
from normd.wire.codecs.document import Document

router = APIRouter(prefix="/v1/normalizers/{name}/aliases", tags=["aliases"])


@router.get("", operation_id="list_aliases", summary="List aliases")
def list_aliases(request: Request, name: str) -> Response:
    """Return the aliases of a name and where each points."""
    found = context_of(request).registry.aliases.list(parse_name(name))
    return send_reply(request, Reply({"items": [alias_tree(alias) for alias in found]}))


@router.put("/{alias}", operation_id="put_alias", summary="Point an alias to a version")
async def put_alias(request: Request, name: str, alias: str) -> Response:
    """Point an alias to a version; ``If-Match`` and ``If-None-Match: *`` guard against races."""
    if_match, only_create = _preconditions(request)

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(AliasBody, document.tree)
        pointed = context.registry.aliases.put(
            parse_name(name), alias, body.version, if_match=if_match, if_none_match=only_create
        )
        request.state.before = [pointed.before.hash] if pointed.before else []
        request.state.after = pointed.alias.hash
        headers = {"ETag": f'"{pointed.alias.hash}"'}
        return Reply(alias_tree(pointed.alias), 201 if pointed.created else 200, headers)

    return await respond(request, handle, Reads(AliasBody), off_loop=True)


@router.delete("/{alias}", operation_id="delete_alias", summary="Delete an alias", status_code=204)
def delete_alias(request: Request, name: str, alias: str) -> Response:
    """Remove an alias; the version stays."""
    if_match, _ = _preconditions(request)
    registry = context_of(request).registry
    gone = registry.aliases.delete(parse_name(name), parse_alias(alias), if_match=if_match)
    request.state.before = [gone]
    return Response(status_code=204)


def _preconditions(request: Request) -> tuple[frozenset[str] | None, bool]:
    if_match = sent(request, "if-match")
    if_none_match = sent(request, "if-none-match")
    if if_none_match is not None and if_none_match.strip() != ANY:
        raise InvalidInput("If-None-Match is '*' here: only create", path="If-None-Match")
    hashes = hashes_of(if_match) if if_match is not None else None
    return hashes, if_none_match is not None
