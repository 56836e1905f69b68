"""The media types of bodies beside JSON, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable

from app.api.openapi.schema import Schema
from normd.wire.codecs import ARROW, NPY, RANKED, SAFETENSORS, TREC, TREC_PARTS, WHOLE

BYTES: Schema = {"type": "string", "format": "binary"}
FILE: Schema = {SAFETENSORS.media_type: {"schema": BYTES}}
# The media type by which most programs send a file.
OCTETS = "application/octet-stream"
ANY_FILE: Schema = {OCTETS: {"schema": BYTES}}
# What may answer one array.
ONE_ARRAY = frozenset({"transform", "inverse", "transform_stored", "inverse_stored"})
# What is more than one array.
WITHOUT_ONE_ARRAY = frozenset({"fuse", "evaluate"})
OF_RANKED_LISTS = frozenset({"fuse", "transform_stored"})
REQUESTS = {
    SAFETENSORS.media_type: (
        "the same body with its arrays as tensors, named by their path in JSON (fit.x, "
        "input.mask, runs.0.scores); the rest is JSON text under the one metadata key 'json'"
    ),
    ARROW.media_type: (
        "the same body as IPC streams, one after the other: its arrays and lists as columns, named "
        "by their path in JSON, or by their field alone; the rest is JSON text under the metadata "
        "key 'json' of the first schema, or stands in the query string"
    ),
    NPY.media_type: (
        "one array, which is the main field; the rest stands in the query string, where a name is "
        "a path into the JSON body or a parameter of the method, and a value is JSON"
    ),
}
RANKED_LISTS = {
    TREC.media_type: (
        "TREC runs, 'query Q0 document rank score tag' a line, the tag names the run; the rest "
        "stands in the query string"
    ),
    TREC_PARTS.media_type: "one TREC run a part, which is called as the part is",
}
ANSWERS = {
    SAFETENSORS.media_type: "the same answer, its arrays as tensors (output.y)",
    ARROW.media_type: "the same answer, its arrays as columns (output.y)",
    NPY.media_type: (
        "the only array of the output; other answers are 406. Normd-Flags counts the flags"
    ),
}


def request_forms(name: str) -> Schema:
    """Return the forms beside JSON in which an operation reads its body."""
    forms = _described(REQUESTS, WHOLE if name in WITHOUT_ONE_ARRAY else REQUESTS)
    return {**forms, **(_described(RANKED_LISTS, RANKED) if name in OF_RANKED_LISTS else {})}


def answer_forms(name: str) -> Schema:
    """Return the forms beside JSON in which an operation answers."""
    forms = _described(ANSWERS, ANSWERS if name in ONE_ARRAY else WHOLE)
    lines = {TREC.media_type: "fused lists as TREC lines; Normd-Warnings counts the warnings"}
    return {**forms, **(_described(lines, lines) if name in OF_RANKED_LISTS else {})}


def _schema(media_type: str, about: str) -> Schema:
    if media_type == TREC_PARTS.media_type:
        return {"type": "object", "additionalProperties": BYTES, "description": about}
    return {**BYTES, "description": about}


def _described(texts: dict[str, str], media_types: Iterable[str]) -> Schema:
    return {
        media_type: {"schema": _schema(media_type, texts[media_type])}
        for media_type in media_types
        if media_type in texts
    }
