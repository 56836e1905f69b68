"""Ask, read the answer, and turn what is no answer into the error it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast, get_args

import orjson

from normalizers.errors import InvalidInput
from normd.client.calls import Call, Flow, Reply
from normd.client.compression import compressed
from normd.client.errors import (
    ClientError,
    NotAcceptable,
    NotFound,
    NotSupported,
    Refused,
    TooLarge,
    Unavailable,
    UnexpectedServer,
    UnsupportedMediaType,
    refused,
)
from normd.client.forms import (
    MEDIA_TYPES,
    UNBOUNDED,
    FormName,
    accepted,
    decode,
    encode,
    holds_arrays,
)
from normd.client.retries import BUSY
from normd.client.sessions import Session, require_known
from normd.wire.codecs import Document, json
from normd.wire.problems import MEDIA_TYPE as PROBLEM

OPENAPI = Call("GET", "/openapi.json", headers={"accept": json.MEDIA_TYPE})
PLACE = re.compile(r"\{[^}]*\}")
METHOD_NOT_ALLOWED = "method-not-allowed"
LIMITS = Call("GET", "/v1/limits")
BODY_LIMIT = "max_body_bytes"
# Bodies above this size are worth asking for the limits first.
LARGE_BYTES = 2**20


def send(session: Session, call: Call) -> Flow[Reply]:
    """Return what answers a call, or raise the error that it is.

    Raises
    ------
    Refused
        For a problem answer.
    NotSupported
        When the service has no such route.
    UnexpectedServer
        When something else answered.
    """
    try:
        return (yield from _answered(session, call))
    except Refused as error:
        if isinstance(error, NotFound) or error.problem == METHOD_NOT_ALLOWED:
            yield from _require_route(session, call, error.url)
        raise


def _answered(session: Session, call: Call) -> Flow[Reply]:
    yield from _require_room(session, call)
    compressing = session.compress if session.compress not in session.unread else None
    reply = yield compressed(call, compressing)
    if reply.status < 300:
        return reply
    error = _failure(reply)
    if isinstance(error, UnsupportedMediaType) and compressing and call.content:
        session.unread.add(compressing)
        return (yield from _answered(session, call))
    raise error


def limits_of(session: Session) -> Flow[Mapping[str, float]]:
    """Return the limits of one request by name; the service is asked once."""
    if session.limits is None:
        tree = yield from get(session, LIMITS, "limits")
        found = cast("Mapping[str, Mapping[str, float]]", tree["limits"])
        session.limits = {name: limit["value"] for name, limit in found.items()}
    return session.limits


def _require_room(session: Session, call: Call) -> Flow[None]:
    """Refuse a body that the service would refuse while it is still being sent."""
    size = len(call.content or b"")
    if size <= LARGE_BYTES:
        return
    limit = (yield from limits_of(session)).get(BODY_LIMIT)
    if limit is not None and size > limit:
        error = TooLarge(f"the body is {size} bytes, above the service's limit of {int(limit)}")
        error.status, error.problem = 413, "too-large"
        error.limit, error.setting = int(limit), f"NORMD_{BODY_LIMIT.upper()}"
        raise error


def get(session: Session, call: Call, *needed: str) -> Flow[dict[str, object]]:
    """Return the object that answers a call without a body, with the members that it must have."""
    form: FormName | None = session.form if call.binary else "json"
    reply = yield from send(session, replace(call, headers={"accept": accepted(form)}))
    return decode(reply.content, reply.media_type, reply.url, needed).tree


def find(session: Session, call: Call, *needed: str) -> Flow[dict[str, object] | None]:
    """Return what `get` does, or None where there is none; every release has the route."""
    sent = replace(call, headers={"accept": accepted("json")})
    try:
        reply = yield from _answered(session, sent)
    except NotFound:
        return None
    return decode(reply.content, reply.media_type, reply.url, needed).tree


def exchange(
    session: Session,
    call: Call,
    tree: Mapping[str, object],
    form: FormName | None = None,
    needed: Sequence[str] = (),
) -> Flow[Document]:
    """Return the answer to a body, sent in the form that suits it.

    A form that the service turns out not to read gives way to JSON, once and for all, unless the
    user asked for it.
    """
    require_known("form", form, get_args(FormName))
    if form == "npy":
        raise InvalidInput(
            "npy carries one array in and one out, by `transform` and `inverse`; choose another "
            "form here",
            path="form",
        )
    chosen = form or (session.form if session.form != "npy" else None)
    written: FormName = chosen or _fitting(session, tree)
    try:
        reply = yield from send(session, _with_body(call, tree, written, chosen))
    except (UnsupportedMediaType, NotAcceptable) as error:
        if chosen is not None or written == "json":
            raise unread(written, error) from error
        session.unread.add(written)
        reply = yield from send(session, _with_body(call, tree, "json", "json"))
    return decode(reply.content, reply.media_type, reply.url, needed)


def _fitting(session: Session, tree: Mapping[str, object]) -> FormName:
    binary = holds_arrays(tree) and "safetensors" not in session.unread
    return "safetensors" if binary else "json"


def _with_body(
    call: Call, tree: Mapping[str, object], written: FormName, asked_for: FormName | None
) -> Call:
    headers = {
        **call.headers,
        "content-type": MEDIA_TYPES[written],
        "accept": accepted(asked_for),
    }
    return replace(call, headers=headers, content=encode(tree, written))


def unread(form: str, error: Refused) -> ClientError:
    """Return the error of a form that the service does not read."""
    remedy = "leave out `form`, or write form='json'" if form != "json" else "update the service"
    return NotSupported(
        f"the service at {error.url} does not read or write {form} here ({error.message}); "
        f"{remedy}",
        url=error.url,
    )


def _failure(reply: Reply) -> ClientError:
    if reply.media_type == PROBLEM:
        try:
            problem = json.decode_lists(reply.content, UNBOUNDED).tree
        except Exception:
            return UnexpectedServer(
                f"{reply.url} answered a problem that cannot be read", url=reply.url
            )
        return refused(problem, reply.status, reply.url)
    if reply.status in BUSY:
        return Unavailable(
            f"{reply.url} answered {reply.status}, but normd did not: what stands before it "
            "cannot reach it now",
            url=reply.url,
        )
    said = reply.media_type or "no media type"
    return UnexpectedServer(
        f"{reply.url} answered {reply.status} as {said}, which is not how normd refuses; "
        "is this the URL of a normd service, without a path after the port?",
        url=reply.url,
    )


def _require_route(session: Session, call: Call, url: str) -> Flow[None]:
    """Say so if it is the route that the service does not have."""
    if session.routes is None:
        session.routes = yield from _routes()
    if session.routes and f"{call.verb} {PLACE.sub('', call.route)}" not in session.routes:
        raise NotSupported(
            f"the service at {url} has no {call.verb} {call.route}: it is of another "
            "release than this client; update it, or use what it lists in /openapi.json",
            url=url,
        )


def _routes() -> Flow[frozenset[str]]:
    reply = yield OPENAPI
    if reply.status != 200 or reply.media_type != json.MEDIA_TYPE:
        return frozenset()
    try:
        paths = orjson.loads(reply.content)["paths"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return frozenset()
    return frozenset(
        f"{verb.upper()} {PLACE.sub('', path)}"
        for path, verbs in cast("Mapping[str, Mapping[str, object]]", paths).items()
        for verb in verbs
    )
