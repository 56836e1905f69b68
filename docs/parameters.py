"""The parameters of a method as a table: type and bounds from the JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from docs.markdown import code, codes, joined, prose, table
from normalizers.contract.method import Method
from normd.wire.descriptions import parameter_schema

Schema: TypeAlias = Mapping[str, object]

HEAD = ("parameter", "values", "not given", "affects", "what it does")
BOUNDS = {
    "minimum": "≥",
    "exclusiveMinimum": ">",
    "maximum": "≤",
    "exclusiveMaximum": "<",
    "minItems": "of length ≥",
    "minLength": "of length ≥",
}
# JSON Schema's word for a type -> ours, where they differ.
WORDS = {"string": "text", "array": "list"}
# Where JSON Schema says what a type holds.
MEMBERS = {"array": "items", "object": "additionalProperties"}


def parameter_section(cls: type[Method]) -> str:
    """Return every parameter of a method, and which exclude each other."""
    if not cls.parameters:
        return "It has no parameters."
    properties = cast(Mapping[str, Schema], parameter_schema(cls)["properties"])
    rows = (_row(name, properties[name]) for name in cls.parameters)
    rivals = (f"Give at most one of {codes(group)}." for group in cls.exclusive)
    return joined(table(HEAD, rows), *rivals)


def values_of(schema: Schema, *, many: bool = False) -> str:
    """Return the values that a schema admits, in words; of one value or of many."""
    return " or ".join(_alternatives(schema, many)) or "any"


def _row(name: str, described: Schema) -> tuple[str, ...]:
    help = str(described.get("description", ""))
    return (
        code(name),
        values_of(described),
        _missing(described),
        str(described["x-affects"]),
        prose(help),
    )


def _missing(described: Schema) -> str:
    """Return what a parameter that is not given means."""
    if resolves := described.get("x-resolves"):
        return prose(str(resolves))
    return code(json.dumps(described["default"])) if "default" in described else ""


def _alternatives(schema: Schema, many: bool) -> Iterator[str]:
    if "anyOf" in schema:
        for choice in cast(list[Schema], schema["anyOf"]):
            yield from _alternatives(choice, many)
    elif "enum" in schema:
        yield codes(json.dumps(value) for value in cast(list[object], schema["enum"]))
    elif "const" in schema:
        yield code(json.dumps(schema["const"]))
    elif schema.get("type") != "null" and schema:
        yield _bounded(_kind(schema, many), schema)


def _kind(schema: Schema, many: bool) -> str:
    kind = str(schema.get("type", "object"))
    word = WORDS.get(kind, kind) + "s" * many
    members = schema.get(MEMBERS.get(kind, ""))
    held = values_of(members, many=True) if members and isinstance(members, Mapping) else ""
    return f"{word} of {held}" if held else word


def _bounded(kind: str, schema: Schema) -> str:
    bounds = [f"{sign} {schema[word]}" for word, sign in BOUNDS.items() if word in schema]
    return " ".join([kind, " and ".join(bounds)]).strip()
