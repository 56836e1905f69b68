"""Versions of a name: its history, new ones, merged ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias, cast

from normd.client.calls import IDEMPOTENCY_KEY, Call, Flow, fresh_key
from normd.client.exchange import exchange, get
from normd.client.flows import Page
from normd.client.forms import FormName
from normd.client.methods import method_behind
from normd.client.records import VersionRecord
from normd.client.sessions import Session
from normd.client.sources import Source

Origin: TypeAlias = Literal[
    "fit", "statistics", "weights", "params", "observations", "merge", "join"
]


def add_version(
    session: Session,
    name: str,
    from_: Origin = "observations",
    *,
    params: Mapping[str, object] | None = None,
    fit: object = None,
    statistics: Mapping[str, object] | None = None,
    weights: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    refs: Sequence[str] | None = None,
    minus: Sequence[str] | None = None,
    after: str | None = None,
    key: str | None = None,
    form: FormName | None = None,
) -> Flow[VersionRecord]:
    """Add a version to a name.

    Parameters
    ----------
    name : str
        The name.
    from_ : str
        Where it comes from: ``observations``, ``fit``, ``statistics``, ``weights``, ``params``,
        ``merge`` or ``join``.
    params : mapping, optional
        Changes to the newest given parameters.
    fit, statistics, weights : optional
        What it is made of.
    options : mapping, optional
        Of a fit on data: ``strict``, and what else the method takes.
    refs, minus : sequence of str, optional
        What a merge adds up and what it removes, or whose items a join puts side by side;
        ``name@open`` is the open statistics of a merge.
    after : str, optional
        The version that a fit goes on from: ``name@3``; the rows sent are one batch.
    key : str, optional
        The Idempotency-Key; by default one made for this call, the same at every retry.
    form : str, optional
        The form of the body.

    Returns
    -------
    VersionRecord
        The new version, or the one that the key made before.
    """
    source = Source(params, fit, statistics, weights)
    method = yield from method_behind(session, name)
    body: dict[str, object] = {"from": from_, **source.members(method)}
    body |= {"options": dict(options)} if options else {}
    body |= {} if refs is None else {"refs": list(refs)}
    body |= {} if minus is None else {"minus": list(minus)}
    body |= {} if after is None else {"after": after}
    headers = fresh_key() if key is None else {IDEMPOTENCY_KEY: key}
    call = Call("POST", "/v1/normalizers/{name}/versions", {"name": name}, headers=headers)
    session.forget(name)
    document = yield from exchange(session, call, body, form, ("version",))
    return cast(VersionRecord, document.tree)


def merge(
    session: Session,
    name: str,
    refs: Sequence[str],
    minus: Sequence[str] | None = None,
    *,
    statistics: Mapping[str, object] | None = None,
    key: str | None = None,
) -> Flow[VersionRecord]:
    """Add the version that everything in `refs` gives together, without what is in `minus`.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> first = client.fit("bm25", "percentile", [3.1, 4.7])
    >>> client.observe("bm25", [5.2, 5.9, 7.4], key="monday")["counted"]
    True
    >>> client.merge("bm25", ["bm25@1", "bm25@open"])["n"]
    5
    >>> client.close()
    """
    made = yield from add_version(
        session, name, "merge", refs=refs, minus=minus, statistics=statistics, key=key
    )
    return made


def join(
    session: Session,
    name: str,
    refs: Sequence[str],
    *,
    strict: bool = False,
    key: str | None = None,
) -> Flow[VersionRecord]:
    """Add the version of the items of everything in `refs`, fitted on the same bank.

    This is how new items enter a method that keeps numbers by item: fit the bank on them alone,
    and join. Items of later refs that stand out as hubs beside those of the first are in the
    report (``gate``); with `strict` they are refused.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> bank = [[1.0, 0.0], [0.6, 0.8]]
    >>> for name, item in (("old", [0.0, 1.0]), ("new", [0.8, 0.6])):
    ...     fit = {"bank_embeddings": bank, "gallery_embeddings": [item], "gallery_ids": [name]}
    ...     _ = client.create(name, "nnn", params={"k": 1}, fit=fit)
    >>> client.join("old", ["old@1", "new@1"])["version"]
    2
    >>> client.fitted("old")["item_ids"]
    ['old', 'new']
    >>> client.close()
    """
    options = {"strict": True} if strict else None
    made = yield from add_version(session, name, "join", refs=refs, options=options, key=key)
    return made


def versions(session: Session, cursor: str, name: str) -> Flow[Page[VersionRecord]]:
    """Yield the versions of a name, oldest first."""
    query = {"cursor": cursor} if cursor else {}
    call = Call("GET", "/v1/normalizers/{name}/versions", {"name": name}, query)
    tree = yield from get(session, call, "items", "next")
    return cast("list[VersionRecord]", tree["items"]), cast("str | None", tree["next"])
