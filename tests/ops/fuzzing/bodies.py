"""What the document's examples say for every operation that reads a body, and its forms."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping
from random import Random
from urllib.parse import urlencode

import numpy as np

from normalizers.catalogue.catalogue import CATALOGUE
from normd.wire.codecs import arrow, safetensors
from tests.api.samples import ARROW, JSON, NPY, SAFETENSORS
from tests.ops.fuzzing.mutations import damaged

Tree = dict[str, object]
TEXT = "text/plain"
TREC = b"q1 Q0 a 1 9.5 bm25\nq1 Q0 b 2 7 bm25\nq2 Q0 c 1 3.25 bm25\n"
STATISTICS: Tree = {"moments": {"n": [4], "mean": [2.5], "m2": [5.0]}}


def bases(document: Mapping[str, object]) -> dict[str, list[Tree]]:
    """Return bodies that work, or nearly, by operation: examples, and what is made from them."""
    found: dict[str, list[Tree]] = {}
    for verbs in document["paths"].values():  # type: ignore[attr-defined]
        for operation in verbs.values():
            content = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            examples = [example["value"] for example in content.get("examples", {}).values()]
            found[operation["operationId"]] = examples
    transforms = found["transform"]
    fits = [body["fit"] for body in transforms if "fit" in body]
    found["transform_stored"] = [{"input": body["input"]} for body in transforms]
    found["inverse"] = [_back(body) for body in transforms]
    found["inverse_stored"] = [{"input": body["input"]} for body in found["inverse"]]
    found["observe"] = [{"fit": fit} for fit in fits] + [{"statistics": STATISTICS}]
    found["add_version"] = [
        *({"from": "fit", "fit": fit} for fit in fits),
        {"from": "statistics", "statistics": STATISTICS},
        {"from": "params", "params": {}},
        {"from": "observations"},
        {"from": "merge", "refs": ["min_max", "min_max@1"]},
        {"from": "merge", "refs": ["min_max"], "minus": ["min_max@1"]},
    ]
    found["put_alias"] = [{"version": 1}]
    found["import"] = [{}]
    return found


def _back(body: Tree) -> Tree:
    """Return the request of the way back: the input under the names it would have there."""
    method = CATALOGUE[str(body["method"])]
    given = dict(body["input"])  # type: ignore[call-overload]
    returns = list(method(**body.get("params", {})).inverse_takes)  # type: ignore[arg-type]
    if returns and given:
        given = {returns[0]: given.pop(next(iter(given))), **given}
    return {**body, "input": given}


def written(tree: Tree, form: str, random: Random) -> tuple[bytes, str]:
    """Return a body in a form, and the query that goes with it."""
    try:
        if form == SAFETENSORS:
            return safetensors.encode_request(_with_arrays(tree, random)), ""
        if form == ARROW:
            return arrow.encode_request(_with_arrays(tree, random)), ""
        if form == NPY:
            return _npy(tree, random)
    except Exception:  # a damaged tree may have no such form; then its text is sent as it
        pass
    if form == TEXT:
        return TREC, urlencode({"method": str(tree.get("method", "rrf"))})
    try:
        return json.dumps(tree).encode("utf-8", "surrogatepass"), ""
    except (ValueError, RecursionError):
        return b"{}", ""


def sent(content: bytes, random: Random) -> tuple[bytes, dict[str, str]]:
    """Return a body as it is sent, now and then damaged or compressed, and the headers of that."""
    if random.random() < 0.25:
        content = damaged(content, random)
    chance = random.random()
    if chance < 0.04:
        packed = gzip.compress(content)
        return (damaged(packed, random) if chance < 0.02 else packed), {"content-encoding": "gzip"}
    return content, {}


def _with_arrays(node: object, random: Random) -> Tree:
    """Return a tree with arrays in the place of most lists of numbers."""
    return {
        str(name): _array(value, random)
        for name, value in node.items()  # type: ignore[attr-defined]
    }


def _array(node: object, random: Random) -> object:
    if isinstance(node, dict):
        return _with_arrays(node, random)
    if isinstance(node, list):
        array = np.array(node) if node and not isinstance(node[0], dict | str) else None
        if array is not None and array.dtype.kind in "fiu" and random.random() < 0.9:
            kinds = ("float64", "float64", "float32", "float16", "int64", "uint8", ">f8")
            with np.errstate(all="ignore"):
                return array.astype(random.choice(kinds))
        return [_array(item, random) for item in node]
    return node


def _npy(tree: Tree, random: Random) -> tuple[bytes, str]:
    """Return one array of a body as npy, and the rest of it as a query."""
    member = "fit" if "fit" in tree else "input"
    fields = dict(tree[member])  # type: ignore[call-overload]
    array = _array(fields.pop(next(iter(fields))), random)
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asarray(array), allow_pickle=False)
    rest = {name: value for name, value in tree.items() if name != member}
    texts = {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in rest.items()
    }
    return file.getvalue(), urlencode(texts, errors="replace")
