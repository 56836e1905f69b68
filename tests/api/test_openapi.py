"""The document the service writes about itself is whole, and true."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from tests.api.conftest import Serve
from tests.api.problem import STATUSES
from tests.api.samples import ARROW, JSON, NAMES, NPY, SAFETENSORS

DOCUMENT = create_app(Settings()).openapi()
OPERATIONS = {
    operation["operationId"]: (verb.upper(), path, operation)
    for path, verbs in DOCUMENT["paths"].items()
    for verb, operation in verbs.items()
}
TEXT = ("text/plain",)
RANKED = ("fuse", "transform_stored")
FUSIONS = [name for name, cls in CATALOGUE.items() if "runs" in cls().takes]
CALLS = {
    "GET /v2",
    "GET /v2/health/live",
    "GET /v2/health/ready",
    "GET /v2/models/{name}",
    "GET /v2/models/{name}/ready",
    "GET /v2/models/{name}/versions/{version}",
    "GET /v2/models/{name}/versions/{version}/ready",
    "POST /v2/models/{name}/infer",
    "POST /v2/models/{name}/versions/{version}/infer",
    "GET /v1/methods",
    "GET /v1/methods/{method}",
    "POST /v1/transform",
    "POST /v1/inverse",
    "POST /v1/fuse",
    "POST /v1/evaluate",
    "POST /v1/normalizers/{ref}/drift",
    "POST /v1/normalizers/{ref}/diagnose",
    "GET /v1/normalizers",
    "POST /v1/normalizers",
    "GET /v1/normalizers/{ref}",
    "DELETE /v1/normalizers/{ref}",
    "GET /v1/normalizers/{name}/versions",
    "POST /v1/normalizers/{name}/versions",
    "GET /v1/normalizers/{name}/observations",
    "POST /v1/normalizers/{name}/observations",
    "DELETE /v1/normalizers/{name}/observations",
    "POST /v1/normalizers/{ref}/transform",
    "POST /v1/normalizers/{ref}/inverse",
    "GET /v1/normalizers/{ref}/statistics",
    "GET /v1/normalizers/{ref}/fitted",
    "GET /v1/normalizers/{ref}/report",
    "GET /v1/normalizers/{ref}/method",
    "GET /v1/normalizers/{ref}/export",
    "POST /v1/normalizers/import",
    "GET /v1/normalizers/{name}/aliases",
    "PUT /v1/normalizers/{name}/aliases/{alias}",
    "DELETE /v1/normalizers/{name}/aliases/{alias}",
    "GET /v1/limits",
    "GET /",
    "GET /livez",
    "GET /readyz",
    "GET /metrics",
    "GET /problems",
    "GET /problems/{slug}",
}


def _references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for child in node.values():
            yield from _references(child)
    elif isinstance(node, list):
        for child in node:
            yield from _references(child)


def _examples(name: str) -> dict[str, dict[str, object]]:
    content = OPERATIONS[name][2]["requestBody"]["content"][JSON]
    return {key: example["value"] for key, example in content["examples"].items()}


def test_every_call_of_the_contract_is_documented(client: TestClient) -> None:
    assert {f"{verb} {path}" for verb, path, _ in OPERATIONS.values()} == CALLS
    assert client.get("/openapi.json").json() == json.loads(json.dumps(DOCUMENT))


def test_every_reference_of_the_document_is_there() -> None:
    known = {f"#/components/schemas/{name}" for name in DOCUMENT["components"]["schemas"]}
    assert set(_references(DOCUMENT)) <= known


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_is_described(name: str) -> None:
    _, path, operation = OPERATIONS[name]
    assert operation["summary"]
    assert operation["description"]
    for parameter in operation.get("parameters", ()):
        assert parameter["schema"]
        if parameter["in"] != "header":
            assert parameter.get("description"), parameter
    assert path.count("{") == sum(
        parameter["in"] == "path" for parameter in operation.get("parameters", ())
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_problem_status_is_documented(name: str) -> None:
    _, path, operation = OPERATIONS[name]
    problems = {status for status in operation["responses"] if int(status) >= 400}
    for status in problems:
        content = operation["responses"][status]["content"]
        assert content == {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        }
    assert problems <= {str(status) for status in STATUSES.values()}
    assert problems >= {"406", "413", "500", "503"}
    if "{" in path:
        assert problems >= {"404", "422"}
    if "requestBody" in operation:
        assert problems >= {"400", "413", "415", "422"}
    headers = {parameter["name"] for parameter in operation.get("parameters", ())}
    assert ("412" in problems) == ("If-Match" in headers)
    assert len(operation["responses"]) > len(problems)


def test_all_statuses_together_are_those_of_the_problem_types() -> None:
    said = {s for _, _, operation in OPERATIONS.values() for s in operation["responses"]}
    assert {int(s) for s in said if int(s) >= 400} | {405} == set(STATUSES.values())
    types = DOCUMENT["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    assert types == [f"/problems/{slug}" for slug in types_of(types)]
    assert set(types_of(types)) == STATUSES.keys()


def types_of(uris: list[str]) -> list[str]:
    return [uri.removeprefix("/problems/") for uri in uris]


# Metrics have a form of their own.
@pytest.mark.parametrize("name", sorted(OPERATIONS.keys() - {"metrics"}))
def test_every_success_has_a_schema(name: str) -> None:
    responses = OPERATIONS[name][2]["responses"]
    for status in {"200", "201"} & responses.keys():
        content = responses[status]["content"]
        assert content
        for media_type, described in content.items():
            octets = name in ("export", "infer", "infer_version")
            engines = ("application/octet-stream",) if octets else ()
            engines += ("text/html",) if name == "start" else ()
            text = TEXT if name in RANKED else ()
            assert media_type in (JSON, SAFETENSORS, ARROW, NPY, *text, *engines)
            assert described["schema"]


@pytest.mark.parametrize("method", CATALOGUE)
def test_every_parameter_of_a_method_is_in_its_schema(method: str) -> None:
    cls = CATALOGUE[method]
    schema = DOCUMENT["components"]["schemas"][f"{method}.params"]
    assert schema["properties"].keys() - {"preset"} == cls.parameters.keys()
    assert schema["additionalProperties"] is False
    for name, declared in cls.parameters.items():
        described = schema["properties"][name]
        assert described["description"] == declared.help
        assert described["x-affects"] == declared.affects
        assert described.get("default") == declared.standard
    for name in ("transform", "create"):
        one = DOCUMENT["components"]["schemas"][f"{method}.{name}"]
        assert one["properties"]["params"] == {"$ref": f"#/components/schemas/{method}.params"}
        assert set(one["properties"]["method"]["enum"]) == {method, *cls.aliases}


@pytest.mark.parametrize("method", CATALOGUE)
def test_the_example_of_every_method_works(client: TestClient, method: str) -> None:
    example = _examples("transform")[method]
    assert example["method"] == method
    answer = client.post("/v1/transform", json=example)
    assert answer.status_code == 200, answer.text
    created = client.post(NAMES, json=_examples("create")[method])
    assert created.status_code == 201, created.text
    shown = client.get(f"/v1/methods/{method}").json()
    assert shown["example"]["input"] == example["input"]


@pytest.mark.parametrize(
    "method",
    [*(name for name in FUSIONS if not CATALOGUE[name].example.fit), "queries", "columns"],
)
def test_the_example_of_every_fusion_works(client: TestClient, method: str) -> None:
    answer = client.post("/v1/fuse", json=_examples("fuse")[method])
    assert answer.status_code == 200, answer.text


def test_the_catalogue_shows_every_method_by_name_and_alias(client: TestClient) -> None:
    items = client.get("/v1/methods").json()["items"]
    assert [item["name"] for item in items] == list(CATALOGUE)
    for item in items:
        assert item.keys() >= {
            "family",
            "summary",
            "kinds",
            "parameters",
            "affects",
            "takes",
            "gives",
            "fits",
            "statistics",
            "capabilities",
            "references",
        }
        assert item["summary"]
        assert item["references"]
        for spelling in (item["name"], *item["aliases"], item["name"].upper().replace("_", "-")):
            assert client.get(f"/v1/methods/{spelling}").json() == item


def test_every_setting_has_a_description() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert field.description.endswith(".")


def test_limits_show_what_the_settings_say(serve: Serve) -> None:
    own = serve(max_rows=17, max_body_bytes=12_345)
    limits = own.get("/v1/limits").json()["limits"]
    settings = own.app.state.context.settings  # type: ignore[attr-defined]
    assert limits.keys() == set(Settings.SHOWN)
    for name, shown in limits.items():
        assert shown == {
            "value": getattr(settings, name),
            "setting": f"NORMD_{name.upper()}",
            "description": Settings.model_fields[name].description,
        }
    assert (limits["max_rows"]["value"], limits["max_body_bytes"]["value"]) == (17, 12_345)
    assert {name for name in Settings.model_fields if name.startswith("max_")} <= limits.keys()


def test_the_settings_are_read_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("env")
    monkeypatch.setenv("NORMD_DATA", str(folder))
    monkeypatch.setenv("NORMD_MAX_ROWS", "3")
    with TestClient(create_app()) as own:
        assert own.get("/v1/limits").json()["limits"]["max_rows"]["value"] == 3
        assert own.get("/readyz").json() == {"status": "ready"}
        assert own.get("/livez").json() == {"status": "alive"}
    assert (folder / "registry.db").is_file()
