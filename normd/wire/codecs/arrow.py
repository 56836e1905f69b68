"""``application/vnd.apache.arrow.stream``: arrays as columns, the rest as JSON beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import orjson

from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.messages import printable_name
from normd.wire.codecs import json
from normd.wire.codecs.arrays import is_numeric, refuse_infinities, slots
from normd.wire.codecs.arrow_columns import check_columns, column_of, values_of
from normd.wire.codecs.arrow_stream import Pieces, refusing_faults, tables
from normd.wire.codecs.document import DecodeLimits, Document, NamedColumns, Tree
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.json_values import dumps, plain
from normd.wire.codecs.lists import OUTPUT, joined
from normd.wire.codecs.path_insertion import TreeInserter
from normd.wire.codecs.paths import Keys, named_place, tensor_name
from normd.wire.codecs.tensors import check_values, natural, split

if TYPE_CHECKING:
    import pyarrow

MEDIA_TYPE = "application/vnd.apache.arrow.stream"
METADATA_KEY = b"json"
PANDAS_KEY = b"pandas"


def decode(body: bytes, bounds: DecodeLimits, member: str) -> Document:
    """Return what Arrow IPC streams say: their JSON, with every column at the path it is named by.

    Streams stand one after the other, since the columns of one are equally long. A name without
    a dot is a field of `member`, or a column of
    its rows. Null is a missing number; lists of equal length are an array.

    Raises
    ------
    Unparseable
        When a stream is cut or none, a column stands where there already is a value, or the JSON
        under the schema's metadata key ``json`` is not strict.
    InvalidInput
        For null in place of a list and for text that is not UTF-8; names the row.
    DtypeError
        For a type that is not read.
    TooLarge
        For more values than allowed.
    """
    found = list(tables(body))
    document = json.decode_lists(_metadata(found), bounds)
    columns: dict[str, object] = {}
    values = 0
    for table in found:
        values = _read(table, columns, bounds, member, values)
    graft = TreeInserter(document.tree, bounds.depth, noun="column")
    for name in sorted(columns, key=natural):
        graft.add(name, columns[name])
    graft.finish()
    _keep_names(document.tree, found, member)
    return Document(document.tree, document.encoded)


def encode(tree: Tree) -> tuple[bytes | memoryview, ...]:
    """Return an answer as Arrow IPC streams, one for every number of rows.

    The first stream holds the main output and all that has as many rows, and the JSON; the others
    follow in the order of the answer. Ragged outputs are list columns, further axes lists of fixed
    size, missing numbers NaN. Arrays without an axis, flags, warnings and reports stay JSON.

    Raises
    ------
    NonFiniteError
        For an infinity, which never leaves the service.
    """
    arrays, rest = _columns(tree)
    for keys, array in arrays.items():
        refuse_infinities(array.values if isinstance(array, Ragged) else array, keys)
    return _streams(arrays, rest)


def encode_request(tree: Tree) -> bytes:
    """Return `tree` as `encode` does, infinities among its arrays: a method may take them."""
    return b"".join(_streams(*_columns(tree)))


def _metadata(found: Iterable[pyarrow.Table]) -> bytes:
    """Return the JSON text of the first stream."""
    texts = [(table.schema.metadata or {}).get(METADATA_KEY) for table in found]
    if any(text is not None for text in texts[1:]):
        raise Unparseable("the JSON stands in the metadata of the first Arrow stream alone")
    return bytes(texts[0]) if texts[0] is not None else b"{}"


def _keep_names(tree: dict[str, object], found: Sequence[pyarrow.Table], member: str) -> None:
    """Say of the columns that no path names in which order they stand."""
    names = [name for table in found for name in table.column_names if "." not in name]
    fields = tree.get(member)
    if member and isinstance(fields, dict) and fields.keys() == set(names):
        index = [name for table in found for name in _index_of(table)]
        tree[member] = NamedColumns({name: fields[name] for name in names}, index)


def _index_of(table: pyarrow.Table) -> list[str]:
    """Return the columns that pandas kept its index in, as its part of the metadata says."""
    try:
        described = orjson.loads((table.schema.metadata or {}).get(PANDAS_KEY, b"{}"))
    except orjson.JSONDecodeError:
        return []
    index = described.get("index_columns") if isinstance(described, dict) else None
    return [name for name in index if isinstance(name, str)] if isinstance(index, list) else []


def _read(
    table: pyarrow.Table, columns: dict[str, object], bounds: DecodeLimits, member: str, before: int
) -> int:
    """Add the columns of a table, by their path; return how many values there are up to here."""
    with refusing_faults():
        names = table.column_names
    paths = [f"{member}.{name}" if member and "." not in name else name for name in names]
    count = check_columns(table, paths, bounds, before)
    for path, column in zip(paths, table.columns, strict=True):
        if path in columns:
            raise Unparseable(f"two columns are named '{printable_name(path)}'")
        with refusing_faults():
            whole = column.combine_chunks()
        values = values_of(whole, named_place(path), bounds)
        check_values(slots(values.shape) if isinstance(values, np.ndarray) else len(values), bounds)
        columns[path] = values
    return count


def _columns(tree: Tree) -> tuple[dict[Keys, Array | Ragged], object]:
    """Return the columns of a tree by their place, the main output first, and the rest."""
    columns: dict[Keys, Array | Ragged]
    columns, rest = split(tree, _as_column)
    output = tree.get(OUTPUT)
    order: list[Keys] = [(OUTPUT, name) for name in output] if isinstance(output, Mapping) else []
    first = {keys: columns[keys] for keys in order if keys in columns}
    return {**first, **columns}, rest


def _as_column(node: object) -> Array | Ragged | None:
    if isinstance(node, Ragged):
        return node
    if isinstance(node, list) and node and all(isinstance(part, np.ndarray) for part in node):
        return joined(node)
    if isinstance(node, np.ndarray) and node.ndim and (is_numeric(node) or node.dtype == object):
        return node
    return None


def _streams(arrays: Mapping[Keys, Array | Ragged], rest: object) -> tuple[bytes | memoryview, ...]:
    import pyarrow

    groups: dict[int, dict[str, pyarrow.Array]] = {}
    for keys, array in arrays.items():
        groups.setdefault(len(array), {})[tensor_name(keys)] = column_of(array)
    text = {METADATA_KEY: dumps(plain(rest))}
    found = [pyarrow.table(columns) for columns in groups.values()] or [pyarrow.table({})]
    written = [found[0].replace_schema_metadata(text), *found[1:]]
    pieces = Pieces()
    for table in written:
        with pyarrow.ipc.new_stream(pieces, table.schema) as stream:
            stream.write_table(table)
    return pieces.all()
