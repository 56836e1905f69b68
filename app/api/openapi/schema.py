"""Small pieces of JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, TypeAlias

Schema: TypeAlias = dict[str, Any]
REF = "#/components/schemas/"

_REST = "[A-Za-z0-9._-]{0,127}"
NAME: Schema = {"type": "string", "pattern": f"^[A-Za-z0-9]{_REST}$"}
ALIAS: Schema = {"type": "string", "pattern": f"^[A-Za-z]{_REST}$"}
REFERENCE: Schema = {
    "type": "string",
    "pattern": f"^[A-Za-z0-9]{_REST}(@([1-9][0-9]{{0,17}}|[A-Za-z]{_REST}))?$",
}
HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
# Without the last member a generator of clients takes it for an object that holds nothing.
OBJECT: Schema = {"type": "object", "additionalProperties": True}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer", "minimum": 1}


def or_null(schema: Schema) -> Schema:
    """Return the schema of a value that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def or_array(schema: Schema) -> Schema:
    """Return the schema of a value, of one of some, or of an array of whatever holds them.

    A list of types would leave a generator of clients without the items of the array.
    """
    return {"anyOf": [*schema.get("anyOf", [schema]), list_of({})]}


def list_of(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def object_of(required: str, about: str, /, **properties: Schema) -> Schema:
    """Return the schema of an object with these members and no others.

    Parameters
    ----------
    required : str
        Names of the members that are always there.
    about : str
        What it is.
    **properties : dict
        The members; a ``_`` at the end of a name that Python reserves is left out.
    """
    return {
        "type": "object",
        "description": about,
        "required": required.split(),
        "properties": {name.rstrip("_"): schema for name, schema in properties.items()},
        "additionalProperties": False,
    }


def one_of_these(schema: Schema, alternatives: Iterable[Sequence[str]]) -> Schema:
    """Return the schema of an object that has exactly one of these sets of members.

    It stands under ``allOf``: generators of clients take an object with ``oneOf`` for a union.
    """
    sets = [{"required": list(names)} for names in alternatives]
    return {**schema, "allOf": [*schema.get("allOf", ()), {"oneOf": sets}]}


def any_of_these(schema: Schema, alternatives: Iterable[Sequence[str]]) -> Schema:
    """Return the schema of an object that has at least one of these sets of members."""
    sets = [{"required": list(names)} for names in alternatives]
    return {**schema, "allOf": [*schema.get("allOf", ()), {"anyOf": sets}]}


def at_most_one_of(schema: Schema, names: Sequence[str]) -> Schema:
    """Return the schema of an object that has one of these members, or none of them."""
    pairs = [{"not": {"required": list(pair)}} for pair in combinations(names, 2)]
    return {**schema, "allOf": [*schema.get("allOf", ()), *pairs]} if pairs else schema
