"""The paths of the inference protocol, as the OpenAPI document describes them."""

from __future__ import annotations

from collections.abc import Mapping

from app.api.openapi.media_types import ANY_FILE
from app.api.openapi.schema import OBJECT, REFERENCE, TEXT, Schema, list_of, object_of
from normd.wire.codecs import JSON
from normd.wire.inference.datatypes import BRAIN_FLOAT, BYTES, NUMPY_NAMES

SERVER = object_of("name version extensions", "the server", name=TEXT, version=TEXT)
_SHAPE: Schema = list_of({"type": "integer"})
_TENSOR: Mapping[str, Schema] = {
    "name": {"type": "string", "description": "path of a field: x, state.mean, runs.0.ids"},
    "datatype": {"type": "string", "enum": [*NUMPY_NAMES, BRAIN_FLOAT, BYTES]},
    "shape": _SHAPE,
}
_DECLARED = object_of("name datatype shape", "a tensor; -1 is any size", **_TENSOR)
_SENT = object_of(
    "name datatype shape",
    "a tensor: either `data`, or its bytes behind the JSON",
    **_TENSOR,
    data={"type": "array", "items": {}, "description": "values, flat or nested; null is missing"},
    parameters=object_of("", "of a tensor", binary_data_size={"type": "integer", "minimum": 0}),
)
_ANSWERED = object_of(
    "name datatype shape",
    "a tensor",
    **_TENSOR,
    data={"type": "array", "items": {}},
    parameters=OBJECT,
)
REQUEST = object_of(
    "inputs",
    "tensors that are named as the fields of the normalizer",
    id=TEXT,
    parameters={
        **OBJECT,
        "description": "options of a transform, `inverse`, and `binary_data_output`",
    },
    inputs=list_of(_SENT),
    outputs=list_of(
        object_of(
            "name",
            "a wanted output",
            name=TEXT,
            parameters=object_of("", "of it", binary_data={"type": "boolean"}),
        )
    ),
)
ANSWER = object_of(
    "model_name model_version outputs",
    "the outputs; flags, warnings, report and explanation are JSON text in the parameters",
    model_name=TEXT,
    model_version=TEXT,
    id=TEXT,
    parameters=OBJECT,
    outputs=list_of(_ANSWERED),
)
MODEL = object_of(
    "name versions platform inputs outputs",
    "a normalizer as a model",
    name=TEXT,
    versions=list_of(TEXT),
    platform=TEXT,
    inputs=list_of(_DECLARED),
    outputs=list_of(_DECLARED),
)
ANSWERS: Mapping[str, Schema] = {
    "inference_server": SERVER,
    "inference_live": OBJECT,
    "inference_ready": OBJECT,
    "inference_model": MODEL,
    "inference_model_version": MODEL,
    "inference_model_ready": OBJECT,
    "inference_model_version_ready": OBJECT,
    "infer": ANSWER,
    "infer_version": ANSWER,
}
PATHS: Mapping[str, Schema] = {
    "name": {"schema": REFERENCE, "description": "a name, or name@prod (an alias)"},
    "version": {"schema": TEXT, "description": "a number, or an alias"},
}
LENGTH: Schema = {
    "name": "Inference-Header-Content-Length",
    "in": "header",
    "schema": {"type": "integer", "minimum": 0},
    "description": "bytes of the JSON, where the bytes of tensors follow it",
}
EXAMPLES: Mapping[str, Schema] = {
    "rows": {
        "summary": "Two rows, flat, and the answer as JSON",
        "value": {
            "id": "a",
            "inputs": [{"name": "x", "shape": [2, 2], "datatype": "FP32", "data": [1, 2, 3, 4]}],
            "outputs": [{"name": "y", "parameters": {"binary_data": False}}],
        },
    },
    "lists": {
        "summary": "Two lists of scores with their offsets",
        "value": {
            "inputs": [
                {"name": "scores", "shape": [3], "datatype": "FP64", "data": [12, 7, 3]},
                {"name": "offsets", "shape": [3], "datatype": "INT64", "data": [0, 2, 3]},
            ],
            "parameters": {"strict": False},
        },
    },
}
INFERS = frozenset({"infer", "infer_version"})


def request_body() -> Schema:
    """Return the body of a request: JSON, or JSON with the bytes of tensors behind it."""
    media: Schema = {"schema": REQUEST, "examples": EXAMPLES}
    return {"required": True, "content": {JSON.media_type: media, **ANY_FILE}}
