"""The open statistics of a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from normd.client.calls import IDEMPOTENCY_KEY, Call, Flow, fresh_key
from normd.client.exchange import exchange, get, send
from normd.client.forms import FormName
from normd.client.methods import method_behind
from normd.client.records import Counted
from normd.client.sessions import Session
from normd.client.sources import Source, named_fit

ROUTE = "/v1/normalizers/{name}/observations"


def observe(
    session: Session,
    name: str,
    fit: object = None,
    /,
    *,
    statistics: Mapping[str, object] | None = None,
    params: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    key: str | None = None,
    form: FormName | None = None,
    **fields: object,
) -> Flow[Counted]:
    """Fold data or statistics into the open statistics of a name, durably, before it answers.

    Parameters
    ----------
    name : str
        The name.
    fit : array_like or mapping, optional
        Data: the main field, or fields by name; further fields go in by name.
    statistics : mapping, optional
        Statistics in place of data, as `observed` and `statistics` return them.
    params : mapping, optional
        Parameters to be compared with those that the open statistics are kept with.
    options : mapping, optional
        Of data: ``strict``, and what else the method takes.
    key : str, optional
        The Idempotency-Key: what carries the same key again is not counted again. By default one
        made for this call, the same at every retry.
    form : str, optional
        The form of the body.

    Returns
    -------
    Counted
        Whether it was counted now, or before under its key.
    """
    method = yield from method_behind(session, name)
    data = named_fit(fit, method) if fit is not None else None
    data = {**(data or {}), **fields} if fields else data
    source = Source(params, data, statistics)
    headers = fresh_key() if key is None else {IDEMPOTENCY_KEY: key}
    call = Call("POST", ROUTE, {"name": name}, headers=headers)
    asked = {"options": dict(options)} if options else {}
    body = {**source.members(method), **asked}
    document = yield from exchange(session, call, body, form, ("counted",))
    return cast(Counted, document.tree)


def observed(session: Session, name: str) -> Flow[dict[str, object]]:
    """Return the open statistics of a name; they can be posted elsewhere as they are."""
    tree = yield from get(session, Call("GET", ROUTE, {"name": name}, binary=True), "statistics")
    return cast("dict[str, object]", tree["statistics"])


def discard(session: Session, name: str) -> Flow[None]:
    """Empty the open statistics of a name; its versions stay."""
    yield from send(session, Call("DELETE", ROUTE, {"name": name}))
