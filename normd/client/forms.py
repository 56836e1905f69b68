"""A request's tree as bytes, and an answer's bytes as a tree, by the codecs of the service."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Literal, TypeAlias

import numpy as np

from normalizers.errors import InvalidInput, MissingDependency, NonFiniteError, NormalizerError
from normd.client.errors import UnexpectedServer
from normd.wire.codecs import CodecError, DecodeLimits, Document, arrow, json, npy, safetensors
from normd.wire.codecs.arrays import encode_array

FormName: TypeAlias = Literal["json", "safetensors", "npy", "arrow"]
Body: TypeAlias = dict[str, object]

MEDIA_TYPES: Mapping[str, str] = {
    "json": json.MEDIA_TYPE,
    "safetensors": safetensors.MEDIA_TYPE,
    "npy": npy.MEDIA_TYPE,
    "arrow": arrow.MEDIA_TYPE,
}
# What the service answers is as large as it is; it is not limited a second time.
UNBOUNDED = DecodeLimits(depth=200, values=sys.maxsize)
DECODERS: Mapping[str, Callable[[bytes, DecodeLimits], Document]] = {
    json.MEDIA_TYPE: json.decode_lists,
    safetensors.MEDIA_TYPE: safetensors.decode,
    arrow.MEDIA_TYPE: lambda content, bounds: arrow.decode(content, bounds, ""),
}


def encode(tree: Mapping[str, object], form: FormName) -> bytes:
    """Return a body; arrays are base64 in JSON and tensors in safetensors.

    Raises
    ------
    NonFiniteError
        For an infinity in a list; arrays carry it.
    """
    try:
        if form == "json":
            return json.encode(_in_base64(tree))
        return (_as_arrow if form == "arrow" else safetensors.encode_request)(tree)
    except NonFiniteError as error:
        raise NonFiniteError(
            "an infinity in a list cannot be sent; send the field as a NumPy array",
            path=error.path,
        ) from None


def _as_arrow(tree: Mapping[str, object]) -> bytes:
    if find_spec("pyarrow") is None:
        raise MissingDependency(
            "form 'arrow' needs pyarrow: pip install 'normd[arrow]'", path="form"
        )
    return arrow.encode_request(tree)


def decode(content: bytes, media_type: str, url: str, needed: Sequence[str] = ()) -> Document:
    """Return what an answer says.

    Raises
    ------
    UnexpectedServer
        When it is of no form that normd writes, not what its Content-Type says, or lacks a member
        that is `needed`.
    """
    decoder = DECODERS.get(media_type)
    if decoder is None:
        raise UnexpectedServer(
            f"{url} answered {media_type or 'no media type'}, which normd does not write; "
            "is this the URL of a normd service?",
            url=url,
        )
    try:
        document = decoder(content, UNBOUNDED)
    except (CodecError, NormalizerError) as error:
        raise UnexpectedServer(
            f"{url} answered no valid {media_type}: {error.message}", url=url
        ) from None
    missing = [name for name in needed if name not in document.tree]
    if missing:
        raise UnexpectedServer(
            f"{url} answered without '{missing[0]}', which normd never does; "
            "is this the URL of a normd service?",
            url=url,
        )
    return document


def accepted(form: FormName | None) -> str:
    """Return the Accept header: the form that is asked for, or binary where the service can."""
    if form not in (None, "npy"):
        return MEDIA_TYPES[form]
    return f"{safetensors.MEDIA_TYPE}, {json.MEDIA_TYPE};q=0.5"


def holds_arrays(node: object) -> bool:
    """Return whether a tree holds an array."""
    if isinstance(node, Mapping):
        return any(holds_arrays(child) for child in node.values())
    if isinstance(node, list):
        return any(holds_arrays(child) for child in node if isinstance(child, dict | np.ndarray))
    return isinstance(node, np.ndarray)


def _in_base64(node: object) -> Body:
    encoded = _encoded(node)
    if not isinstance(encoded, dict):
        raise InvalidInput("a body is an object")
    return encoded


def _encoded(node: object) -> object:
    if isinstance(node, np.ndarray):
        return encode_array(node)
    if isinstance(node, Mapping):
        return {str(name): _encoded(child) for name, child in node.items()}
    if isinstance(node, list) and any(isinstance(child, dict | np.ndarray) for child in node):
        return [_encoded(child) for child in node]
    return node
