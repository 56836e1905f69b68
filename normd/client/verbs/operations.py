"""What the service says of itself: methods, limits, whether it is ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from normd.client.calls import Call, Flow
from normd.client.errors import Unavailable
from normd.client.exchange import get, limits_of
from normd.client.fields import written
from normd.client.forms import encode
from normd.client.sessions import Session


def methods(session: Session) -> Flow[list[dict[str, object]]]:
    """Return every method: family, kinds, fields, parameters, capabilities, references."""
    tree = yield from get(session, Call("GET", "/v1/methods"), "items")
    return cast("list[dict[str, object]]", tree["items"])


def method(
    session: Session, name: str, params: Mapping[str, object] | None = None
) -> Flow[dict[str, object]]:
    """Return one method by name or alias; with parameters, what holds with these."""
    query = {} if params is None else {"params": encode(written(params, "params"), "json").decode()}
    call = Call("GET", "/v1/methods/{method}", {"method": name}, query)
    return (yield from get(session, call, "name"))


def limits(session: Session) -> Flow[dict[str, float]]:
    """Return the limits of one request by name."""
    return dict((yield from limits_of(session)))


def ready(session: Session) -> Flow[bool]:
    """Return whether the service can serve now; what is no normd raises `UnexpectedServer`."""
    try:
        yield from get(session, Call("GET", "/readyz", repeatable=False), "status")
    except Unavailable:
        return False
    return True
