"""Whatever reads rows, chosen by the form of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from normd.cli.errors import BadFile
from normd.cli.files import delimited, jsonl, npy, parquet, tensors
from normd.cli.files.formats import FileFormat
from normd.cli.files.source import Source
from normd.cli.files.table import Table, joined


def blocks(given: Source) -> Iterator[Table]:
    """Yield all rows, some at a time, so that memory stays bounded.

    Raises
    ------
    BadFile
        The file holds nothing, or not what its form says.
    """
    readers: dict[FileFormat, Callable[[Source], Iterator[Table]]] = {
        "npy": npy.blocks,
        "npz": npy.archive,
        "csv": delimited.blocks,
        "tsv": delimited.blocks,
        "jsonl": jsonl.blocks,
        "parquet": parquet.blocks,
        "safetensors": tensors.blocks,
    }
    found = False
    for table in readers[given.form](given):
        found = True
        yield table
    if not found:
        raise BadFile(given.name, "it holds no rows")


def whole(given: Source) -> Table:
    """Return all rows at once."""
    return joined(blocks(given))
