"""What a request of the protocol says: tensors by name, and which outputs are wanted how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from normalizers.contract.parameter_models import MAX_FAULTS
from normalizers.data.faults import faults_of
from normalizers.errors import InvalidInput, ShapeError
from normd.wire.codecs import json
from normd.wire.codecs.arrays import checked_shape, slots
from normd.wire.codecs.document import DecodeLimits
from normd.wire.codecs.errors import Unparseable
from normd.wire.codecs.path_insertion import TreeInserter
from normd.wire.codecs.paths import Keys, place
from normd.wire.codecs.tensors import check_values
from normd.wire.inference.datatypes import BRAIN_FLOAT, BYTES, array_of, dtype_of, texts_of

INPUT = "input"
BINARY_SIZE, BINARY_DATA, BINARY_OUTPUT = "binary_data_size", "binary_data", "binary_data_output"


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _InputParameters(_Strict):
    binary_data_size: Annotated[int, Field(ge=0)] | None = None


class _OutputParameters(_Strict):
    binary_data: bool | None = None


class _Input(_Strict):
    name: str
    shape: object
    datatype: object
    parameters: _InputParameters = _InputParameters()
    data: object = None


class _Output(_Strict):
    name: str
    parameters: _OutputParameters = _OutputParameters()


class _Request(_Strict):
    id: str | None = None
    parameters: dict[str, object] = {}
    inputs: list[_Input]
    outputs: list[_Output] | None = None


@dataclass(frozen=True)
class InferenceRequest:
    """A decoded request.

    Parameters
    ----------
    input : dict
        The fields of the input: a tensor named ``state.mean`` stands in ``state``.
    parameters : mapping
        Those of the request, but for what says how to write the answer.
    id : str, optional
        What the caller calls it; stands in the answer.
    outputs : mapping
        The outputs wanted, each with whether it is wanted as bytes; empty for all.
    binary : bool
        Whether the others are wanted as bytes.
    """

    input: dict[str, object]
    parameters: Mapping[str, object] = field(default_factory=dict)
    id: str | None = None
    outputs: Mapping[str, bool] = field(default_factory=dict)
    binary: bool = False


def decode_request(
    body: bytes, header_length: int | None, bounds: DecodeLimits
) -> InferenceRequest:
    """Return what a body says.

    Parameters
    ----------
    body : bytes
        JSON, and behind it the bytes of the tensors that have no ``data``, in their order.
    header_length : int, optional
        Bytes of the JSON; by default all.
    bounds : DecodeLimits
        Deepest nesting and most values.

    Raises
    ------
    Unparseable
        For what is no JSON, or bytes that belong to no tensor.
    InvalidInput, ShapeError, DtypeError
        For members and tensors that contradict themselves, each with its place.
    TooLarge
        For more values than allowed.
    """
    end = len(body) if header_length is None else header_length
    if end > len(body):
        raise Unparseable(f"the JSON has {end} bytes by its header, the body {len(body)}")
    sent = _read(json.decode_lists(body[:end], bounds).tree)
    parameters = dict(sent.parameters)
    binary = parameters.pop(BINARY_OUTPUT, False)
    if not isinstance(binary, bool):
        raise InvalidInput("true or false", path=f"parameters.{BINARY_OUTPUT}")
    wanted = {
        output.name: _chosen(output.parameters.binary_data, binary) for output in sent.outputs or ()
    }
    fields = _fields(sent.inputs, memoryview(body)[end:], bounds)
    return InferenceRequest(fields, parameters, sent.id, wanted, binary)


def _chosen(own: bool | None, shared: bool) -> bool:
    return shared if own is None else own


def _read(tree: Mapping[str, object]) -> _Request:
    try:
        return _Request.model_validate(tree)
    except ValidationError as error:
        faults = faults_of(error, tree)[:MAX_FAULTS]
        raise InvalidInput(faults[0].message, path=faults[0].path, faults=faults) from None


def _fields(inputs: list[_Input], content: memoryview, bounds: DecodeLimits) -> dict[str, object]:
    tree: dict[str, object] = {INPUT: {}}
    grafted = TreeInserter(tree, bounds.depth)
    for tensor, value in _values(inputs, content, bounds):
        grafted.add(f"{INPUT}.{tensor.name}", value)
    grafted.finish()
    fields = tree[INPUT]
    # A list stands here where tensors are named 0, 1, ...: no field has such a name.
    return fields if isinstance(fields, dict) else {str(key): None for key in range(len(inputs))}


def _values(
    inputs: list[_Input], content: memoryview, bounds: DecodeLimits
) -> Iterator[tuple[_Input, object]]:
    start = values = 0
    for index, tensor in enumerate(inputs):
        keys: Keys = ("inputs", index)
        shape = checked_shape(tensor.shape, (*keys, "shape"))
        values += slots(shape)
        check_values(values, bounds)
        size = tensor.parameters.binary_data_size
        if size is None:
            yield tensor, _from_json(tensor, shape, keys)
            continue
        if tensor.data is not None:
            raise InvalidInput(f"either data or {BINARY_SIZE}", path=place(keys))
        chunk = content[start : start + size]
        start += size
        if len(chunk) < size:
            problem = f"{BINARY_SIZE} is {size}, but {len(chunk)} bytes are left in the body"
            raise ShapeError(problem, path=place(keys))
        yield tensor, _from_bytes(tensor, chunk, shape, keys)
    if start != len(content):
        raise Unparseable(f"{len(content) - start} bytes of the body belong to no tensor")


def _from_bytes(tensor: _Input, chunk: memoryview, shape: tuple[int, ...], keys: Keys) -> object:
    if tensor.datatype == BYTES:
        return _shaped(texts_of(chunk, prod(shape), keys), shape)
    array = array_of(chunk, tensor.datatype, shape, keys)
    return array if shape else array[()].item()


def _from_json(tensor: _Input, shape: tuple[int, ...], keys: Keys) -> object:
    if tensor.data is None:
        raise InvalidInput(f"data is missing, and so is {BINARY_SIZE}", path=place(keys))
    items = list(_leaves(tensor.data))
    if len(items) != prod(shape):
        problem = f"{len(items)} values, but shape {list(shape)} takes {prod(shape)}"
        raise ShapeError(problem, path=place(keys))
    if tensor.datatype == BYTES:
        _require(items, {str}, "texts", keys)
        return _shaped(items, shape)
    array = _numbers(items, tensor.datatype, keys).reshape(shape)
    return array if shape else array[()].item()


def _leaves(node: object) -> Iterator[object]:
    """Yield what lists hold, nested or flat as the protocol allows."""
    if not isinstance(node, list):
        yield node
        return
    for child in node:
        if isinstance(child, list):
            yield from _leaves(child)
        else:
            yield child


def _numbers(items: list[object], datatype: object, keys: Keys) -> np.ndarray:
    if datatype == BRAIN_FLOAT:
        raise InvalidInput(f"{BRAIN_FLOAT} is sent as bytes, with {BINARY_SIZE}", path=place(keys))
    dtype = dtype_of(datatype, keys)
    if dtype.kind == "b":
        _require(items, {bool}, "true and false", keys)
    elif dtype.kind == "f":
        # null is a missing value, as in every other form.
        _require(items, {int, float, type(None)}, "numbers", keys)
    else:
        _require(items, {int}, "whole numbers", keys)
    try:
        # What is beyond a narrow type becomes an infinity, which the field refuses by its place.
        with np.errstate(over="ignore"):
            return np.array(items, dtype=dtype)
    except OverflowError:
        raise InvalidInput(f"a number is beyond {datatype}", path=place(keys)) from None


def _require(items: list[object], kinds: set[type], words: str, keys: Keys) -> None:
    strange = next((at for at, item in enumerate(items) if type(item) not in kinds), None)
    if strange is not None:
        raise InvalidInput(f"data must be {words}", path=place((*keys, "data", strange)))


def _shaped(texts: list[object] | list[str], shape: tuple[int, ...]) -> object:
    if len(shape) == 1:
        return texts
    held = np.empty(len(texts), dtype=object)
    held[:] = texts
    return held.reshape(shape).tolist()
