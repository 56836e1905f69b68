"""The OpenAPI document: routes as they are, bodies and examples made from the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from app.api.openapi import inference
from app.api.openapi.alternatives import either_or
from app.api.openapi.evaluation import with_evidence
from app.api.openapi.examples import examples_of
from app.api.openapi.field_schema import ENCODED, TEXT_OR_INTEGER, field_schema, fields_schema
from app.api.openapi.media_types import ANY_FILE, FILE, answer_forms, request_forms
from app.api.openapi.parameter_schemas import (
    IDEMPOTENCY_KEY,
    IF_MATCH,
    IF_NONE_MATCH,
    IF_POINTS_THERE,
    IF_WORKS_BY,
    METHOD_BESIDE,
    ONLY_CREATE,
    REF_BESIDE,
    TOP_K_BESIDE,
)
from app.api.openapi.responses import COMPONENTS, OF_OPERATION, PROBLEM
from app.api.openapi.schema import (
    ALIAS,
    NAME,
    REF,
    REFERENCE,
    TEXT,
    Schema,
    at_most_one_of,
    list_of,
    one_of_these,
)
from app.problems import CATALOGUE as PROBLEM_TYPES
from app.service.requests.bodies import (
    AliasBody,
    CreateBody,
    DiagnosisBody,
    DriftBody,
    ObservationBody,
    StoredWorkBody,
    VersionBody,
    WorkBody,
)
from app.service.requests.evaluation_body import evaluation_body
from app.service.requests.sources import SOURCES
from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.answer import Options
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.weight_variants import WeightVariant, weight_variants
from normalizers.validation.columns import COLUMNS
from normd.wire.codecs import JSON
from normd.wire.descriptions import docstring_sections, once_a_class, parameter_schema
from normd.wire.problems import MEDIA_TYPE as PROBLEM_MEDIA_TYPE

BODIES: Mapping[str, type[BaseModel]] = {
    "transform": WorkBody,
    "inverse": WorkBody,
    "create": CreateBody,
    "transform_stored": StoredWorkBody,
    "inverse_stored": StoredWorkBody,
    "add_version": VersionBody,
    "observe": ObservationBody,
    "put_alias": AliasBody,
    "drift": DriftBody,
    "diagnose": DiagnosisBody,
}
# Bodies that are made of what is declared elsewhere.
COMPOSED = frozenset({"fuse", "evaluate"})
CREATES = frozenset({"create", "add_version", "put_alias", "import"})
EMPTY = frozenset({"delete", "forget", "delete_alias"})
KEYED = frozenset({"add_version", "observe"})
GUARDED = {
    "put_alias": (IF_POINTS_THERE, ONLY_CREATE),
    "delete_alias": (IF_POINTS_THERE,),
    "transform_stored": (IF_WORKS_BY,),
    "inverse_stored": (IF_WORKS_BY,),
}
BESIDE_TEXT = {
    "fuse": (METHOD_BESIDE, REF_BESIDE, TOP_K_BESIDE),
    "transform_stored": (TOP_K_BESIDE,),
}
# What reads JSON in its query.
QUERIED = frozenset({"method"})
CACHED = frozenset({"show", "statistics", "fitted", "report", "version_method", "export"})
# What names nothing in its path, and reads nothing.
PLAIN = frozenset(
    {"start", "livez", "readyz", "metrics", "limits", "methods", "problems"}
    | {"inference_server", "inference_live", "inference_ready"}
)
PATHS: Mapping[str, Schema] = {
    "ref": {"schema": REFERENCE, "description": "name, name@7 (a version) or name@prod (an alias)"},
    "name": {"schema": NAME, "description": "a name"},
    "alias": {"schema": ALIAS, "description": "an alias; never 'open'"},
    "method": {"schema": {"type": "string"}, "description": "name or alias of a method"},
    "slug": {"schema": {"type": "string"}, "description": "last part of a problem's type"},
}
STORED_FUSION = "StoredFusion"
OPTIONS: Schema = Options.model_json_schema()
NAMES_OF_QUERIES: Schema = {
    "type": "array",
    "items": TEXT_OR_INTEGER,
    "description": "what the queries of the runs are called, each once",
}


def document(app: FastAPI, catalogue: Catalogue, root_path: str = "") -> Schema:
    """Return the OpenAPI document of the service, made once."""
    if app.openapi_schema is None:
        servers = [{"url": root_path}] if root_path else []
        app.openapi_schema = {**_made(app, catalogue), **({"servers": servers} if servers else {})}
    return app.openapi_schema


def _made(app: FastAPI, catalogue: Catalogue) -> Schema:
    made = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    made.setdefault("components", {})["schemas"] = dict(_components(catalogue))
    for operations in made["paths"].values():
        for operation in operations.values():
            _complete(operation, catalogue)
    return made


def _components(catalogue: Catalogue) -> Iterator[tuple[str, Schema]]:
    yield "Problem", PROBLEM
    yield from COMPONENTS.items()
    yield "EncodedArray", ENCODED
    yield "Options", OPTIONS
    yield "FitOptions", FitOptions.model_json_schema()
    yield STORED_FUSION, _stored_fusion(catalogue)
    for cls in catalogue.values():
        yield from _of_method(cls).items()


@once_a_class
def _of_method(cls: type[Method]) -> Mapping[str, Schema]:
    """Return what a method adds."""
    made = {
        f"{cls.name}.params": _params(cls),
        f"{cls.name}.transform": _work(cls),
        f"{cls.name}.create": _create(cls),
    }
    return {**made, f"{cls.name}.fuse": _fusion(cls)} if _fuses(cls) else made


def _complete(operation: Schema, catalogue: Catalogue) -> None:
    name = operation["operationId"]
    if name in BODIES or name in COMPOSED:
        operation["requestBody"] = {"required": True, "content": _content(name, catalogue)}
    if name == "import":
        operation["requestBody"] = {"required": True, "content": FILE | ANY_FILE}
    if name in inference.INFERS:
        operation["requestBody"] = inference.request_body()
    paths = inference.PATHS if name in inference.ANSWERS else PATHS
    for parameter in operation.get("parameters", ()):
        parameter |= paths.get(parameter["name"], {})
    added = (*BESIDE_TEXT.get(name, ()), *_headers(name))
    if added:
        operation["parameters"] = [*operation.get("parameters", ()), *added]
    operation["responses"] = _responses(name, has_body="requestBody" in operation)


def _content(name: str, catalogue: Catalogue) -> Schema:
    media: Schema = {"schema": _body(name, catalogue), "examples": examples_of(name, catalogue)}
    if not media["examples"]:
        del media["examples"]
    if name == "put_alias":
        return {JSON.media_type: media}
    return {JSON.media_type: media, **request_forms(name)}


def _body(name: str, catalogue: Catalogue) -> Schema:
    if name in ("transform", "create"):
        return {"anyOf": [_named(cls, name) for cls in catalogue.values()]}
    if name == "fuse":
        fusions = [_named(catalogue[fusion], name) for fusion in sorted(catalogue.fusions)]
        return {"anyOf": [*fusions, {"$ref": REF + STORED_FUSION}]}
    if name == "evaluate":
        return with_evidence(_plain(evaluation_body()))
    return _plain(BODIES[name])


def _named(cls: type[Method], operation: str) -> Schema:
    return {"$ref": f"{REF}{cls.name}.{operation}"}


def _fuses(cls: type[Method]) -> bool:
    return "runs" in cls().takes


def _plain(model: type[BaseModel]) -> Schema:
    schema = model.model_json_schema(by_alias=True)
    for described in schema.get("properties", {}).values():
        described.pop("title", None)
    return either_or(schema, model)


def _params(cls: type[Method]) -> Schema:
    schema: Schema = dict(parameter_schema(cls))
    schema["description"] = docstring_sections(cls)["summary"]
    if cls.presets:
        preset = {"type": "string", "enum": sorted(cls.presets)}
        schema["properties"] = {**schema.get("properties", {}), "preset": preset}
    for names in cls.exclusive:
        schema = at_most_one_of(schema, names)
    return schema


def _work(cls: type[Method]) -> Schema:
    method = cls()
    properties = {
        **_described(cls),
        "input": fields_schema(method.takes),
        "options": {"$ref": REF + "Options"},
    }
    made = _object(properties, ["method", "input"], docstring_sections(cls)["summary"])
    return at_most_one_of(made, [name for name in SOURCES if name in properties])


def _create(cls: type[Method]) -> Schema:
    properties = {
        "name": NAME,
        **_described(cls),
        "description": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    if "fit" in properties:
        properties["options"] = {"$ref": REF + "FitOptions"}
    made = _object(properties, ["name", "method"], docstring_sections(cls)["summary"])
    return at_most_one_of(made, [name for name in SOURCES if name in properties])


def _fusion(cls: type[Method]) -> Schema:
    properties = {
        **_params(cls)["properties"],
        **OPTIONS["properties"],
        "method": {"const": cls.name},
    }
    runs = field_schema(cls().takes["runs"])
    return _ranked(properties, "method", runs, docstring_sections(cls)["summary"])


def _ranked(properties: Schema, named: str, runs: Schema, about: str) -> Schema:
    beside = {
        "runs": runs,
        "query_ids": NAMES_OF_QUERIES,
        "queries": _queries(runs),
        "on_error": {"enum": ["fail", "skip"], "description": "a query that cannot be fused"},
    }
    return one_of_these(_object({**properties, **beside}, [named], about), [["runs"], ["queries"]])


def _stored_fusion(catalogue: Catalogue) -> Schema:
    runs = fields_schema(catalogue[min(catalogue.fusions)]().takes)
    properties = {**OPTIONS["properties"], "ref": REFERENCE}
    return _ranked(properties, "ref", runs["properties"]["runs"], "a stored fusion by reference")


def _queries(runs: Schema) -> Schema:
    members = {"id": TEXT_OR_INTEGER, "runs": runs}
    items = _object(members, ["id", "runs"], "a query with the runs that answered it")
    return {"type": "array", "items": items, "description": "in place of runs: many queries"}


def _described(cls: type[Method]) -> Schema:
    method = cls()
    described: Schema = {
        "method": {"enum": [cls.name, *cls.aliases]},
        "params": {"$ref": f"{REF}{cls.name}.params"},
    }
    if variants := weight_variants(cls):
        described["weights"] = _weights(variants)
    # What a method fits may depend on its parameters, as all of its fields may.
    if method.fittable or not method.takes:
        described["fit"] = _fits(cls)
        described["statistics"] = {"type": "object", "additionalProperties": True}
    return described


def _fits(cls: type[Method]) -> Schema:
    """Return the schema of the fields of a fit, one for all or one for each variant shown."""
    method = cls()
    found = [fields_schema(method.resolved(None).fits or method.fits)]
    for example in cls.examples:
        fits = cls(**example.params).resolved(UNKNOWN_STATISTICS).fits
        if example.fit is not None and (schema := fields_schema(fits)) not in found:
            found.append(schema)
    return {"anyOf": found} if len(found) > 1 else found[0]


def _weights(variants: Sequence[WeightVariant]) -> Schema:
    """Return the schema of a layer's weights, one for all or one for each variant.

    Names of the channels may stand beside them.
    """
    found = []
    for params, fields in variants:
        schema = fields_schema(fields)
        schema["properties"] = {COLUMNS: list_of(TEXT), **schema["properties"]}
        found.append({**schema, **({"description": f"with {_said(params)}"} if params else {})})
    return {"anyOf": found} if len(found) > 1 else found[0]


def _said(params: Mapping[str, object]) -> str:
    return ", ".join(f"{name}: {json.dumps(value)}" for name, value in params.items())


def _object(properties: Schema, required: list[str], description: str) -> Schema:
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        made["required"] = required
    return {**made, "description": description} if description else made


def _headers(name: str) -> tuple[Schema, ...]:
    if name in inference.INFERS:
        return (inference.LENGTH,)
    if name in CACHED:
        return (IF_MATCH, IF_NONE_MATCH)
    return (IDEMPOTENCY_KEY,) if name in KEYED else GUARDED.get(name, ())


def _responses(name: str, *, has_body: bool) -> Schema:
    if name in EMPTY:
        success: Schema = {"204": {"description": "done"}}
    else:
        success = {status: _success(name) for status in ("200", "201")[: 1 + (name in CREATES)]}
    if name in CACHED:
        success["304"] = {"description": "the form that If-None-Match names is the newest"}
    problem = {"schema": {"$ref": REF + "Problem"}}
    failures = {
        str(status): {"description": _titles(status), "content": {PROBLEM_MEDIA_TYPE: problem}}
        for status in _statuses(name, has_body=has_body)
    }
    return {**success, **failures}


def _statuses(name: str, *, has_body: bool) -> list[int]:
    """Return the statuses of the problems that an operation can answer."""
    impossible = {405}
    if name not in GUARDED and name not in CACHED:
        impossible |= {412}
    if not has_body:
        impossible |= {415} if name in QUERIED else {400, 415}
    if name in PLAIN:
        impossible |= {404, 409}
    return sorted({kind.status for kind in PROBLEM_TYPES.values()} - impossible)


def _success(name: str) -> Schema:
    if name == "export":
        return {
            "description": "the version file, or with `format` the fit for another engine",
            "content": FILE | ANY_FILE,
        }
    if name == "metrics":
        text = {"text/plain": {"schema": {"type": "string"}}}
        return {"description": "metrics, a line each", "content": text}
    if name in inference.ANSWERS:
        binary = ANY_FILE if name in inference.INFERS else {}
        content = {JSON.media_type: {"schema": inference.ANSWERS[name]}, **binary}
        return {"description": "the answer", "content": content}
    answered: Schema = {JSON.media_type: {"schema": OF_OPERATION[name]}}
    if name == "start":
        answered["text/html"] = {"schema": {"type": "string"}}
    if name not in ("start", "livez", "readyz", "import"):
        answered |= answer_forms(name)
    return {"description": "the answer", "content": answered}


def _titles(status: int) -> str:
    return "; ".join(kind.title for kind in PROBLEM_TYPES.values() if kind.status == status)
