"""Aliases: pointers to versions, moved by compare and swap."""

from __future__ import annotations

from typing import cast

from normd.client.calls import Call, Flow
from normd.client.exchange import exchange, get, send
from normd.client.records import AliasRecord
from normd.client.sessions import Session

ROUTE = "/v1/normalizers/{name}/aliases/{alias}"


def alias(
    session: Session,
    name: str,
    alias: str,
    version: int,
    *,
    if_match: str | None = None,
    only_create: bool = False,
) -> Flow[AliasRecord]:
    """Point an alias to a version.

    Parameters
    ----------
    name, alias : str
        The name and the alias.
    version : int
        The number of the version.
    if_match : str, optional
        The hash that the alias points to now; another one is refused.
    only_create : bool
        Refuse to move an alias that is there.

    Raises
    ------
    PreconditionFailed
        When the alias points elsewhere; carries where.
    """
    headers = _if_match(if_match) | ({"if-none-match": "*"} if only_create else {})
    places = {"name": name, "alias": alias}
    call = Call("PUT", ROUTE, places, headers=headers, repeatable=not headers)
    session.forget(name)
    document = yield from exchange(session, call, {"version": version}, "json")
    return cast(AliasRecord, document.tree)


def aliases(session: Session, name: str) -> Flow[list[AliasRecord]]:
    """Return the aliases of a name and where each points."""
    call = Call("GET", "/v1/normalizers/{name}/aliases", {"name": name})
    tree = yield from get(session, call, "items")
    return cast("list[AliasRecord]", tree["items"])


def delete_alias(
    session: Session, name: str, alias: str, *, if_match: str | None = None
) -> Flow[None]:
    """Remove an alias; the version stays."""
    places = {"name": name, "alias": alias}
    headers = _if_match(if_match)
    yield from send(session, Call("DELETE", ROUTE, places, headers=headers, repeatable=False))


def _if_match(hash: str | None) -> dict[str, str]:
    return {} if hash is None else {"if-match": f'"{hash}"'}
