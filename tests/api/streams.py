"""Arrow streams and npy files, made and read without the codecs under test."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping

import numpy as np
import pyarrow as pa


def npy(values: object, version: tuple[int, int] | None = None, **array: object) -> bytes:
    file = io.BytesIO()
    made = np.array(values, **array)  # type: ignore[call-overload]
    np.lib.format.write_array(file, made, version=version)
    return file.getvalue()


def read_npy(content: bytes) -> np.ndarray:
    loaded: np.ndarray = np.load(io.BytesIO(content), allow_pickle=False)
    return loaded


def stream(
    columns: Mapping[str, object],
    tree: object = None,
    rows: int | None = None,
    options: pa.ipc.IpcWriteOptions | None = None,
) -> bytes:
    """Return one stream; ``rows`` cuts it into record batches."""
    table = pa.table(dict(columns))
    if tree is not None:
        text = tree if isinstance(tree, bytes) else json.dumps(tree)
        table = table.replace_schema_metadata({"json": text})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=rows)
    return sink.getvalue().to_pybytes()


def read_streams(content: bytes) -> tuple[dict[str, object], list[pa.Table]]:
    """Return the JSON of an answer and its tables."""
    source = pa.BufferReader(content)
    tables = []
    while source.tell() < len(content):
        tables.append(pa.ipc.open_stream(source).read_all())
    return json.loads(tables[0].schema.metadata[b"json"]), tables
