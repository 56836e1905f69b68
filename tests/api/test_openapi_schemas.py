"""Every example of the OpenAPI document is what its schema says, and generators can read both."""

from __future__ import annotations

import json
from collections.abc import Iterator

import jsonschema_rs
import pytest

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE

DOCUMENT = json.loads(json.dumps(create_app(Settings()).openapi()))
JSON = "application/json"


def _nodes(node: object, path: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    if isinstance(node, dict):
        yield path, node
        for name, child in node.items():
            yield from _nodes(child, f"{path}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(node, list):
        for place, child in enumerate(node):
            yield from _nodes(child, f"{path}/{place}")


def _examples() -> Iterator[tuple[str, object, object]]:
    for path, node in _nodes(DOCUMENT):
        # A property may be called so too.
        if "schema" in node and isinstance(node.get("examples"), dict):
            for name, example in node["examples"].items():
                yield f"{path}/{name}", node["schema"], example["value"]
        elif isinstance(node.get("examples"), list) and "/properties" not in path[-11:]:
            for place, value in enumerate(node["examples"]):
                yield f"{path}/{place}", node, value


EXAMPLES = list(_examples())


def validator(schema: object) -> jsonschema_rs.Draft202012Validator:
    whole = {"components": DOCUMENT["components"], "allOf": [schema]}
    return jsonschema_rs.Draft202012Validator(whole)


def test_r25_every_schema_of_the_document_is_a_schema() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid(schema), name


def test_r25_every_example_of_the_document_validates_against_its_schema() -> None:
    of_schema: dict[str, jsonschema_rs.Draft202012Validator] = {}
    assert len(EXAMPLES) > 2 * len(CATALOGUE)
    wrong = []
    for path, schema, value in EXAMPLES:
        written = json.dumps(schema)
        if written not in of_schema:
            of_schema[written] = validator(schema)
        if not of_schema[written].is_valid(value):
            wrong.append(path)
    assert not wrong


@pytest.mark.parametrize("operation", ["transform", "create"])
def test_r25_the_example_of_every_method_validates_as_its_own(operation: str) -> None:
    path = {"transform": "/v1/transform", "create": "/v1/normalizers"}[operation]
    content = DOCUMENT["paths"][path]["post"]["requestBody"]["content"][JSON]
    wrong = {}
    for method, example in content["examples"].items():
        own = validator({"$ref": f"#/components/schemas/{method}.{operation}"})
        faults = [str(fault) for fault in own.iter_errors(example["value"])]
        if faults:
            wrong[method] = faults
    assert not wrong


def test_r25_a_pipeline_takes_the_fields_of_its_steps() -> None:
    steps = {"method": "pipeline", "params": {"steps": ["min_max"]}}
    fit = {"scores": [1.0, 2.0]}
    assert validator({"$ref": "#/components/schemas/pipeline.transform"}).is_valid(
        {**steps, "fit": fit, "input": {"scores": [1.0]}}
    )
    assert validator({"$ref": "#/components/schemas/pipeline.create"}).is_valid(
        {**steps, "name": "steps", "fit": fit}
    )


def test_r26_every_array_of_the_document_says_what_it_holds() -> None:
    for path, node in _nodes(DOCUMENT["components"]):
        kinds = node.get("type")
        if kinds == "array":
            assert "items" in node, path
        assert not isinstance(kinds, list), path


def test_r26_no_schema_is_called_as_a_generator_calls_a_member_of_another() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    called = {name.replace(".", "_").replace("_", "").lower() for name in schemas}
    assert len(called) == len(schemas)
    for name, schema in schemas.items():
        for member, described in schema.get("properties", {}).items():
            if "enum" in described or described.get("type") == "object":
                assert f"{name}{member}".replace(".", "").replace("_", "").lower() not in called


def _parameters(path: str, verb: str) -> dict[str, dict[str, object]]:
    listed = DOCUMENT["paths"][path][verb]["parameters"]
    return {parameter["name"]: parameter["schema"] for parameter in listed}


@pytest.mark.parametrize(
    ("path", "verb", "name", "right", "wrong"),
    [
        ("/v1/normalizers", "get", "cursor", ["", "a.b-c"], ["a b", "\u00e4", "a" * 201]),
        ("/v1/normalizers/{name}/versions", "get", "cursor", ["", "17"], ["a", "-1"]),
        (
            "/v1/normalizers/{name}/versions",
            "post",
            "Idempotency-Key",
            ["k", "a" * 255],
            ["", "a b", "a" * 256],
        ),
        (
            "/v1/normalizers/{name}/aliases/{alias}",
            "put",
            "If-Match",
            ["*", '"a"', 'W/"a", "b"'],
            ["a", '"a', '"a" "b"', ""],
        ),
        ("/v1/normalizers/{name}/aliases/{alias}", "put", "If-None-Match", ["*"], ['"a"', ""]),
        ("/v1/normalizers/{ref}", "get", "If-None-Match", ["*", '"a","b"'], ["a"]),
    ],
)
def test_r32_what_a_header_or_cursor_may_be_is_a_pattern(
    path: str, verb: str, name: str, right: list[str], wrong: list[str]
) -> None:
    valid = validator(_parameters(path, verb)[name])
    assert all(map(valid.is_valid, right))
    assert not any(map(valid.is_valid, wrong))


@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        (
            "/v1/normalizers/{name}/observations",
            [{"fit": {}}, {"statistics": {}}],
            [{}, {"fit": {}, "statistics": {}}],
        ),
        (
            "/v1/normalizers/{name}/versions",
            [{"from": "fit", "fit": {}}, {"from": "merge", "refs": ["a"]}, {"from": "params"}],
            [{"from": "fit"}, {"from": "merge"}, {"from": "weights", "fit": {}}],
        ),
        (
            "/v1/fuse",
            [{"method": "rrf", "runs": []}, {"method": "rrf", "queries": []}],
            [{"method": "rrf"}, {"method": "rrf", "runs": [], "queries": []}],
        ),
        (
            "/v1/normalizers",
            [{"name": "n", "method": "min_max", "fit": {"scores": [1]}}],
            [{"name": "n", "method": "min_max", "fit": {"scores": [1]}, "statistics": {}}],
        ),
        (
            "/v1/transform",
            [{"method": "min_max", "input": {"scores": [[1], [2]], "offsets": [0, 1, 2]}}],
            [{"method": "min_max", "input": {"scores": [1], "offsets": [0, 1], "lengths": [1]}}],
        ),
    ],
)
def test_r32_members_that_exclude_each_other_are_said_so(
    path: str, right: list[object], wrong: list[object]
) -> None:
    body = DOCUMENT["paths"][path]["post"]["requestBody"]["content"][JSON]["schema"]
    valid = validator(body)
    assert all(map(valid.is_valid, right))
    assert not any(map(valid.is_valid, wrong))


def test_r49_every_operation_documents_what_an_unknown_query_parameter_gets() -> None:
    for path, verbs in DOCUMENT["paths"].items():
        for verb, operation in verbs.items():
            assert "422" in operation["responses"], (verb, path)
