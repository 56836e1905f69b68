"""Names: created, opened, listed, deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from normd.client.calls import Call, Flow, fresh_key
from normd.client.errors import TooLarge
from normd.client.exchange import exchange, get, send
from normd.client.flows import Page
from normd.client.forms import FormName
from normd.client.methods import method_of
from normd.client.records import Manifest
from normd.client.requests import Progress
from normd.client.sessions import Session
from normd.client.sources import Source, named_fit
from normd.client.streaming import blocks_of, streamed


def create(
    session: Session,
    name: str,
    method: str,
    *,
    params: Mapping[str, object] | None = None,
    fit: object = None,
    statistics: Mapping[str, object] | None = None,
    weights: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    description: str = "",
    tags: Sequence[str] = (),
    dry_run: bool = False,
    form: FormName | None = None,
    progress: Progress | None = None,
) -> Flow[Manifest]:
    """Fit a first version under a new name, or open the name for observations.

    Parameters
    ----------
    name : str
        1 to 128 of ``A-Z a-z 0-9 . _ -``, first a letter or digit.
    method : str
        A method, by name or alias.
    params : mapping, optional
        Its parameters.
    fit : array_like or mapping, optional
        Data: the main field, or fields by name.
    statistics, weights : mapping, optional
        Statistics or imported arrays in place of data.
    options : mapping, optional
        Of a fit on data: ``strict``, and what else the method takes, as ``layout``.
    description, tags : str and sequence of str
        For people.
    dry_run : bool
        Fit and report, and store nothing.
    form : str, optional
        The form of the body.
    progress : callable, optional
        Is told how many of all units are done when the data go out in blocks.

    Returns
    -------
    Manifest
        The name and its first version; an opened name has version None.

    Notes
    -----
    The same request again returns the version it made. Data above a limit of the service are
    observed in blocks, whose keys follow from what they hold, and the version is made from the
    observations: give such a fit a name of its own. If it breaks, the same call goes on where it
    stopped. It equals the fit of the whole within rounding; what needs the whole at once, such as
    parameters that are searched, is refused by the service.
    """
    known = yield from method_of(session, method, params or {})
    named = {"name": name, "method": method}
    told = {"description": description} if description else {}
    tagged = {"tags": list(tags)} if tags else {}
    session.forget(name)
    source = Source(params, fit, statistics, weights).members(known)
    asked = {"options": dict(options)} if options else {}
    query = {"dry_run": "true"} if dry_run else {}
    call = Call("POST", "/v1/normalizers", query=query, headers=fresh_key())
    try:
        document = yield from exchange(
            session, call, {**named, **source, **asked, **told, **tagged}, form, ("method",)
        )
    except TooLarge:
        said = (options or {}).get("layout")
        layout = said if isinstance(said, str) else None
        data = None if fit is None or dry_run else named_fit(fit, known)
        blocks = None if data is None else (yield from blocks_of(session, known, data, layout))
        if blocks is None:
            raise
        return (yield from streamed(session, {**named, **told, **tagged}, blocks, progress, asked))
    return cast(Manifest, document.tree)


def fit(
    session: Session,
    name: str,
    method: str,
    x: object = None,
    /,
    *,
    params: Mapping[str, object] | None = None,
    options: Mapping[str, object] | None = None,
    description: str = "",
    tags: Sequence[str] = (),
    dry_run: bool = False,
    form: FormName | None = None,
    progress: Progress | None = None,
    **fields: object,
) -> Flow[Manifest]:
    """Fit a method on data and store it as the first version of a new name.

    `x` is the main field, others go in by name; the rest is as in `create`.

    Examples
    --------
    >>> import tempfile
    >>> from normd.client import Client
    >>> from app.settings import Settings
    >>> client = Client.local(Settings(data=tempfile.mkdtemp()))
    >>> scores = [1.0, 3.0, 50.0, 70.0]
    >>> manifest = client.fit("judges", "group_z_score", scores, groups=["fr", "fr", "si", "si"])
    >>> manifest["version"], manifest["n"]
    (1, 4)
    >>> client.close()
    """
    known = yield from method_of(session, method, params or {})
    values = {**({} if x is None else named_fit(x, known)), **fields}
    made = yield from create(
        session,
        name,
        method,
        params=params,
        fit=values,
        options=options,
        description=description,
        tags=tags,
        dry_run=dry_run,
        form=form,
        progress=progress,
    )
    return made


def show(session: Session, ref: str) -> Flow[Manifest]:
    """Return the manifest of what a reference points to; an open name has version None."""
    tree = yield from get(session, Call("GET", "/v1/normalizers/{ref}", {"ref": ref}), "method")
    return cast(Manifest, tree)


def delete(session: Session, ref: str) -> Flow[None]:
    """Delete ``name@7``, or ``name`` with all its versions; refused while an alias points there."""
    session.forget(ref)
    call = Call("DELETE", "/v1/normalizers/{ref}", {"ref": ref}, repeatable=False)
    yield from send(session, call)


def names(session: Session, cursor: str = "") -> Flow[Page[Manifest]]:
    """Yield every name with its newest version."""
    query = {"cursor": cursor} if cursor else {}
    tree = yield from get(session, Call("GET", "/v1/normalizers", query=query), "items", "next")
    return cast("list[Manifest]", tree["items"]), cast("str | None", tree["next"])
