"""Schemas of what routes answer, by operation, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from app.problems import CATALOGUE as PROBLEM_TYPES
from app.problems import MAX_FAULTS

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
OBJECT: Schema = {"type": "object"}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer", "minimum": 1}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _object(required: str, about: str, /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": about,
        "required": required.split(),
        "properties": {name.rstrip("_"): schema for name, schema in properties.items()},
        "additionalProperties": False,
    }


PROBLEM: Schema = {
    "type": "object",
    "description": "RFC 9457",
    "required": ["type", "title", "status", "detail", "errors", "request_id"],
    "properties": {
        "type": {"type": "string", "enum": [kind.uri for kind in PROBLEM_TYPES.values()]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "maxItems": MAX_FAULTS,
            "items": {
                "type": "object",
                "required": ["path", "message"],
                "properties": {"path": {"type": "string"}, "message": {"type": "string"}},
            },
        },
        "request_id": {"type": "string"},
    },
}
ENVELOPE = _object(
    "method effective_params output flags warnings",
    "what every transform, inverse and fusion answers",
    method=TEXT,
    name=NAME,
    version=NUMBER,
    hash=HASH,
    effective_params=OBJECT,
    output=OBJECT,
    flags={"type": "object", "additionalProperties": _list({"type": ["integer", "array"]})},
    warnings=_list({**OBJECT, "required": ["code", "message"]}),
    report=OBJECT,
    explain={},
    total=COUNT,
    depth_used=COUNT,
) | {"additionalProperties": True}
VERSION = _object(
    "name version hash method params resolved n from parents library_version created",
    "a version; in lists without its report",
    name=NAME,
    version=NUMBER,
    hash=HASH,
    method=TEXT,
    params=OBJECT,
    resolved=OBJECT,
    n=COUNT,
    from_=TEXT,
    parents=_list(OBJECT),
    library_version=TEXT,
    created=TEXT,
    report=OBJECT,
)
MANIFEST = _object(
    "name version hash method params",
    "a name and the version a reference means; an open name has `version: null`",
    **{
        **VERSION["properties"],
        "version": _or_null(NUMBER),
        "hash": _or_null(HASH),
        "resolved": _or_null(OBJECT),
    },
    description=TEXT,
    tags=_list(TEXT),
    dry_run={"type": "boolean"},
)
ALIAS_POINTER = _object(
    "alias version hash updated",
    "an alias and where it points",
    alias=ALIAS,
    version=NUMBER,
    hash=HASH,
    updated=TEXT,
)
PROBLEM_TYPE = _object(
    "type title status cause remedy",
    "a problem type, why it is answered and what to do about it",
    type=TEXT,
    title=TEXT,
    status={"type": "integer"},
    cause=TEXT,
    remedy=TEXT,
)
LIMIT = _object(
    "value setting description",
    "a limit and the setting that sets it",
    value={"type": "number"},
    setting=TEXT,
    description=TEXT,
)
STATUS = _object("status", "how the process is", status=TEXT)


def _page(items: Schema) -> Schema:
    return _object(
        "items next", "a page", items=_list(items), next=_or_null({**TEXT, "description": "cursor"})
    )


def _contents(member: str) -> Schema:
    return _object(
        f"name version hash {member}",
        f"the {member} of a version",
        **{"name": NAME, "version": NUMBER, "hash": HASH, member: OBJECT},
    )


COMPONENTS: Mapping[str, Schema] = {
    "Answer": ENVELOPE,
    "Version": VERSION,
    "Manifest": MANIFEST,
    "Alias": ALIAS_POINTER,
    "ProblemType": PROBLEM_TYPE,
    "Limit": LIMIT,
}
_ANSWER, _VERSION, _MANIFEST, _ALIAS, _TYPE, _LIMIT = ({"$ref": REF + name} for name in COMPONENTS)
OF_OPERATION: Mapping[str, Schema] = {
    **dict.fromkeys(
        ("transform", "inverse", "fuse", "transform_stored", "inverse_stored"), _ANSWER
    ),
    **dict.fromkeys(("create", "show", "import"), _MANIFEST),
    "add_version": _VERSION,
    "history": _page(_VERSION),
    "list_names": _page(_MANIFEST),
    "statistics": _contents("statistics"),
    "fitted": _contents("fitted"),
    "report": _contents("report"),
    "observe": _object(
        "name counted",
        "whether the observation was counted now, or before under its key",
        name=NAME,
        counted={"type": "boolean"},
    ),
    "observed": _object("statistics", "the open statistics", statistics=OBJECT),
    "put_alias": _ALIAS,
    "list_aliases": _object("items", "the aliases of a name", items=_list(_ALIAS)),
    "methods": _object("items", "every method", items=_list(OBJECT)),
    "method": OBJECT,
    "limits": _object(
        "limits", "every limit", limits={"type": "object", "additionalProperties": _LIMIT}
    ),
    "problems": _object("items", "every problem type", items=_list(_TYPE)),
    "problem": _TYPE,
    "start": OBJECT,
    "livez": STATUS,
    "readyz": STATUS,
}
