"""A digest by which the same request is recognised, whatever form its numbers came in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

import numpy as np

from normalizers.contract.method import Method
from normalizers.data.arrays import Array, as_stored
from normalizers.data.batch import MethodReference
from normalizers.data.json_numbers import ParsedNumbers
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.manifest import params_json
from normalizers.versions.version import Version


def request_digest(*parts: object) -> str:
    """Return the SHA-256 of nested values; numbers count as float64, lists and arrays alike."""
    digest = hashlib.sha256()
    for part in parts:
        for piece in _pieces(part):
            digest.update(len(piece).to_bytes(8, "little"))
            digest.update(piece)
    return digest.hexdigest()


def _pieces(value: object) -> list[bytes]:
    if isinstance(value, Mapping):
        keys = sorted(value)
        return [b"object", *(p for key in keys for p in (str(key).encode(), *_pieces(value[key])))]
    if isinstance(value, Ragged):
        return [b"ragged", *_pieces(value.values), *_pieces(value.offsets)]
    if isinstance(value, Labels):
        return _array(value.rows)
    if isinstance(value, ParsedNumbers):
        return _array(value.array)
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, (list, tuple)):
        numbers = _numbers(value)
        if numbers is not None:
            return _array(numbers)
        return [b"list", str(len(value)).encode(), *(p for item in value for p in _pieces(item))]
    if isinstance(value, np.generic):
        return _pieces(value.item())
    if isinstance(value, MethodReference):
        return [b"named", *_pieces(value.written)]
    if isinstance(value, Version):
        return [b"version", (value.hash or content_hash(to_bytes(value))).encode()]
    if isinstance(value, Method):
        return [b"method", *_pieces([value.name, params_json(value, value.explicit_params)])]
    # Anything else fails here: what an object calls itself may hold its place in memory.
    return [json.dumps(value).encode()]


def _numbers(value: Sequence[object]) -> Array | None:
    """Return nested lists of numbers as the array they mean, None for any other list."""
    first: object = value
    while isinstance(first, (list, tuple)) and len(first):
        first = first[0]
    if not isinstance(first, (int, float)) or isinstance(first, bool):
        return None
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return None


def _array(array: Array) -> list[bytes]:
    shape = json.dumps(array.shape).encode()
    if array.dtype == object:
        return [b"text", shape, json.dumps(array.reshape(-1).tolist()).encode()]
    return [b"array", shape, as_stored(array.astype(np.float64)).tobytes()]
