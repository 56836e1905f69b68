"""The library and the service give the same bits, whatever carries the numbers."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

import numpy as np

from normalizers.contract.answer import Answer
from normalizers.data.ragged import Ragged, offsets_of
from normalizers.errors import NormalizerError
from normalizers.testing.capabilities import fitted, invertible, of, streams
from normalizers.testing.samples import RAGGED_KINDS, Values
from normalizers.versions.file import content_hash, to_bytes
from normalizers.versions.manifest import params_json
from normd.wire.codecs import safetensors
from tests.conformance.cases import Case
from tests.conformance.service import BINARY, Service

ENDIAN = "<"


def check_library_equals_api_json(case: Case, service: Service) -> None:
    """Nested lists of plain JSON numbers."""
    answered = service.json("POST", "/v1/transform", nested(request_of(case)))
    assert_same(case, case.answer(nested(case.given())), answered)


def check_library_equals_api_base64(case: Case, service: Service) -> None:
    """Arrays as base64 of their bytes."""
    request = request_of(case, columnar=True)
    answered = _decoded(service.json("POST", "/v1/transform", _encoded(request)))
    assert_same(case, case.answer(_columnar(case, case.given())), answered)


def check_library_equals_api_safetensors(case: Case, service: Service) -> None:
    """Arrays as tensors."""
    request = request_of(case, columnar=True)
    content = service.bytes("POST", "/v1/transform", safetensors.encode(listed(request)), BINARY)
    answered = safetensors.decode(content).tree
    assert_same(case, case.answer(_columnar(case, case.given())), answered)


def check_library_equals_api_for_missing_values(case: Case, service: Service) -> None:
    """A refusal or an answer with null: the same in both."""
    if not case.takes[case.main].numeric:
        return
    given = nested(case.given())
    _plant(given, case)
    request = {**nested(request_of(case)), "input": given}
    status, answered = service.ask("POST", "/v1/transform", request)
    path, expected = _attempt(case, given)
    if expected is None:
        assert status == 422
        assert path in {error["path"] for error in answered["errors"]}  # type: ignore[attr-defined]
    else:
        assert_same(case, expected, answered)


def check_stored_version_is_the_library_s(case: Case, service: Service) -> None:
    """A name's version has the library's hash, answers the same, and is the library's file."""
    name = service.fresh_name(case.name)
    made = service.json("POST", "/v1/normalizers", {"name": name, **nested(described_by(case))})
    assert made["hash"] == content_hash(to_bytes(case.version))
    answered = _transformed(case, service, name)
    assert answered["version"] == 1
    assert_same(case, case.answer(nested(case.given())), answered)
    assert service.bytes("GET", f"/v1/normalizers/{name}/export", b"", {}) == to_bytes(case.version)


@of(fitted)
def check_stored_parts_are_the_library_s(case: Case, service: Service) -> None:
    """Statistics, fitted arrays and the report are those of the library."""
    name = service.fresh_name(case.name)
    service.json("POST", "/v1/normalizers", {"name": name, **nested(described_by(case))})
    version = case.version
    statistics = service.json("GET", f"/v1/normalizers/{name}/statistics")["statistics"]
    assert statistics == nested(version.statistics.to_arrays())
    shown = service.json("GET", f"/v1/normalizers/{name}/fitted")["fitted"]
    for path, array in version.fitted.arrays.items():
        assert _at(shown, path) == nested(array)
    report = service.json("GET", f"/v1/normalizers/{name}/report")["report"]
    assert report["n"] == version.n  # type: ignore[index]


@of(fitted)
def check_posted_statistics_make_the_same_version(case: Case, service: Service) -> None:
    """A version's statistics, posted under another name, give the same fitted arrays."""
    name, other = service.fresh_name(case.name), service.fresh_name(case.name)
    service.json("POST", "/v1/normalizers", {"name": name, **nested(described_by(case))})
    statistics = service.json("GET", f"/v1/normalizers/{name}/statistics")["statistics"]
    described = {**nested(described_by(case)), "statistics": statistics}
    del described["fit"]
    service.json("POST", "/v1/normalizers", {"name": other, **described})
    first, second = (
        service.json("GET", f"/v1/normalizers/{each}/fitted")["fitted"] for each in (name, other)
    )
    assert first == second


@of(streams)
def check_observations_make_a_version(case: Case, service: Service) -> None:
    """An open name, fed by observations, gives the library's statistics."""
    name = service.fresh_name(case.name)
    described = nested(described_by(case))
    fit = described.pop("fit")
    by_scope = "scope" in case.cls.parameters or bool(case.hint.opened)
    if case.method.stateless and by_scope:
        described["params"] = {**described["params"], **(case.hint.opened or {"scope": "fitted"})}
    opened = service.json("POST", "/v1/normalizers", {"name": name, **described})
    assert opened["version"] == (None if by_scope or not case.method.stateless else 1)
    service.json("POST", f"/v1/normalizers/{name}/observations", {"fit": fit})
    made = service.json("POST", f"/v1/normalizers/{name}/versions", {"from": "observations"})
    assert made["n"] == case.version.n
    reference = f"{name}@{made['version']}"
    statistics = service.json("GET", f"/v1/normalizers/{reference}/statistics")["statistics"]
    if not case.hint.opened:
        assert statistics == nested(case.version.statistics.to_arrays())


def check_import_brings_the_version_back(case: Case, service: Service) -> None:
    """The library's file, imported, is a version that answers the same; a damaged one is not."""
    name = service.fresh_name(case.name)
    content = to_bytes(case.version)
    path = f"/v1/normalizers/import?name={name}"
    made = json.loads(
        service.bytes("POST", path, content, {"content-type": BINARY["content-type"]})
    )
    assert made["hash"] == content_hash(content)
    answered = _transformed(case, service, name)
    assert_same(case, case.answer(nested(case.given())), answered)
    status, _ = service.ask_bytes("POST", path, content[:-1] or b"0", BINARY)
    assert status == 422


@of(invertible)
def check_inverse_equals_the_library_s(case: Case, service: Service) -> None:
    """The way back through the service gives the library's bits."""
    given = nested(case.given())
    back = nested(case.returned(case.answer(given), given))
    expected = case.version.inverse(back)
    answered = service.json("POST", "/v1/inverse", {**nested(described_by(case)), "input": back})
    assert answered["output"] == nested(expected.output)


def check_catalogue_shows_the_method(case: Case, service: Service) -> None:
    """`GET /v1/methods/{method}` and OpenAPI tell the parameters, fields and the example."""
    shown = service.json("GET", f"/v1/methods/{case.cls.name}")
    assert set(shown["parameters"]["properties"]) == set(case.cls.parameters)  # type: ignore[index]
    assert shown["capabilities"]["monotone"] is case.cls().traits.monotone  # type: ignore[index]
    assert shown["example"]["input"]  # type: ignore[index]
    document = service.document
    schemas = document["components"]["schemas"]  # type: ignore[index]
    params = schemas[f"{case.cls.name}.params"]
    assert set(case.cls.parameters) <= set(params["properties"])
    for name, declared in case.cls.parameters.items():
        assert declared.help in json.dumps(params["properties"][name])
    examples = document["paths"]["/v1/transform"]["post"]["requestBody"]["content"]  # type: ignore[index]
    shown_example = examples["application/json"]["examples"][case.cls.name]["value"]
    assert service.json("POST", "/v1/transform", shown_example)["method"] == case.cls.name


def _transformed(case: Case, service: Service, name: str) -> dict[str, object]:
    path = f"/v1/normalizers/{name}/transform"
    return service.json("POST", path, nested({"input": case.given()}))


def described_by(case: Case) -> dict[str, object]:
    described: dict[str, object] = {"method": case.cls.name, "params": case.params}
    return {**described, **case.source}


def request_of(case: Case, columnar: bool = False) -> dict[str, object]:
    described = described_by(case)
    given = case.given()
    if not columnar:
        return {**described, "input": given}
    if case.with_fit:
        described["fit"] = _columnar(case, described["fit"], fit=True)  # type: ignore[arg-type]
    return {**described, "input": _columnar(case, given)}


def _columnar(case: Case, values: Values, fit: bool = False) -> Values:
    """Return ragged fields as one flat array each, with their common offsets."""
    return _flattened(case.fits if fit else case.takes, values)


def _flattened(fields, values: Values) -> Values:  # type: ignore[no-untyped-def]
    flat: Values = {}
    for name, value in values.items():
        if fields[name].kind == "records":
            flat[name] = [_flattened(fields[name].members, record) for record in value]  # type: ignore[attr-defined]
        elif fields[name].kind in RAGGED_KINDS:
            flat["offsets"] = offsets_of([len(part) for part in value])  # type: ignore[attr-defined]
            flat[name] = _joined(value)
        else:
            flat[name] = value
    return flat


def _joined(parts) -> object:  # type: ignore[no-untyped-def]
    if parts and isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return [item for part in parts for item in part]


def nested(tree):  # type: ignore[no-untyped-def]
    """Return a tree of plain JSON values; NaN is null."""
    if isinstance(tree, np.ndarray):
        return nested(tree.tolist())
    if isinstance(tree, Ragged):
        return [nested(part) for part in tree]
    if isinstance(tree, Mapping):
        return {key: nested(child) for key, child in tree.items()}
    if isinstance(tree, list | tuple):
        return [nested(child) for child in tree]
    return None if isinstance(tree, float) and tree != tree else tree


def _encoded(tree):  # type: ignore[no-untyped-def]
    """Return a tree whose numeric arrays are base64 objects."""
    if isinstance(tree, np.ndarray) and tree.dtype != object:
        little = np.asarray(tree, dtype=tree.dtype.newbyteorder(ENDIAN), order="C")
        written = base64.b64encode(little.tobytes()).decode()
        return {"dtype": tree.dtype.name, "shape": list(tree.shape), "base64": written}
    if isinstance(tree, dict):
        return {key: _encoded(child) for key, child in tree.items()}
    if isinstance(tree, list):
        return [_encoded(child) for child in tree]
    return tree.tolist() if isinstance(tree, np.ndarray) else tree


def _decoded(tree):  # type: ignore[no-untyped-def]
    if isinstance(tree, dict) and tree.keys() == {"dtype", "shape", "base64"}:
        raw = base64.b64decode(tree["base64"])
        return np.frombuffer(raw, dtype=tree["dtype"]).reshape(tree["shape"])
    if isinstance(tree, dict):
        return {key: _decoded(child) for key, child in tree.items()}
    return [_decoded(child) for child in tree] if isinstance(tree, list) else tree


def listed(tree):  # type: ignore[no-untyped-def]
    """Return a tree whose arrays of strings are lists."""
    if isinstance(tree, dict):
        return {key: listed(child) for key, child in tree.items()}
    if isinstance(tree, list):
        return [listed(child) for child in tree]
    return tree.tolist() if isinstance(tree, np.ndarray) and tree.dtype == object else tree


def assert_same(case: Case, answer, answered) -> None:  # type: ignore[no-untyped-def]
    """Fail unless the envelope holds the library's bits, flags, warnings and parameters."""
    output: dict[str, object] = {}
    for name, value in answer.output.items():
        if isinstance(value, Ragged):
            output["offsets"], output[name] = value.offsets.tolist(), nested(value.values)
        else:
            output[name] = nested(value)
    assert nested(answered["output"]) == output
    assert answered["flags"] == {name: places.tolist() for name, places in answer.flags.items()}
    assert answered["warnings"] == [noted.as_dict() for noted in answer.warnings]
    effective = params_json(case.version.resolved_method, answer.effective_params)
    assert answered["effective_params"] == json.loads(json.dumps(effective))


def _attempt(case: Case, given: Values) -> tuple[str, Answer | None]:
    try:
        return "", case.answer(given)
    except NormalizerError as refused:
        return refused.path, None


def _plant(given: Values, case: Case) -> None:
    """Put a null in the place of the first number of unit 0."""
    node = given[case.main][0]  # type: ignore[index]
    while isinstance(node[0], list):
        node = node[0]
    node[0] = None


def _at(shown, path: str):  # type: ignore[no-untyped-def]
    if path in shown:
        return shown[path]
    for key in path.split("."):
        shown = shown[int(key)] if isinstance(shown, list) else shown[key]
    return shown
