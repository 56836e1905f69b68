"""The protocol's names of types, and texts as its bytes carry them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from normalizers.data.arrays import Array, dtype_name
from normalizers.data.narrow_floats import widened
from normalizers.errors import DtypeError, InvalidInput, ShapeError
from normd.wire.codecs.arrays import from_bytes
from normd.wire.codecs.paths import Keys, place

BYTES = "BYTES"
# Only as bytes: JSON has no numbers of it.
BRAIN_FLOAT = "BF16"
NUMPY_NAMES: Mapping[str, str] = {
    "BOOL": "bool",
    "UINT8": "uint8",
    "UINT16": "uint16",
    "UINT32": "uint32",
    "UINT64": "uint64",
    "INT8": "int8",
    "INT16": "int16",
    "INT32": "int32",
    "INT64": "int64",
    "FP16": "float16",
    "FP32": "float32",
    "FP64": "float64",
}
DATATYPES: Mapping[str, str] = {name: datatype for datatype, name in NUMPY_NAMES.items()}
# Before each text stands its length in bytes, an unsigned integer of 32 bits.
LENGTH_BYTES = 4


def dtype_of(datatype: object, keys: Keys) -> np.dtype[np.generic]:
    """Return the little-endian type of a datatype of numbers.

    Raises
    ------
    DtypeError
        For a name that is none.
    """
    name = NUMPY_NAMES.get(datatype) if isinstance(datatype, str) else None
    if name is None:
        known = ", ".join((*NUMPY_NAMES, BRAIN_FLOAT, BYTES))
        raise DtypeError(f"datatype must be one of {known}", path=place((*keys, "datatype")))
    return np.dtype(name).newbyteorder("<")


def datatype_of(array: Array) -> str:
    """Return the protocol's name of an array's type."""
    return DATATYPES[dtype_name(array.dtype)]


def array_of(content: memoryview, datatype: object, shape: tuple[int, ...], keys: Keys) -> Array:
    """Return the array of little-endian bytes, which must be exactly those of `shape`."""
    if datatype == BRAIN_FLOAT:
        halves = from_bytes(content, np.dtype("<u2"), shape, keys)
        return widened(halves.tobytes(), BRAIN_FLOAT).reshape(shape)
    return from_bytes(content, dtype_of(datatype, keys), shape, keys)


def texts_of(content: memoryview, count: int, keys: Keys) -> list[str]:
    """Return the texts of a BYTES tensor.

    Raises
    ------
    ShapeError
        When there are more or fewer than `count`, or the last is cut short.
    InvalidInput
        For a text that is not UTF-8.
    """
    found = []
    for position, text in enumerate(_cut(content, keys)):
        if position == count:
            raise ShapeError(f"more texts than the {count} of the shape", path=place(keys))
        try:
            found.append(str(text, "utf-8"))
        except UnicodeDecodeError:
            raise InvalidInput("a text is not UTF-8", path=place((*keys, position))) from None
    if len(found) < count:
        problem = f"{len(found)} texts, but the shape takes {count}"
        raise ShapeError(problem, path=place(keys))
    return found


def bytes_of(texts: Iterable[str]) -> bytes:
    r"""Return texts as a BYTES tensor.

    Examples
    --------
    >>> from normd.wire.inference.datatypes import bytes_of
    >>> bytes_of(["d1", ""])
    b'\x02\x00\x00\x00d1\x00\x00\x00\x00'
    """
    encoded = [text.encode() for text in texts]
    return b"".join(
        part for text in encoded for part in (len(text).to_bytes(LENGTH_BYTES, "little"), text)
    )


def _cut(content: memoryview, keys: Keys) -> Iterator[memoryview]:
    start = 0
    while start < len(content):
        begin = start + LENGTH_BYTES
        start = begin + int.from_bytes(content[start:begin], "little")
        if begin > len(content) or start > len(content):
            raise ShapeError("the bytes end within a text", path=place(keys))
        yield content[begin:start]
