"""Members of a body that stand in each other's place, as JSON Schema says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from app.api.openapi.schema import Schema, at_most_one_of, one_of_these
from app.service.requests.bodies import ObservationBody, VersionBody, WorkBody
from app.service.requests.sources import SOURCES

# What a new version needs beside where it comes from.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "fit": ("fit",),
    "statistics": ("statistics",),
    "weights": ("weights",),
    "merge": ("refs", "statistics"),
    "join": ("refs",),
}


def either_or(schema: Schema, body: type[BaseModel]) -> Schema:
    """Return the schema of a body with what it says about members that exclude each other."""
    said = ALTERNATIVES.get(body)
    return said(schema) if said is not None else schema


def _work(schema: Schema) -> Schema:
    return at_most_one_of(schema, SOURCES)


def _observation(schema: Schema) -> Schema:
    return one_of_these(schema, [["fit"], ["statistics"]])


def _version(schema: Schema) -> Schema:
    needed = [
        {
            "anyOf": [
                {"not": {"properties": {"from": {"const": origin}}}},
                *({"required": [name]} for name in names),
            ]
        }
        for origin, names in NEEDS.items()
    ]
    return {**schema, "allOf": needed}


ALTERNATIVES: Mapping[type[BaseModel], Callable[[Schema], Schema]] = {
    WorkBody: _work,
    ObservationBody: _observation,
    VersionBody: _version,
}
