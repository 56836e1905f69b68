"""From a request to its answer: read, decode, do, encode; off the event loop when it is large."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from app.api import pieces
from app.api.offloading import off_loop as beside
from app.api.preconditions import ETAG, tag_of, unmodified
from app.api.query import Reads, add_members
from app.service.context import Context
from app.service.requests.cancellation import raise_if_cancelled
from normd.wire.codecs import (
    JSON,
    WHOLE,
    Codec,
    DecodeLimits,
    NotAcceptable,
    UnsupportedMediaType,
    codec_for_request,
    codecs_for_answer,
)
from normd.wire.codecs.document import Content, Document
from normd.wire.codecs.lists import OFFSETS
from normd.wire.codecs.turns import turn

__all__ = [
    "Handler",
    "Reads",
    "Reply",
    "base64_paths",
    "body_of",
    "context_of",
    "respond",
    "send_reply",
]


@dataclass(frozen=True)
class Reply:
    """What a handler answers, before it is encoded."""

    tree: Mapping[str, object]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    encoded: frozenset[str] = frozenset()
    background: BackgroundTask | None = None


# A fit of a few rows may cost far more than its bytes say: work grows with the cube of the dims.
# Each query meets every run of all queries, and an explanation has a part for each run and hit.
FITTED_FROM = frozenset({"fit", "statistics"})
FAR_LARGER = frozenset({*FITTED_FROM, "queries", "explain"})
REFERENCE = b'"ref"'
FLAG_COUNTS, WARNING_COUNTS = "Normd-Flags", "Normd-Warnings"

Handler = Callable[[Context, Document], Reply]


def context_of(request: Request) -> Context:
    """Return the parts of the service that answers this request."""
    context: Context = request.app.state.context
    return context


async def respond(
    request: Request, handler: Handler, reads: Reads, *, off_loop: bool = False
) -> Response:
    """Answer a request that has a body.

    Small work is done at once. What reads or writes files (`off_loop`, a reference in the body),
    fits, and bodies above ``NORMD_OFFLOAD_BYTES`` leave the event loop: reading, computing and
    writing begin only while the client waits.
    """
    context = context_of(request)
    codec = request_codec(request, reads)
    accept = request.headers.get("accept")
    answer_codecs = codecs_for_answer(
        accept, codec, arrays=reads.answers_arrays, ranked=reads.ranked
    )
    body = await body_of(request)

    def read() -> Document:
        bounds = DecodeLimits(context.settings.max_json_depth, context.settings.max_values)
        with turn(len(body)):
            raise_if_cancelled()
            document = codec.decode(body, bounds, reads.array)
        if codec.query:
            add_members(document.tree, request, reads, context.catalogue, bounds)
        return document

    def answer(document: Document) -> Response:
        raise_if_cancelled()
        reply = handler(context, document)
        with turn(len(body)):
            raise_if_cancelled()
            return written(reply, answer_codecs)

    if off_loop or len(body) > context.settings.offload_bytes or REFERENCE in body:
        return await beside(request, lambda: answer(read()))
    document = read()
    options = document.tree.get("options")
    explained = isinstance(options, Mapping) and "explain" in options
    if explained or FAR_LARGER & document.tree.keys():
        return await beside(request, lambda: answer(document))
    return answer(document)


async def body_of(request: Request) -> bytes:
    """Return the body; one that came whole is not copied, as the framework's own call would."""
    if not hasattr(request, "_body"):
        chunks = [chunk async for chunk in request.stream() if chunk]
        request._body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
    return await request.body()


def request_codec(request: Request, reads: Reads) -> Codec:
    """Return the codec of a request's body.

    Raises
    ------
    UnsupportedMediaType
        For a media type that is not read here, or one array where a request is more than that.
    """
    codec = codec_for_request(request.headers.get("content-type"), ranked=reads.ranked)
    if codec.one_array and not reads.array:
        raise UnsupportedMediaType(
            f"this request is more than one array; send {' or '.join(WHOLE)}",
            accept=(name for name, whole in WHOLE.items() if whole.installed),
        )
    return codec


def send_reply(request: Request, reply: Reply) -> Response:
    """Answer a request without a body; 304 in place of what the client has already."""
    (codec, *_) = codecs_for_answer(request.headers.get("accept"), JSON)
    return unmodified(request, headers_of(reply, codec)) or written(reply, [codec])


def written(reply: Reply, codecs: Sequence[Codec]) -> Response:
    """Return a reply as bytes, by the first codec that can carry it.

    A form without room for flags or warnings has their counts in headers.
    """
    codec, content = _encoded(reply, codecs)
    counted = _counted(reply.tree) if codec.one_array or codec.ranked else {}
    return pieces.response(
        content,
        status=reply.status,
        media_type=codec.media_type,
        headers={**headers_of(reply, codec), **counted},
        background=reply.background,
    )


def headers_of(reply: Reply, codec: Codec) -> dict[str, str]:
    """Return the headers of a reply in one form, which has an ETag of its own."""
    headers = {**reply.headers, "Vary": "Accept"}
    if ETAG in headers:
        headers[ETAG] = tag_of(headers[ETAG], codec)
    return headers


def _encoded(reply: Reply, codecs: Sequence[Codec]) -> tuple[Codec, Content]:
    first, *others = codecs
    try:
        return first, first.encode(reply.tree, reply.encoded)
    except NotAcceptable:
        if not others:
            raise
    return _encoded(reply, others)


def base64_paths(document: Document, tree: Mapping[str, object]) -> frozenset[str]:
    """Return the paths of output arrays to write in base64: all, when an input array came so."""
    if not document.encoded or not any(
        path.split(".")[0] in ("input", "runs") for path in document.encoded
    ):
        return frozenset()
    output = tree.get("output")
    names = output if isinstance(output, Mapping) else {}
    return frozenset(f"output.{name}" for name in (*names, OFFSETS))


def _counted(tree: Mapping[str, object]) -> dict[str, str]:
    """Return the headers that count flags and warnings; none where there are none."""
    flags, warnings = tree.get("flags"), tree.get("warnings")
    flagged = flags.items() if isinstance(flags, Mapping) else ()
    noticed = warnings if isinstance(warnings, list) else ()
    counted = {
        FLAG_COUNTS: {name: len(positions) for name, positions in flagged},
        WARNING_COUNTS: dict.fromkeys((str(noted["code"]) for noted in noticed), 0),
    }
    for noted in noticed:
        count = noted.get("count")
        counted[WARNING_COUNTS][str(noted["code"])] += count if isinstance(count, int) else 1
    return {
        header: ", ".join(f"{name}={count}" for name, count in counts.items())
        for header, counts in counted.items()
        if counts
    }
