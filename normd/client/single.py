"""One array in and one array out, as an npy file; what else a request says stands in its query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import NormalizerError
from normd.client.calls import Call, Reply
from normd.client.errors import UnexpectedServer
from normd.client.forms import MEDIA_TYPES, UNBOUNDED
from normd.wire.codecs import CodecError, npy
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.codecs.paths import tensor_name

INPUT = "input"
IN_QUERY = frozenset({"method", "params", "options"})
# Servers and proxies refuse longer request lines from 8 kB on.
LONGEST_QUERY = 4000


class VersionNames(TypedDict, total=False):
    """What tells a version: its name, its number, the SHA-256 of its file."""

    name: str
    version: int
    hash: str


def as_npy(call: Call, body: Mapping[str, object]) -> Call | None:
    """Return the call with the one array of its body as an npy file; None where it holds more."""
    fields = body.get(INPUT)
    if not isinstance(fields, Mapping) or len(fields) != 1 or body.keys() - {INPUT} - IN_QUERY:
        return None
    array = next(iter(fields.values()))
    query = _query({name: value for name, value in body.items() if name != INPUT})
    if not isinstance(array, np.ndarray) or sum(map(len, query.values())) > LONGEST_QUERY:
        return None
    media_type = MEDIA_TYPES["npy"]
    headers = {**call.headers, "content-type": media_type, "accept": media_type}
    return replace(call, query=query, headers=headers, content=b"".join(npy.file_of(array)))


def read_npy(reply: Reply) -> Array:
    """Return the array that answered."""
    if reply.media_type != MEDIA_TYPES["npy"]:
        raise UnexpectedServer(
            f"{reply.url} answered {reply.media_type}, not an npy file", url=reply.url
        )
    try:
        array = npy.decode(reply.content, UNBOUNDED, INPUT).tree[INPUT]
    except (CodecError, NormalizerError) as error:
        message = f"{reply.url} answered no valid npy file: {error.message}"
        raise UnexpectedServer(message, url=reply.url) from None
    return np.array(array)


def version_of(reply: Reply) -> VersionNames:
    """Return which version answered, where one was stored: an array has no room for it."""
    number, hash = (reply.headers.get(name) for name in ("normd-version", "normd-hash"))
    if number is None or hash is None or not number.isdecimal():
        return {}
    return {"name": reply.headers.get("normd-name", ""), "version": int(number), "hash": hash}


def _query(members: Mapping[str, object]) -> dict[str, str]:
    """Return members as query parameters: a path and a JSON value each."""
    found: dict[str, str] = {}
    for member, value in members.items():
        if isinstance(value, Mapping):
            found |= {
                tensor_name((member, str(name))): _json(child) for name, child in value.items()
            }
        else:
            found[member] = _json(value)
    return found


def _json(value: object) -> str:
    return dumps(plain(value)).decode("utf-8")
