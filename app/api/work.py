"""``/v1/transform``, ``/v1/inverse``, ``/v1/fuse`` and the same on stored versions."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api.direct import BodyRoute
from app.api.envelope import queries_tree, version_headers, work_tree
from app.api.exchange import Handler, Reads, Reply, base64_paths, body_of, context_of, respond
from app.api.offloading import off_loop
from app.api.preconditions import require_version
from app.service import work as service
from app.service.context import Context
from app.service.fusion import fusion
from app.service.requests.bodies import StoredWorkBody, WorkBody, read_body
from app.service.work import Transformed
from normd.wire.codecs import codec_for_request, is_ranked
from normd.wire.codecs.document import Document

router = APIRouter(tags=["work"], route_class=BodyRoute)

ONE_SHOT = Reads(WorkBody, "input", answers_arrays=True)
RANKED_LISTS = Reads(ranked=True)
STORED = Reads(StoredWorkBody, "input", answers_arrays=True)


@router.post("/v1/transform", operation_id="transform", summary="Transform once")
async def transform(request: Request) -> Response:
    """Apply a method, fitted on what the request carries or on nothing."""
    return await respond(request, _one_shot(inverse=False), ONE_SHOT)


@router.post("/v1/inverse", operation_id="inverse", summary="Go back once")
async def inverse(request: Request) -> Response:
    """Return the input that gives an output, from what the transform returned."""
    return await respond(request, _one_shot(inverse=True), ONE_SHOT)


@router.post("/v1/fuse", operation_id="fuse", summary="Fuse ranked lists")
async def fuse(request: Request) -> Response:
    """Return one ranked list of several, for one query or many; parameters stand flat beside.

    ``ref`` in place of ``method`` names a stored fusion.
    """
    # A reference in the query string reads files as one in the body does.
    return await respond(request, _fused, RANKED_LISTS, off_loop="ref" in request.query_params)


@router.post(
    "/v1/normalizers/{ref}/transform",
    operation_id="transform_stored",
    summary="Transform by a stored version",
)
async def transform_stored(request: Request, ref: str) -> Response:
    """Apply the version a reference points to at this moment."""
    return await _stored(request, ref, inverse=False)


@router.post(
    "/v1/normalizers/{ref}/inverse",
    operation_id="inverse_stored",
    summary="Go back by a stored version",
)
async def inverse_stored(request: Request, ref: str) -> Response:
    """Return the input that gives an output of a stored version."""
    return await _stored(request, ref, inverse=True)


def _fused(context: Context, document: Document) -> Reply:
    done = fusion.fuse(context, document.tree)
    if isinstance(done, Transformed):
        return _reply(done, document)
    return Reply(queries_tree(done), headers=version_headers(done.record))


async def _stored_fusion(request: Request, ref: str) -> Response:
    """Answer ranked lists that were sent as text; 415 where the version fuses none."""
    context = context_of(request)
    await body_of(request)
    record, version = await off_loop(request, lambda: context.versions.find(ref))
    require_version(request, record)
    if fusion.RUNS not in version.resolved_method.takes:
        codec_for_request(request.headers.get("content-type"))

    def handle(context: Context, document: Document) -> Reply:
        return _fused(context, Document({**document.tree, "ref": ref}, document.encoded))

    return await respond(request, handle, RANKED_LISTS, off_loop=True)


async def _stored(request: Request, ref: str, *, inverse: bool) -> Response:
    """Answer by a stored version; on the event loop when it is small and in memory."""
    if not inverse and is_ranked(request.headers.get("content-type")):
        return await _stored_fusion(request, ref)
    found = context_of(request).versions.cached(ref)

    def handle(context: Context, document: Document) -> Reply:
        body = read_body(StoredWorkBody, document.tree)
        version = found or context.versions.find(ref)
        require_version(request, version[0])
        done = service.transform_stored(context, version, body, inverse=inverse)
        return _reply(done, document)

    return await respond(request, handle, STORED, off_loop=found is None)


def _one_shot(*, inverse: bool) -> Handler:
    def handle(context: Context, document: Document) -> Reply:
        body = read_body(WorkBody, document.tree)
        return _reply(service.transform(context, body, inverse=inverse), document)

    return handle


def _reply(work: Transformed, document: Document) -> Reply:
    tree = work_tree(work)
    return Reply(tree, headers=version_headers(work.record), encoded=base64_paths(document, tree))
