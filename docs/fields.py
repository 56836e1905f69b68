"""The fields of a method as tables: what goes in and what comes out."""

from __future__ import annotations

from collections.abc import Iterator

from docs.markdown import code, codes, joined, prose, table
from normalizers.contract.fields import RAGGED_KINDS, Field, Fields

HEAD = ("field", "kind", "shape", "always", "what it is")
KINDS = {
    "floats": "numbers",
    "lists": "lists of numbers",
    "series": "windows",
    "mask": "0/1 or booleans",
    "integers": "whole numbers",
    "labels": "labels",
    "ids": "ids",
    "id_lists": "lists of ids",
    "integer_lists": "lists of whole numbers",
    "text_lists": "lists of texts",
    "texts": "texts",
    "state": "carried state",
    "record": "object",
    "records": "list of objects",
    "text": "text",
    "boolean": "boolean",
    "method": "method or version",
}


def fields_section(title: str, fields: Fields) -> str:
    """Return the fields under a heading, and whether each is always there; nothing for none."""
    if not fields:
        return ""
    rows = _rows(fields, "", _alternatives(fields))
    return joined(f"### {title}", table(HEAD, rows), _one_of(fields))


def dtype_of(field: Field) -> str:
    """Return the type that a field's elements are computed in, in words."""
    if field.native:
        return "in the type they are sent in"
    return "float64" if field.numeric else ""


def _rows(fields: Fields, prefix: str, alternatives: frozenset[str]) -> Iterator[list[str]]:
    for name, field in fields.items():
        yield [
            code(prefix + name),
            ", ".join(filter(None, [KINDS[field.kind], dtype_of(field)])),
            code(_shape(field)),
            _needed(name, fields, alternatives),
            prose(field.help),
        ]
        if field.members is not None:
            yield from _rows(field.members, f"{prefix}{name}.", frozenset())


def _shape(field: Field) -> str:
    shaped = field.shape or field.kind in RAGGED_KINDS
    return field.shape_text if shaped else ""


def _needed(name: str, fields: Fields, alternatives: frozenset[str]) -> str:
    if name in alternatives:
        return "any of" if fields.any_of else "one of"
    return "yes" if fields[name].required else "no"


def _alternatives(fields: Fields) -> frozenset[str]:
    return frozenset(name for names in fields.any_of or fields.one_of for name in names)


def _one_of(fields: Fields) -> str:
    choices = " or ".join(codes(names) for names in fields.any_of or fields.one_of)
    if fields.any_of:
        return f"At least one of these is sent, each a part that is added up: {choices}."
    return f"Exactly one of these is sent: {choices}." if choices else ""
