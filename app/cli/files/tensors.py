"""safetensors: named arrays, read whole."""

from __future__ import annotations

from collections.abc import Iterator

from safetensors import SafetensorError
from safetensors.numpy import load

from app.cli.errors import BadFile
from app.cli.files.npy import table_of
from app.cli.files.source import Source
from app.cli.files.table import Table
from normalizers.errors import CorruptVersion
from normalizers.text_arrays import join_text


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
        arrays = join_text(load(content))
    except (SafetensorError, CorruptVersion, KeyError, ValueError, TypeError, AttributeError):
        raise BadFile(
            given.name, "this is no whole safetensors file of numbers that NumPy knows"
        ) from None
    yield table_of(given, arrays)
