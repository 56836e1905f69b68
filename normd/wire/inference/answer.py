"""Outputs as tensors of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from normalizers.data.arrays import Array, as_stored
from normalizers.errors import InvalidInput
from normalizers.messages import unknown
from normd.wire.codecs.arrays import is_numeric, refuse_infinities
from normd.wire.codecs.document import Content
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.codecs.lists import OUTPUT, with_offsets
from normd.wire.codecs.paths import Keys, tensor_name
from normd.wire.inference.datatypes import BYTES, bytes_of, datatype_of
from normd.wire.inference.request import BINARY_SIZE, InferenceRequest


def encode_answer(
    head: Mapping[str, object], output: Mapping[str, object], request: InferenceRequest
) -> tuple[Content, int | None]:
    """Return the body of an answer, and the length of its JSON where bytes follow.

    Parameters
    ----------
    head : mapping
        Members beside the outputs.
    output : mapping
        The answer's outputs by name; ragged ones become flat with ``offsets`` beside them.
    request : InferenceRequest
        Which outputs it wants, and how.

    Raises
    ------
    InvalidInput
        For an output that is not there; names those there are.
    NonFiniteError
        For an infinity, which never leaves the service.
    """
    flat = with_offsets({OUTPUT: dict(output)}, nested=True)[OUTPUT]
    tensors = dict(_tensors(flat, ()))
    wanted = _wanted(tensors, request)
    described, chunks = [], []
    for name, binary in wanted.items():
        shown, chunk = _written(name, tensors[name], binary=binary)
        described.append(shown)
        chunks += chunk
    text = dumps({**head, "outputs": described})
    return ((text, *chunks), len(text)) if chunks else (text, None)


def _wanted(tensors: Mapping[str, Array | list[str]], request: InferenceRequest) -> dict[str, bool]:
    for index, name in enumerate(request.outputs):
        if name not in tensors:
            raise InvalidInput(unknown("output", name, tensors), path=f"outputs[{index}].name")
    return dict(request.outputs) or dict.fromkeys(tensors, request.binary)


def _tensors(node: object, keys: Keys) -> Iterator[tuple[str, Array | list[str]]]:
    """Yield every leaf by its name: ``state.mean``, ``runs.0.ids``."""
    if isinstance(node, Mapping):
        for key, child in node.items():
            yield from _tensors(child, (*keys, str(key)))
    elif isinstance(node, np.ndarray) and is_numeric(node):
        refuse_infinities(node, (OUTPUT, *keys))
        yield tensor_name(keys), node
    elif isinstance(node, str):
        yield tensor_name(keys), _Text([node])
    elif isinstance(node, bool | int | float):
        yield tensor_name(keys), np.asarray(node)
    elif node is not None:
        yield from _listed(_items(node), keys)


def _items(node: object) -> list[object]:
    return node.tolist() if isinstance(node, np.ndarray) else list(node)  # type: ignore[call-overload,no-any-return]


def _listed(items: Sequence[object], keys: Keys) -> Iterator[tuple[str, Array | list[str]]]:
    if all(isinstance(item, str) for item in items):
        yield tensor_name(keys), list(map(str, items))
    elif all(isinstance(item, bool | int | float) for item in items):
        yield tensor_name(keys), np.array(items)
    else:
        for index, item in enumerate(items):
            yield from _tensors(item, (*keys, index))


class _Text(list[str]):
    """One text, which has no axis."""


def _written(
    name: str, tensor: Array | list[str], *, binary: bool
) -> tuple[dict[str, object], list[bytes | memoryview]]:
    """Return the description of a tensor, and its bytes unless they stand in it as JSON."""
    if isinstance(tensor, list):
        shape = [] if isinstance(tensor, _Text) else [len(tensor)]
        shown: dict[str, object] = {"name": name, "datatype": BYTES, "shape": shape}
        chunk: bytes | memoryview = bytes_of(tensor) if binary else b""
        data: object = tensor
    else:
        stored = as_stored(tensor)
        shown = {"name": name, "datatype": datatype_of(stored), "shape": list(stored.shape)}
        chunk = memoryview(stored.reshape(-1).view(np.uint8)) if binary else b""  # type: ignore[arg-type]
        data = None if binary else plain(stored.reshape(-1), frozenset(), (OUTPUT, name))
    if binary:
        return {**shown, "parameters": {BINARY_SIZE: len(chunk)}}, [chunk]
    return {**shown, "data": data}, []
