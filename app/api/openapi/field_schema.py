"""JSON Schema of the declared fields of a method, as a request writes them."""

from __future__ import annotations

from app.api.openapi.schema import (
    OBJECT,
    REF,
    TEXT,
    Schema,
    any_of_these,
    at_most_one_of,
    list_of,
    one_of_these,
    or_array,
)
from normalizers.contract.fields import Field, Fields
from normd.wire.codecs.arrays import TENSOR_DTYPES

ENCODED: Schema = {
    "type": "object",
    "description": "an array as base64 of its little-endian bytes, row by row",
    "required": ["dtype", "shape", "base64"],
    "additionalProperties": False,
    "properties": {
        "dtype": {
            "type": "string",
            "enum": sorted(TENSOR_DTYPES),
        },
        "shape": {"type": "array", "items": {"type": "integer", "minimum": 0}},
        "base64": {"type": "string"},
    },
}
ENCODED_ARRAY: Schema = {"$ref": REF + "EncodedArray"}
NUMBER: Schema = {"type": "number"}
TEXT_OR_INTEGER: Schema = {"anyOf": [{"type": "string"}, {"type": "integer"}]}
COMPANIONS = ("offsets", "lengths")
PLAIN: dict[str, Schema] = {
    "text": {"type": "string"},
    "boolean": {"type": "boolean"},
    "state": OBJECT,
    "method": {"anyOf": [{"type": "string"}, OBJECT]},
}


def fields_schema(fields: Fields) -> Schema:
    """Return the schema of an object of fields; without any, they depend on the parameters."""
    if not fields:
        return OBJECT
    properties = {name: field_schema(field) for name, field in fields.items()}
    if fields.ragged:
        for companion in COMPANIONS:
            properties[companion] = {"type": "array", "items": {"type": "integer"}}
    required = [name for name, field in fields.items() if field.required]
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        made["required"] = required
    if fields.ragged:
        made = at_most_one_of(made, COMPANIONS)
    if fields.any_of:
        return any_of_these(made, fields.any_of)
    return one_of_these(made, fields.one_of) if fields.one_of else made


def field_schema(field: Field) -> Schema:
    """Return the schema of one field."""
    about = f"{field.kind} {field.shape_text}: {field.help}".rstrip(": ")
    return {**_value(field), "description": about}


def _value(field: Field) -> Schema:
    if field.members is not None:
        members = fields_schema(field.members)
        return {"type": "array", "items": members} if field.kind == "records" else members
    if field.kind in PLAIN:
        return PLAIN[field.kind]
    if field.kind in ("labels", "ids", "id_lists"):
        return list_of(or_array(TEXT_OR_INTEGER))
    if field.kind in ("texts", "text_lists"):
        return list_of(TEXT if field.kind == "texts" else or_array(TEXT))
    if field.kind == "integer_lists":
        numbers = list_of(or_array({"type": "integer"}))
        return {"anyOf": [numbers, ENCODED_ARRAY]}
    if field.kind in ("floats", "integers") and not field.shape:
        return {"type": "number" if field.kind == "floats" else "integer"}
    missing: Schema = {"type": "boolean" if field.kind == "mask" else "null"}
    numbers = list_of(or_array({"anyOf": [NUMBER, missing]}))
    return {"anyOf": [numbers, ENCODED_ARRAY, *([NUMBER] if field.flat == "number" else ())]}
