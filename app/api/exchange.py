"""From a request to its answer: read, decode, do, encode; off the event loop when it is large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio.to_thread
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from app.codecs import (
    JSON,
    Bounds,
    Codec,
    UnsupportedMediaType,
    codec_for_answer,
    codec_for_request,
)
from app.codecs.document import Document
from app.service.context import Context


@dataclass(frozen=True)
class Reply:
    """What a handler answers, before it is encoded."""

    tree: Mapping[str, object]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    encoded: frozenset[str] = frozenset()
    background: BackgroundTask | None = None


# A fit of a few rows may cost far more than its bytes say: work grows with the cube of the dims.
FITTED_FROM = frozenset({"fit", "statistics"})
REFERENCE = b'"ref"'

Handler = Callable[[Context, Document, Codec], Reply]


def context_of(request: Request) -> Context:
    """Return the parts of the service that answers this request."""
    context: Context = request.app.state.context
    return context


async def exchange(request: Request, handler: Handler, *, off_loop: bool = False) -> Response:
    """Answer a request that has a body.

    Small work is done at once. What reads or writes files (`off_loop`, a reference in the body),
    fits, and bodies above ``NORMD_OFFLOAD_BYTES`` leave the event loop.
    """
    context, limiter = context_of(request), request.app.state.limiter
    codec = request_codec(request)
    answer_codec = codec_for_answer(request.headers.get("accept"), codec)
    body = await request.body()

    def read() -> Document:
        bounds = Bounds(context.settings.max_json_depth, context.settings.max_values)
        return codec.decode(body, bounds)

    def answer(document: Document) -> Response:
        return written(handler(context, document, answer_codec), answer_codec)

    if off_loop or REFERENCE in body or len(body) > context.settings.offload_bytes:
        return await anyio.to_thread.run_sync(lambda: answer(read()), limiter=limiter)
    document = read()
    if FITTED_FROM & document.tree.keys():
        return await anyio.to_thread.run_sync(answer, document, limiter=limiter)
    return answer(document)


def request_codec(request: Request) -> Codec:
    """Return the codec of a request's body.

    Raises
    ------
    UnsupportedMediaType
        For a media type or a compression that is not read here.
    """
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding != "identity":
        raise UnsupportedMediaType("compressed bodies are not read here; send it uncompressed")
    return codec_for_request(request.headers.get("content-type"))


def show(request: Request, reply: Reply) -> Response:
    """Answer a request without a body."""
    return written(reply, codec_for_answer(request.headers.get("accept"), JSON))


def written(reply: Reply, codec: Codec) -> Response:
    """Return a reply as bytes."""
    return Response(
        codec.encode(reply.tree, reply.encoded),
        status_code=reply.status,
        media_type=codec.media_type,
        headers=dict(reply.headers),
        background=reply.background,
    )


def answered_as_sent(document: Document, tree: Mapping[str, object]) -> frozenset[str]:
    """Return the paths of output arrays to write in base64: all, when an input array came so."""
    if not any(path.split(".")[0] in ("input", "runs") for path in document.encoded):
        return frozenset()
    output = tree.get("output")
    names = output if isinstance(output, Mapping) else {}
    return frozenset(f"output.{name}" for name in names)
