"""safetensors: named arrays, read whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from safetensors import SafetensorError, deserialize

from normalizers.data.arrays import Array
from normalizers.data.narrow_floats import NARROW_FLOATS, widened
from normalizers.errors import CorruptVersion
from normalizers.versions.text_arrays import join_text
from normd.cli.errors import BadFile
from normd.cli.files.npy import table_of
from normd.cli.files.source import Source
from normd.cli.files.table import Table
from normd.wire.codecs.arrays import NUMPY_DTYPES


def blocks(given: Source) -> Iterator[Table]:
    """Yield the tensors of a safetensors file as one table; they need not have the same rows.

    Raises
    ------
    BadFile
        Not a whole safetensors file, or of a dtype that NumPy lacks.
    """
    with given.opened() as file:
        content = file.read()
    try:
        arrays = join_text(arrays_of(content))
    except (SafetensorError, CorruptVersion, KeyError, ValueError, TypeError, AttributeError):
        raise BadFile(
            given.name, "this is no whole safetensors file of numbers that NumPy knows"
        ) from None
    yield table_of(given, arrays)


def arrays_of(content: bytes) -> dict[str, Array]:
    """Return the tensors of a file; floats that NumPy lacks are widened, which is exact."""
    tensors = deserialize(content)  # type: ignore[no-untyped-call]
    return {
        name: _numbers(tensor["data"], tensor["dtype"]).reshape(tensor["shape"])
        for name, tensor in tensors
    }


def _numbers(content: bytearray, code: str) -> Array:
    if code in NARROW_FLOATS:
        return widened(content, code)
    return np.frombuffer(content, np.dtype(NUMPY_DTYPES[code]).newbyteorder("<"))
