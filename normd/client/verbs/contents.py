"""What a version holds: statistics, fitted arrays, report, and the file itself."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import cast
from uuid import uuid4

from normd.client.calls import Call, Flow, fresh_key
from normd.client.exchange import get, send
from normd.client.forms import MEDIA_TYPES, decode
from normd.client.records import Manifest
from normd.client.sessions import Session


def statistics(session: Session, ref: str) -> Flow[dict[str, object]]:
    """Return the sufficient statistics, to store, move and merge elsewhere."""
    return (yield from _look(session, ref, "statistics"))


def fitted(session: Session, ref: str) -> Flow[dict[str, object]]:
    """Return the arrays the fit produced."""
    return (yield from _look(session, ref, "fitted"))


def report(session: Session, ref: str) -> Flow[dict[str, object]]:
    """Return what the fit found: n, ranges, spectrum, warnings, advice."""
    call = Call("GET", "/v1/normalizers/{ref}/report", {"ref": ref})
    tree = yield from get(session, call, "report")
    return cast("dict[str, object]", tree["report"])


def version_method(session: Session, ref: str) -> Flow[dict[str, object]]:
    """Return the method as it works in a version: fields, kinds and what it can do there."""
    call = Call("GET", "/v1/normalizers/{ref}/method", {"ref": ref})
    tree = yield from get(session, call, "method")
    return cast("dict[str, object]", tree["method"])


def export(session: Session, ref: str, format: str | None = None) -> Flow[bytes]:
    """Return the one safetensors file of a version; the library alone can load and serve it.

    With a `format` the fit as another engine reads it: ``npz``, ``onnx``, what the method offers.
    """
    headers = {"accept": MEDIA_TYPES["safetensors"] if format is None else "*/*"}
    query = {} if format is None else {"format": format}
    call = Call("GET", "/v1/normalizers/{ref}/export", {"ref": ref}, query, headers)
    reply = yield from send(session, call)
    return reply.content


def save(session: Session, ref: str, path: str | os.PathLike[str]) -> Flow[str]:
    """Write the one safetensors file of a version and return its SHA-256.

    The file appears whole, or not at all.
    """
    content = yield from export(session, ref)
    target = Path(path)
    unfinished = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return sha256(content).hexdigest()


def import_(session: Session, name: str, file: bytes | str | os.PathLike[str]) -> Flow[Manifest]:
    """Store a version file, its bytes or its path, under a name."""
    content = bytes(file) if isinstance(file, bytes | bytearray) else Path(file).read_bytes()
    headers = {
        **fresh_key(),
        "content-type": MEDIA_TYPES["safetensors"],
        "accept": "application/json",
    }
    session.forget(name)
    call = Call("POST", "/v1/normalizers/import", {}, {"name": name}, headers, content)
    reply = yield from send(session, call)
    return cast(Manifest, decode(reply.content, reply.media_type, reply.url).tree)


def _look(session: Session, ref: str, what: str) -> Flow[dict[str, object]]:
    call = Call("GET", f"/v1/normalizers/{{ref}}/{what}", {"ref": ref}, binary=True)
    tree = yield from get(session, call, what)
    return cast("dict[str, object]", tree[what])
