"""``application/x-npy``: one array; what else a request says stands in its query string."""

from __future__ import annotations

import io
import re
from ast import literal_eval
from collections.abc import Mapping
from math import prod

import numpy as np
from numpy.lib import format as npy_format

from normalizers.data.arrays import Array, as_stored
from normalizers.errors import DtypeError
from normalizers.messages import printable_name
from normd.wire.codecs.arrays import (
    TENSOR_DTYPES,
    checked_shape,
    from_bytes,
    is_numeric,
    refuse_infinities,
    slots,
)
from normd.wire.codecs.document import DecodeLimits, Document, Tree
from normd.wire.codecs.errors import NotAcceptable, Unparseable
from normd.wire.codecs.lists import OUTPUT
from normd.wire.codecs.tensors import check_values

MEDIA_TYPE = "application/x-npy"
INSTEAD = "application/json, application/vnd.safetensors or application/vnd.apache.arrow.stream"

MAGIC = b"\x93NUMPY"
# By version, the number of bytes that say how long the header is, and its encoding.
VERSIONS = {(1, 0): (2, "latin-1"), (2, 0): (4, "latin-1"), (3, 0): (4, "utf-8")}
MEMBERS = {"descr", "fortran_order", "shape"}
# What NumPy itself writes, for arrays of one to five axes; anything else is parsed as a literal.
USUAL_HEADER = re.compile(
    rb"\{'descr': '([<>|][a-z][0-9]{1,2})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[1-9][0-9]{0,17}|0),(?: ?(?:[1-9][0-9]{0,17}|0),?){0,4})\), \} *\n?"
)
# NumPy's own bound on a header that is read without trust.
LONGEST_HEADER = 10_000
DTYPES = {
    dtype.str: dtype
    for name in TENSOR_DTYPES
    for dtype in (np.dtype(name).newbyteorder("<"), np.dtype(name).newbyteorder(">"))
}


def decode(body: bytes, bounds: DecodeLimits, member: str) -> Document:
    """Return a document whose only member, `member`, is the array of an npy file.

    The array shares the memory of `body` and cannot be written to.

    Raises
    ------
    Unparseable
        When the file is none, or its array does not take exactly the bytes that follow the header.
    DtypeError
        For objects, structures, text and other types that are no plain numbers.
    TooLarge
        For more values than allowed.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> from normd.wire.codecs import npy
    >>> from normd.wire.codecs.document import DecodeLimits
    >>> file = io.BytesIO()
    >>> np.save(file, np.array([1.0, 2.0]))
    >>> npy.decode(file.getvalue(), DecodeLimits(), "input").tree
    {'input': array([1., 2.])}
    """
    members, start = _header(body)
    dtype = _dtype(members["descr"])
    shape = checked_shape(_listed(members["shape"]), ("shape",))
    check_values(slots(shape), bounds)
    _check_length(len(body) - start, prod(shape) * dtype.itemsize)
    order = members["fortran_order"]
    if not isinstance(order, bool):
        raise Unparseable("not an npy file: fortran_order is True or False")
    content = memoryview(body)[start:]
    if order:
        return Document({member: from_bytes(content, dtype, shape[::-1], (member,)).T})
    return Document({member: from_bytes(content, dtype, shape, (member,))})


def encode(tree: Tree) -> tuple[bytes, memoryview]:
    """Return the only array of an answer's output as an npy file: its header and its memory.

    Raises
    ------
    NotAcceptable
        When the output is not exactly one array of numbers; names what it holds.
    NonFiniteError
        For an infinity, which never leaves the service.
    """
    name, array = _only_array(tree)
    refuse_infinities(array, (OUTPUT, name))
    return file_of(array)


def file_of(array: Array) -> tuple[bytes, memoryview]:
    """Return an array of numbers as an npy file: its header and its memory."""
    written = as_stored(array)
    header = io.BytesIO()
    npy_format.write_array_header_1_0(header, npy_format.header_data_from_array_1_0(written))
    return header.getvalue(), memoryview(written.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


def _header(body: bytes) -> tuple[dict[str, object], int]:
    """Return the members of the header and where the array starts."""
    version = tuple(body[len(MAGIC) : len(MAGIC) + 2])
    if not body.startswith(MAGIC) or version not in VERSIONS:
        raise Unparseable("not an npy file: it does not begin as one of version 1, 2 or 3")
    size, encoding = VERSIONS[version]
    start = len(MAGIC) + 2 + size
    end = start + int.from_bytes(body[start - size : start], "little")
    if end > len(body):
        raise Unparseable("not an npy file: it ends within its header")
    if end - start > LONGEST_HEADER:
        raise Unparseable(f"not an npy file: a header has at most {LONGEST_HEADER} bytes")
    return _members(body[start:end], encoding), end


def _members(header: bytes, encoding: str) -> dict[str, object]:
    usual = USUAL_HEADER.fullmatch(header)
    if usual is not None:
        descr, order, shape = (part.decode("ascii") for part in usual.groups())
        sizes = tuple(int(size) for size in shape.replace(",", " ").split())
        return {"descr": descr, "fortran_order": order == "True", "shape": sizes}
    try:
        members = literal_eval(header.decode(encoding).strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise Unparseable("not an npy file: the header is no dictionary of literals") from None
    if not isinstance(members, dict) or members.keys() != MEMBERS:
        raise Unparseable(f"not an npy file: the header has {', '.join(sorted(MEMBERS))}")
    return members


def _dtype(description: object) -> np.dtype[np.generic]:
    if isinstance(description, str) and description in DTYPES:
        return DTYPES[description]
    if not isinstance(description, str):
        found = "a structure"
    elif description.endswith("O"):
        found = "objects"
    else:
        found = f"'{printable_name(description)}'"
    raise DtypeError(f"the array holds {found}; dtype must be one of {', '.join(TENSOR_DTYPES)}")


def _listed(shape: object) -> object:
    return list(shape) if isinstance(shape, tuple) else shape


def _check_length(received: int, needed: int) -> None:
    if received != needed:
        fault = "cut short" if received < needed else "longer than its array"
        raise Unparseable(
            f"the npy file is {fault}: the array takes {needed} bytes, {received} follow the header"
        )


def _only_array(tree: Tree) -> tuple[str, Array]:
    output = tree.get(OUTPUT)
    held = output if isinstance(output, Mapping) else {}
    if len(held) == 1:
        ((name, value),) = held.items()
        if isinstance(value, np.ndarray) and is_numeric(value):
            return name, value
    names = " and ".join(f"'{name}'" for name in held) or "no array"
    raise NotAcceptable(
        f"one array can be written as {MEDIA_TYPE}, but this answer holds {names}; accept {INSTEAD}"
    )
