"""Schemas of what routes answer, by operation, for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping

from app.api.openapi.evaluation import DIAGNOSIS, DRIFT, EVALUATION
from app.api.openapi.schema import (
    ALIAS,
    COUNT,
    HASH,
    NAME,
    NUMBER,
    OBJECT,
    REF,
    TEXT,
    Schema,
    list_of,
    object_of,
    or_array,
    or_null,
)
from app.problems import CATALOGUE as PROBLEM_TYPES
from app.problems import MAX_FAULTS

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
ENVELOPE = object_of(
    "method effective_params output flags warnings",
    "what every transform, inverse and fusion answers",
    method=TEXT,
    name=NAME,
    version=NUMBER,
    hash=HASH,
    effective_params=OBJECT,
    output=OBJECT,
    flags={"type": "object", "additionalProperties": list_of(or_array({"type": "integer"}))},
    warnings=list_of({**OBJECT, "required": ["code", "message"]}),
    report=OBJECT,
    explain={},
    total=or_array(COUNT),
    depth_used=or_array(COUNT),
) | {"additionalProperties": True}
QUERIES = object_of(
    "method effective_params queries warnings",
    "what a fusion of many queries answers: each with its list, or with its error",
    method=TEXT,
    name=NAME,
    version=NUMBER,
    hash=HASH,
    effective_params=OBJECT,
    queries=list_of(
        object_of(
            "id",
            "the answer to one query",
            id=TEXT,
            output=OBJECT,
            total=COUNT,
            depth_used=COUNT,
            explain={},
            error={**OBJECT, "required": ["type", "title", "status", "detail", "errors"]},
        )
    ),
    warnings=list_of({**OBJECT, "required": ["code", "message"]}),
    report=OBJECT,
)
VERSION = object_of(
    "name version hash method params resolved n from library_version created",
    "a version; in lists without its report and its parents",
    name=NAME,
    version=NUMBER,
    hash=HASH,
    method=TEXT,
    params=OBJECT,
    resolved=OBJECT,
    n=COUNT,
    from_=TEXT,
    parents=list_of(OBJECT),
    library_version=TEXT,
    created=TEXT,
    report=OBJECT,
)
MANIFEST = object_of(
    "name version hash method params",
    "a name and the version a reference means; an open name has `version: null`",
    **{
        **VERSION["properties"],
        "version": or_null(NUMBER),
        "hash": or_null(HASH),
        "resolved": or_null(OBJECT),
    },
    description=TEXT,
    tags=list_of(TEXT),
    dry_run={"type": "boolean"},
)
ALIAS_POINTER = object_of(
    "alias version hash updated",
    "an alias and where it points",
    alias=ALIAS,
    version=NUMBER,
    hash=HASH,
    updated=TEXT,
)
PROBLEM_TYPE = object_of(
    "type title status cause remedy",
    "a problem type, why it is answered and what to do about it",
    type=TEXT,
    title=TEXT,
    status={"type": "integer"},
    cause=TEXT,
    remedy=TEXT,
)
LIMIT = object_of(
    "value setting description",
    "a limit and the setting that sets it",
    value={"type": "number"},
    setting=TEXT,
    description=TEXT,
)
STATUS = object_of("status", "how the process is", status=TEXT)


def _page(items: Schema) -> Schema:
    return object_of(
        "items next",
        "a page",
        items=list_of(items),
        next=or_null({**TEXT, "description": "cursor"}),
    )


def _contents(member: str) -> Schema:
    return object_of(
        f"name version hash {member}",
        f"the {member} of a version",
        **{"name": NAME, "version": NUMBER, "hash": HASH, member: OBJECT},
    )


# Not ProblemType: a generator of clients calls the type of a problem so.
COMPONENTS: Mapping[str, Schema] = {
    "Answer": ENVELOPE,
    "FusedQueries": QUERIES,
    "Version": VERSION,
    "Manifest": MANIFEST,
    "Alias": ALIAS_POINTER,
    "ProblemKind": PROBLEM_TYPE,
    "Limit": LIMIT,
}
_ANSWER, _QUERIES, _VERSION, _MANIFEST, _ALIAS, _TYPE, _LIMIT = (
    {"$ref": REF + name} for name in COMPONENTS
)
OF_OPERATION: Mapping[str, Schema] = {
    **dict.fromkeys(("transform", "inverse", "transform_stored", "inverse_stored"), _ANSWER),
    "fuse": {"anyOf": [_ANSWER, _QUERIES]},
    **dict.fromkeys(("create", "show", "import"), _MANIFEST),
    "add_version": _VERSION,
    "history": _page(_VERSION),
    "list_names": _page(_MANIFEST),
    "statistics": _contents("statistics"),
    "fitted": _contents("fitted"),
    "report": _contents("report"),
    "version_method": object_of(
        "name version hash method",
        "the method as it works in a version; an open name has `version: null`",
        name=NAME,
        version=or_null(NUMBER),
        hash=or_null(HASH),
        method=OBJECT,
    ),
    "observe": object_of(
        "name counted",
        "whether the observation was counted now, or before under its key",
        name=NAME,
        counted={"type": "boolean"},
    ),
    "observed": object_of("statistics", "the open statistics", statistics=OBJECT),
    "put_alias": _ALIAS,
    "list_aliases": object_of("items", "the aliases of a name", items=list_of(_ALIAS)),
    "methods": object_of("items", "every method", items=list_of(OBJECT)),
    "method": OBJECT,
    "limits": object_of(
        "limits", "every limit", limits={"type": "object", "additionalProperties": _LIMIT}
    ),
    "evaluate": EVALUATION,
    "drift": DRIFT,
    "diagnose": DIAGNOSIS,
    "problems": object_of("items", "every problem type", items=list_of(_TYPE)),
    "problem": _TYPE,
    "start": OBJECT,
    "livez": STATUS,
    "readyz": STATUS,
}
