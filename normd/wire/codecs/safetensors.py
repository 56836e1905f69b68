"""``application/vnd.safetensors``: arrays as tensors, the rest as JSON beside them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from safetensors import SafetensorError, deserialize

from normalizers.data.arrays import Array
from normalizers.data.narrow_floats import NARROW_FLOATS, widened
from normalizers.versions.tensor_tree import serialized
from normd.wire.codecs import json
from normd.wire.codecs.arrays import NUMPY_DTYPES, from_bytes, refuse_infinities
from normd.wire.codecs.document import DecodeLimits, Document, Tree
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.codecs.path_insertion import TreeInserter
from normd.wire.codecs.paths import Keys, named_keys, tensor_name
from normd.wire.codecs.tensor_header import METADATA_KEY, Header, read_header
from normd.wire.codecs.tensors import check_values, natural, numeric, split

MEDIA_TYPE = "application/vnd.safetensors"


def decode(body: bytes, bounds: DecodeLimits | None = None) -> Document:
    """Return what a safetensors body says: its JSON, with every tensor at the path it is named by.

    BF16 and the floats of eight bits become float32, which holds each of their numbers.

    Parameters
    ----------
    body : bytes
        The file; its only metadata is JSON text under the key ``json``.
    bounds : Bounds
        Deepest nesting and most values.

    Raises
    ------
    Unparseable
        When lengths, offsets or shapes contradict each other, a tensor stands where the JSON
        already has a value, or the metadata are not strict JSON.
    DtypeError
        For a type that is not read, such as F4.
    TooLarge
        For more values than allowed.
    """
    bounds = bounds or DecodeLimits()
    header = read_header(body, bounds)
    check_values(header.values, bounds)
    document = json.decode_lists(header.json, bounds)
    graft = TreeInserter(document.tree, bounds.depth)
    arrays = _arrays(body, header)
    for name in sorted(arrays, key=natural):
        graft.add(name, arrays[name])
    graft.finish()
    return Document(document.tree, document.encoded)


def encode(tree: Tree, encoded: frozenset[str] = frozenset()) -> bytes:
    """Return `tree` as a safetensors file: every numeric array a tensor, the rest JSON.

    Arrays under ``flags``, ``warnings``, ``explain``, ``report`` and ``effective_params`` stay
    JSON. In a list, null holds the place of a tensor.

    Parameters
    ----------
    tree : mapping
        Nested mappings, sequences, scalars, arrays of any strides and byte order.
    encoded : frozenset of str
        Not needed here: tensors are binary as they are.

    Raises
    ------
    NonFiniteError
        For an infinity, which never leaves the service.
    """
    tensors, rest = split(tree, numeric)
    for keys, array in tensors.items():
        refuse_infinities(array, keys)
    return _file(tensors, rest)


def encode_request(tree: Tree) -> bytes:
    """Return `tree` as `encode` does, infinities among its arrays: a method may take them."""
    return _file(*split(tree, numeric))


def _file(tensors: Mapping[Keys, Array], rest: object) -> bytes:
    named = {tensor_name(keys): array for keys, array in tensors.items()}
    return serialized(named, {METADATA_KEY: dumps(plain(rest)).decode("utf-8")})


def _arrays(body: bytes, header: Header) -> dict[str, Array]:
    try:
        tensors = deserialize(body)  # type: ignore[no-untyped-call]
    except (SafetensorError, OverflowError, ValueError):
        raise Unparseable("not a safetensors file: the header does not hold together") from None
    return {
        name: _array(tensor["data"], tensor["dtype"], header.shapes[name], named_keys(name))
        for name, tensor in tensors
    }


def _array(content: bytes, code: str, shape: tuple[int, ...], keys: Keys) -> Array:
    if code in NARROW_FLOATS:
        content, code = widened(content, code).tobytes(), "F32"
    return from_bytes(content, np.dtype(NUMPY_DTYPES[code]).newbyteorder("<"), shape, keys)
