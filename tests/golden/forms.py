"""The forms of bodies in which golden cases are sent: JSON, and the same as arrays."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias
from urllib.parse import urlencode

import numpy as np
import pyarrow as pa
from safetensors.numpy import load, save

JSON = "application/json"
SAFETENSORS = "application/vnd.safetensors"
ARROW = "application/vnd.apache.arrow.stream"
NPY = "application/x-npy"

Tree: TypeAlias = dict[str, object]
Keys: TypeAlias = tuple[str, ...]
# Members that hold fields or statistics; what stands elsewhere is JSON in every form.
DATA = ("fit", "input", "runs", "statistics", "weights")
LENGTH_BYTES = 8


@dataclass(frozen=True)
class Form:
    """One form: what a body is in it, and what an answer in it says.

    Parameters
    ----------
    media_type : str
        Its name.
    encode : callable
        Gives the query string and the bytes of a body, or None when it cannot say it.
    decode : callable
        Gives the tree of an answer in plain JSON values; ragged outputs are nested lists, unless
        the request sent them flat.
    one_array : bool
        Whether it says one array and nothing else.
    """

    media_type: str
    encode: Callable[[Tree], tuple[str, bytes] | None]
    decode: Callable[[bytes, bool], Tree]
    one_array: bool = False


def _as_json(tree: Tree) -> tuple[str, bytes]:
    return "", json.dumps(tree, allow_nan=False).encode()


def _as_safetensors(tree: Tree) -> tuple[str, bytes]:
    found: dict[str, object] = {}
    rest = _split(tree, _rectangular, found)
    return "", save(found, metadata={"json": json.dumps(rest)})  # type: ignore[arg-type]


def _of_json(content: bytes, flat: bool) -> Tree:
    return json.loads(content)


def _of_safetensors(content: bytes, flat: bool) -> Tree:
    end = LENGTH_BYTES + int.from_bytes(content[:LENGTH_BYTES], "little")
    metadata = json.loads(content[LENGTH_BYTES:end])["__metadata__"]
    tree = json.loads(metadata["json"])
    _put_all(tree, load(content))
    return tree if flat else _nested(tree)


def _as_arrow(tree: Tree) -> tuple[str, bytes]:
    found: dict[str, object] = {}
    rest = _split(tree, _column, found)
    groups: dict[int, dict[str, object]] = {}
    for name, column in found.items():
        groups.setdefault(len(column), {})[name] = column  # type: ignore[arg-type]
    tables = [pa.table(columns) for columns in groups.values()] or [pa.table({})]
    tables[0] = tables[0].replace_schema_metadata({"json": json.dumps(rest)})
    sink = pa.BufferOutputStream()
    for table in tables:
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
    return "", sink.getvalue().to_pybytes()


def _of_arrow(content: bytes, flat: bool) -> Tree:
    source = pa.BufferReader(content)
    tables = []
    while source.tell() < len(content):
        tables.append(pa.ipc.open_stream(source).read_all())
    tree = json.loads(tables[0].schema.metadata[b"json"])
    for table in tables:
        _put_all(tree, table.to_pydict())
    return _flattened(tree) if flat else tree


def _as_npy(tree: Tree) -> tuple[str, bytes] | None:
    """Return a body of one array, the rest in its query string."""
    data = [name for name in DATA if name in tree]
    fields = tree.get(data[0]) if len(data) == 1 else None
    if data not in (["fit"], ["input"]) or not isinstance(fields, dict) or len(fields) != 1:
        return None
    array = _rectangular(next(iter(fields.values())))
    if array is None:
        return None
    file = io.BytesIO()
    np.save(file, array)
    rest = {name: json.dumps(value) for name, value in tree.items() if name not in data}
    return urlencode(rest), file.getvalue()


def _of_npy(content: bytes, flat: bool) -> Tree:
    array = np.load(io.BytesIO(content), allow_pickle=False)
    return {"output": {"": _plain(array.tolist())}}


FORMS: Mapping[str, Form] = {
    "json": Form(JSON, _as_json, _of_json),
    "safetensors": Form(SAFETENSORS, _as_safetensors, _of_safetensors),
    "arrow": Form(ARROW, _as_arrow, _of_arrow),
    "npy": Form(NPY, _as_npy, _of_npy, one_array=True),
}


def _split(tree: Tree, take: Callable[[object], object | None], found: dict[str, object]) -> Tree:
    """Return a body without what `take` makes of its data, which goes to `found` by its name."""

    def rest(node: object, keys: Keys) -> object:
        if isinstance(node, dict):
            items = {key: rest(child, (*keys, key)) for key, child in node.items()}
            return {key: child for key, child in items.items() if child is not found}
        taken = take(node)
        if taken is not None:
            found[_name(keys)] = taken
            return found
        if isinstance(node, list) and any(isinstance(child, dict) for child in node):
            return [rest(child, (*keys, str(index))) for index, child in enumerate(node)]
        return node

    return {
        name: rest(member, (name,)) if name in DATA and _has_fields(member) else member
        for name, member in tree.items()
    }


def _has_fields(member: object) -> bool:
    """Whether a member is an object, or a list of such; ``weights`` may be a parameter too."""
    return isinstance(member, dict) or (
        isinstance(member, list) and bool(member) and all(isinstance(each, dict) for each in member)
    )


def _rectangular(node: object) -> np.ndarray | None:
    """Return lists of numbers of equal length as the array they are."""
    leaves = list(_leaves(node)) if isinstance(node, list) and node else []
    kinds = set(map(type, leaves))
    if not kinds or not (kinds <= {int, float, type(None)} or kinds == {bool}):
        return None
    try:
        return np.array(node, dtype=np.float64 if kinds - {int, bool} else None)
    except (ValueError, OverflowError):
        return None


def _column(node: object) -> object | None:
    """Return lists as a column: of numbers, texts, or lists of these."""
    if not isinstance(node, list) or not node:
        return None
    array = _rectangular(node)
    if array is not None and array.ndim == 1:
        return pa.array(array)
    try:
        return pa.array(node) if set(map(type, node)) <= {list, str} else None
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None


def _leaves(node: object) -> Iterator[object]:
    if isinstance(node, list):
        for child in node:
            yield from _leaves(child)
    else:
        yield node


def _name(keys: Iterable[str]) -> str:
    return ".".join(key.replace("~", "~0").replace(".", "~1") for key in keys)


def _put_all(tree: Tree, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        *parents, last = (part.replace("~1", ".").replace("~0", "~") for part in name.split("."))
        node: object = tree
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node.setdefault(key, {})  # type: ignore[attr-defined]
        place = int(last) if isinstance(node, list) else last
        node[place] = _plain(value.tolist() if isinstance(value, np.ndarray) else value)  # type: ignore[index]


def _nested(tree: Tree) -> Tree:
    """Return an answer with flat outputs cut at their offsets, as JSON nests them."""
    output = tree.get("output")
    if not isinstance(output, dict) or "offsets" not in output:
        return tree
    offsets = output.pop("offsets")
    main = next(iter(output))
    for name, value in output.items():
        # Lists of one value each look like one value a list: the main output is the ragged one.
        one_each = len(offsets) - 1 == offsets[-1] and name != main
        if isinstance(value, list) and len(value) == offsets[-1] and not one_each:
            output[name] = [value[start:end] for start, end in pairwise(offsets)]
    return tree


def _flattened(tree: Tree) -> Tree:
    """Return an answer with its nested outputs joined, as JSON has them beside offsets."""
    output = tree["output"]
    for name, value in output.items():  # type: ignore[attr-defined]
        if isinstance(value, list) and value and isinstance(value[0], list):
            output[name] = [number for part in value for number in part]  # type: ignore[index]
    return tree


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(child) for child in value]
    return None if isinstance(value, float) and value != value else value
