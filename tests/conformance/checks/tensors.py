"""Tensors of the inference protocol carry the same bits as plain JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import prod

import numpy as np

from normalizers.data.ragged import Ragged
from normalizers.versions.file import to_bytes
from normd.wire.inference.datatypes import BYTES, DATATYPES, NUMPY_NAMES, bytes_of, texts_of
from tests.conformance.cases import Case
from tests.conformance.checks.serving import listed, nested, request_of
from tests.conformance.service import BINARY, Service

LENGTH = "inference-header-content-length"


def check_library_equals_api_tensors(case: Case, service: Service) -> None:
    """A stored version is a model: bytes in, bytes out."""
    name = service.fresh_name(case.name)
    file = {"content-type": BINARY["content-type"]}
    service.bytes("POST", f"/v1/normalizers/import?name={name}", to_bytes(case.version), file)
    given = listed(request_of(case, columnar=True)["input"])
    content, length = _request(given)
    headers = {LENGTH: str(length)}
    answered = service.bytes("POST", f"/v2/models/{name}/infer", content, headers)
    expected = dict(_leaves(_flat(case.answer(given).output), ()))
    assert nested(_outputs(answered)) == nested(expected)


def _request(given: object) -> tuple[bytes, int]:
    inputs, chunks = [], []
    for name, value in _leaves(given, ()):
        shown, chunk = _tensor(name, value)
        inputs.append({**shown, "parameters": {"binary_data_size": len(chunk)}})
        chunks.append(chunk)
    head = json.dumps({"inputs": inputs, "parameters": {"binary_data_output": True}}).encode()
    return b"".join([head, *chunks]), len(head)


def _tensor(name: str, value: object) -> tuple[dict[str, object], bytes]:
    texts = [value] if isinstance(value, str) else value
    if isinstance(texts, list) and all(isinstance(text, str) for text in texts):
        shape = [len(texts)] if texts is value else []
        return {"name": name, "datatype": BYTES, "shape": shape}, bytes_of(texts)
    array = np.asarray(value)
    shown = {"name": name, "datatype": DATATYPES[array.dtype.name], "shape": list(array.shape)}
    return shown, array.astype(array.dtype.newbyteorder("<")).tobytes()


def _leaves(node: object, keys: tuple[str, ...]) -> Iterator[tuple[str, object]]:
    if isinstance(node, np.ndarray) and node.dtype.kind in "OU":
        node = node.tolist()
    if isinstance(node, dict):
        for key, child in node.items():
            yield from _leaves(child, (*keys, key))
    elif isinstance(node, list | tuple) and not all(isinstance(each, str) for each in node):
        for index, child in enumerate(node):
            yield from _leaves(child, (*keys, str(index)))
    elif node is not None:
        yield ".".join(keys), list(node) if isinstance(node, tuple) else node


def _flat(output: object) -> dict[str, object]:
    """Return outputs whose ragged ones are flat with their offsets beside them."""
    found: dict[str, object] = {}
    for name, value in output.items():  # type: ignore[attr-defined]
        lists = isinstance(value, list) and value and isinstance(value[0], np.ndarray)
        ragged = Ragged.of(value) if lists else value
        if isinstance(ragged, Ragged):
            found[name], found["offsets"] = ragged.values, ragged.offsets
        else:
            found[name] = value
    return found


def _outputs(content: bytes) -> dict[str, object]:
    end = json.JSONDecoder().raw_decode(content.decode("latin-1"))[1]
    described, start = json.loads(content[:end])["outputs"], end
    found: dict[str, object] = {}
    for tensor in described:
        size = tensor["parameters"]["binary_data_size"]
        chunk, start = content[start : start + size], start + size
        if tensor["datatype"] == BYTES:
            texts = texts_of(memoryview(chunk), prod(tensor["shape"]), ())
            found[tensor["name"]] = texts if tensor["shape"] else texts[0]
        else:
            dtype = np.dtype(NUMPY_NAMES[tensor["datatype"]])
            found[tensor["name"]] = np.frombuffer(chunk, dtype).reshape(tensor["shape"])
    return found
