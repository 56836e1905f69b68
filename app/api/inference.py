"""``/v2``: a stored normalizer as a model of the Open Inference Protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import orjson
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.api import pieces
from app.api.direct import BodyRoute
from app.api.envelope import version_headers, work_tree
from app.api.exchange import body_of, context_of
from app.api.offloading import off_loop
from app.api.openapi.media_types import OCTETS
from app.api.operations import require_ready
from app.registry.records import VersionRecord
from app.service import work as service
from app.service.context import Context
from app.service.requests.bodies import StoredWorkBody, read_body
from app.service.requests.cancellation import raise_if_cancelled
from app.service.work import Transformed
from normalizers import __version__
from normalizers.errors import InvalidInput
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.inference.answer import encode_answer
from normd.wire.inference.models import input_tensors, output_tensors
from normd.wire.inference.request import InferenceRequest, decode_request

router = APIRouter(prefix="/v2", tags=["inference protocol"])
work = APIRouter(prefix="/v2", tags=["inference protocol"], route_class=BodyRoute)

JSON_LENGTH = "Inference-Header-Content-Length"
EXTENSIONS = ("binary_tensor_data",)
PLATFORM = "normd"
INVERSE = "inverse"
MOST_DIGITS = 18
# What tells of an answer stands in its parameters as JSON text: they hold nothing but scalars.
TOLD = ("flags", "warnings", "report", "explain")


@router.get("", operation_id="inference_server", summary="The server, to inference clients")
async def server() -> Response:
    """Return the name, the version and the extensions of the protocol."""
    return _json({"name": PLATFORM, "version": __version__, "extensions": EXTENSIONS})


@router.get("/health/live", operation_id="inference_live", summary="Is the process alive?")
async def live() -> Response:
    """Answer at once."""
    return _json({"live": True})


@router.get("/health/ready", operation_id="inference_ready", summary="Can it serve?")
def ready(request: Request) -> Response:
    """Answer whether the registry can be read and written."""
    require_ready(context_of(request))
    return _json({"ready": True})


@router.get("/models/{name}", operation_id="inference_model", summary="A normalizer as a model")
def model(request: Request, name: str) -> Response:
    """Return the versions of a name, and the tensors of the one it stands for."""
    return _described(request, name)


@router.get(
    "/models/{name}/versions/{version}",
    operation_id="inference_model_version",
    summary="A version as a model",
)
def model_version(request: Request, name: str, version: str) -> Response:
    """Return the tensors of a version."""
    return _described(request, _reference(name, version))


@router.get("/models/{name}/ready", operation_id="inference_model_ready", summary="Is it there?")
def model_ready(request: Request, name: str) -> Response:
    """Answer whether a name has a version."""
    return _ready(request, name)


@router.get(
    "/models/{name}/versions/{version}/ready",
    operation_id="inference_model_version_ready",
    summary="Is the version there?",
)
def model_version_ready(request: Request, name: str, version: str) -> Response:
    """Answer whether a version is there."""
    return _ready(request, _reference(name, version))


@work.post("/models/{name}/infer", operation_id="infer", summary="Transform tensors")
async def infer(request: Request, name: str) -> Response:
    """Apply a stored normalizer to tensors that are named as its fields.

    Options are parameters of the request, and so is ``inverse`` for the way back.
    """
    return await _infer(request, name)


@work.post(
    "/models/{name}/versions/{version}/infer",
    operation_id="infer_version",
    summary="Transform tensors by a version",
)
async def infer_version(request: Request, name: str, version: str) -> Response:
    """Apply a version to tensors that are named as its fields."""
    return await _infer(request, _reference(name, version))


def _reference(name: str, version: str) -> str:
    return f"{name}@{version}"


def _ready(request: Request, reference: str) -> Response:
    record = context_of(request).versions.record(reference)
    return _json({"name": record.name, "ready": True})


def _described(request: Request, reference: str) -> Response:
    context = context_of(request)
    record, version = context.versions.find(reference)
    tree = {
        "name": record.name,
        "versions": [str(number) for number in _numbers(context, record.name)],
        "platform": f"{PLATFORM}_{record.method}",
        "inputs": input_tensors(version.takes, version.fitted.sizes),
        "outputs": output_tensors(version.gives, version.fitted.sizes),
    }
    return _json(tree, headers=version_headers(record))


def _numbers(context: Context, name: str) -> Iterator[int]:
    after = 0
    while True:
        page = context.registry.versions.history(
            name, limit=context.settings.max_page_size, after=after
        )
        yield from (record.number for record in page.items)
        if page.next is None:
            return
        after = int(page.next)


async def _infer(request: Request, reference: str) -> Response:
    context = context_of(request)
    body = await body_of(request)
    found = context.versions.cached(reference)
    length = _json_length(request)

    def answer() -> Response:
        raise_if_cancelled()
        bounds = DecodeLimits(context.settings.max_json_depth, context.settings.max_values)
        sent = decode_request(body, length, bounds)
        done = _transformed(context, reference, sent)
        raise_if_cancelled()
        return _written(done, sent)

    if found is None or len(body) > context.settings.offload_bytes:
        return await off_loop(request, answer)
    return answer()


def _transformed(context: Context, reference: str, sent: InferenceRequest) -> Transformed:
    found = context.versions.find(reference)
    options = dict(sent.parameters)
    inverse = options.pop(INVERSE, False)
    if not isinstance(inverse, bool):
        raise InvalidInput("true or false", path=f"parameters.{INVERSE}")
    tree = {"input": sent.input, "options": options} if options else {"input": sent.input}
    body = read_body(StoredWorkBody, tree)
    return service.transform_stored(context, found, body, inverse=inverse)


def _written(done: Transformed, sent: InferenceRequest) -> Response:
    record = _record(done)
    tree = work_tree(done)
    told = {name: dumps(plain(tree[name])).decode() for name in TOLD if tree.get(name)}
    head: dict[str, object] = {
        "model_name": record.name,
        "model_version": str(record.number),
        **({} if sent.id is None else {"id": sent.id}),
        "parameters": {"hash": record.hash, **told},
    }
    content, length = encode_answer(head, done.answer.output, sent)
    headers = version_headers(record)
    if length is None:
        return pieces.response(content, status=200, media_type="application/json", headers=headers)
    headers[JSON_LENGTH] = str(length)
    return pieces.response(content, status=200, media_type=OCTETS, headers=headers)


def _record(done: Transformed) -> VersionRecord:
    if done.record is None:
        raise RuntimeError("a stored version has a record")
    return done.record


def _json_length(request: Request) -> int | None:
    sent = request.headers.get(JSON_LENGTH)
    if sent is None:
        return None
    if not sent.isdecimal() or len(sent) > MOST_DIGITS:
        raise Unparseable(f"{JSON_LENGTH} is the number of bytes of the JSON")
    return int(sent)


def _json(tree: Mapping[str, object], headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(tree), media_type="application/json", headers=dict(headers or {}))
