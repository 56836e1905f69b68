"""Binary arrays as they stand in bodies: types, shapes, and the base64 object."""

from __future__ import annotations

import binascii
from base64 import b64encode
from collections.abc import Iterable, Mapping
from math import prod

import numpy as np

from normalizers.data.arrays import Array, all_finite, as_stored, dtype_name
from normalizers.errors import DtypeError, InvalidInput, NonFiniteError, ShapeError
from normalizers.messages import quoted
from normd.wire.codecs.paths import Keys, place

# NumPy's name of every type that is read and written, and safetensors' name of it.
TENSOR_DTYPES = {
    "bool": "BOOL",
    "uint8": "U8",
    "uint16": "U16",
    "uint32": "U32",
    "uint64": "U64",
    "int8": "I8",
    "int16": "I16",
    "int32": "I32",
    "int64": "I64",
    "float16": "F16",
    "float32": "F32",
    "float64": "F64",
}
NUMPY_DTYPES = {code: name for name, code in TENSOR_DTYPES.items()}

MEMBERS = {"dtype": str, "shape": list, "base64": str}
MOST_DIMENSIONS = 32
MOST_POSITIONS = 20


def is_encoded(node: Mapping[str, object]) -> bool:
    """Return whether `node` is meant as an array written as ``{"dtype", "shape", "base64"}``."""
    if MEMBERS.keys().isdisjoint(node):
        return False
    meant = [name for name, kind in MEMBERS.items() if isinstance(node.get(name), kind)]
    return len(meant) > 1 or node.keys() == MEMBERS.keys()


def decode_array(node: Mapping[str, object], keys: Keys) -> Array:
    """Return the array of a ``{"dtype", "shape", "base64"}`` object; its size is checked first.

    Raises
    ------
    DtypeError
        When the type is not one of those read.
    ShapeError
        When the shape is none, or does not take exactly the bytes sent.
    InvalidInput
        When a member is missing or too much, or the text is not base64.
    """
    _check_members(node, keys)
    dtype = _dtype(node["dtype"], (*keys, "dtype"))
    shape = checked_shape(node["shape"], (*keys, "shape"))
    encoded = node["base64"]
    if not isinstance(encoded, str):
        raise InvalidInput("base64 must be a string", path=place((*keys, "base64")))
    size = prod(shape) * dtype.itemsize
    _check_length(encoded, size, keys)
    return from_bytes(_decoded(encoded, keys), dtype, shape, keys)


def encode_array(array: Array) -> dict[str, object]:
    """Return `array` as a ``{"dtype", "shape", "base64"}`` object, little-endian and row-major."""
    return {
        "dtype": array.dtype.name,
        "shape": list(array.shape),
        "base64": b64encode(as_stored(array).tobytes()).decode("ascii"),
    }


def from_bytes(
    content: bytes | bytearray | memoryview,
    dtype: np.dtype[np.generic],
    shape: tuple[int, ...],
    keys: Keys,
) -> Array:
    """Return the array of `content`, whose bytes must be exactly those of `shape`."""
    size = prod(shape) * dtype.itemsize
    if len(content) != size:
        raise ShapeError(
            f"{len(content)} bytes, but {dtype.name} of shape {list(shape)} takes {size}",
            path=place(keys),
        )
    if dtype == np.bool_ and np.frombuffer(content, dtype=np.uint8).max(initial=0) > 1:
        raise InvalidInput("a bool is a byte of 0 or 1", path=place(keys))
    try:
        return np.frombuffer(content, dtype=dtype).reshape(shape)
    except ValueError:
        raise ShapeError("a dimension of the shape is too large", path=place(keys)) from None


def checked_shape(shape: object, keys: Keys) -> tuple[int, ...]:
    """Return `shape` if it is a list of whole numbers, none negative."""
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise ShapeError("a shape is a list of integers, none negative", path=place(keys))
    if len(shape) > MOST_DIMENSIONS:
        raise ShapeError(f"an array has at most {MOST_DIMENSIONS} dimensions", path=place(keys))
    return tuple(shape)


def slots(shape: Iterable[int]) -> int:
    """Return the number of values of an array, an empty axis counted as one.

    What steps along the other axes takes as long as if there were values.
    """
    return prod(max(1, size) for size in shape)


def refuse_infinities(array: Array, keys: Keys) -> None:
    """Refuse an answer's infinities: JSON has no word for them."""
    if array.dtype.kind != "f" or all_finite(array) or not np.isinf(array).any():
        return
    positions = np.argwhere(np.isinf(array))[:MOST_POSITIONS].tolist()
    raise NonFiniteError(
        "the answer holds an infinity, which no body can carry",
        path=place(keys),
        positions=positions,
    )


def is_numeric(array: Array) -> bool:
    """Return whether `array` is of a type that is written as numbers."""
    return dtype_name(array.dtype) in TENSOR_DTYPES


def _dtype(name: object, keys: Keys) -> np.dtype[np.generic]:
    if not isinstance(name, str) or name not in TENSOR_DTYPES:
        raise DtypeError(f"dtype must be one of {', '.join(TENSOR_DTYPES)}", path=place(keys))
    return np.dtype(name).newbyteorder("<")


def _check_members(node: Mapping[str, object], keys: Keys) -> None:
    missing = ", ".join(name for name in MEMBERS if name not in node)
    if missing:
        raise InvalidInput(f"an array in base64 lacks {missing}", path=place(keys))
    strange = next((name for name in node if name not in MEMBERS), None)
    if strange is not None:
        raise InvalidInput(
            f"an array in base64 has no member {quoted(strange)}; it has {', '.join(MEMBERS)}",
            path=place(keys),
        )


def _check_length(encoded: str, size: int, keys: Keys) -> None:
    groups = (size + 2) // 3
    if len(encoded) != 4 * groups:
        raise ShapeError(
            f"the shape and dtype take {size} bytes, {4 * groups} characters of padded base64, "
            f"but {len(encoded)} were sent",
            path=place(keys),
        )


def _decoded(encoded: str, keys: Keys) -> bytes:
    try:
        return binascii.a2b_base64(encoded, strict_mode=True)
    except ValueError:
        raise InvalidInput(
            "not base64 of the standard alphabet with padding", path=place((*keys, "base64"))
        ) from None
