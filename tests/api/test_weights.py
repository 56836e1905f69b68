"""Methods that import weights need no change of the service: a toy one, by one class."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.answer import Answer, Options, answer
from normalizers.contract.example import Example
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.data.batch import Batch
from normalizers.normalizer import Normalizer

NAMES = "/v1/normalizers"
WEIGHTS = {"gain": [2.0, 0.5]}
ROWS = {"x": [[1.0, 4.0]]}


class ToyGain(Normalizer):
    """Multiply every column by a gain that was trained elsewhere."""

    name = "toy_gain"
    family = "toy"
    kinds = ("learned",)
    weight_fields = Fields(gain=floats("d", help="one number a column"))
    takes = Fields(x=floats("m d", flat="row"))
    gives = Fields(y=floats("m d"))
    example = Example(input={"x": [[1.0, 2.0]]})

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the rows times the gains."""
        return answer(given.array("x") * fitted["gain"], "y")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path), CATALOGUE.with_methods(ToyGain))) as client:
        yield client


def test_one_shot(client: TestClient) -> None:
    body = {"method": "toy_gain", "weights": WEIGHTS, "input": ROWS}
    assert client.post("/v1/transform", json=body).json()["output"] == {"y": [[2.0, 2.0]]}


def test_stored_exported_and_imported(client: TestClient) -> None:
    made = client.post(NAMES, json={"name": "g", "method": "toy_gain", "weights": WEIGHTS})
    assert made.status_code == 201, made.text
    assert made.json()["from"] == "weights"
    file = client.get(f"{NAMES}/g/export").content
    media_type = {"Content-Type": "application/vnd.safetensors"}
    imported = client.post(f"{NAMES}/import?name=h", content=file, headers=media_type)
    assert imported.json()["hash"] == made.json()["hash"]
    answered = client.post(f"{NAMES}/h/transform", json={"input": ROWS}).json()
    assert answered["output"] == {"y": [[2.0, 2.0]]}


def test_new_weights_are_a_new_version(client: TestClient) -> None:
    client.post(NAMES, json={"name": "g", "method": "toy_gain", "weights": WEIGHTS})
    body = {"from": "weights", "weights": {"gain": [1.0, 1.0]}}
    assert client.post(f"{NAMES}/g/versions", json=body).json()["version"] == 2


@pytest.mark.parametrize(
    ("weights", "path"),
    [
        ({"gian": [1.0]}, "weights.gian"),
        ({"gain": [1.0, None]}, "weights.gain[1]"),
        ({}, "weights.gain"),
    ],
)
def test_weights_are_checked(client: TestClient, weights: object, path: str) -> None:
    body = {"name": "g", "method": "toy_gain", "weights": weights}
    answered = client.post(NAMES, json=body)
    assert answered.status_code == 422
    assert answered.json()["errors"][0]["path"] == path
    assert client.get(f"{NAMES}/g").status_code == 404


def test_it_needs_weights(client: TestClient) -> None:
    answered = client.post("/v1/transform", json={"method": "toy_gain", "input": ROWS})
    assert answered.status_code == 422
    assert "weights" in answered.json()["detail"]


LEARNED = {"method": "revin", "params": {"affine": True}}
AFFINE = {"affine_weight": [2.0, 0.5], "affine_bias": [0.5, 0.0]}
WINDOWS = {"x": [[[1.0, 4.0], [2.0, 8.0], [3.0, 6.0]]]}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        yield client


def create(service: TestClient, name: str, **changes: object) -> dict[str, object]:
    made = service.post(NAMES, json={"name": name, **LEARNED, "weights": AFFINE, **changes})
    assert made.status_code == 201, made.text
    return made.json()


def test_k12_a_name_without_weights_is_not_opened(service: TestClient) -> None:
    answered = service.post(NAMES, json={"name": "r", **LEARNED})
    assert answered.status_code == 422
    assert "affine_weight, affine_bias" in answered.json()["detail"]
    assert service.get(f"{NAMES}/r").status_code == 404


def test_k12_params_keep_the_arrays_where_the_answer_alone_is_affected(service: TestClient) -> None:
    create(service, "r")
    changed = {"from": "params", "params": {"eps": 0.0}}
    made = service.post(f"{NAMES}/r/versions", json=changed)
    assert made.status_code == 201, made.text
    kept = [service.get(f"{NAMES}/r@{version}/fitted").json()["fitted"] for version in (1, 2)]
    assert kept[0] == kept[1]
    answers = [
        service.post(f"{NAMES}/r@{version}/transform", json={"input": WINDOWS}).json()["output"][
            "y"
        ]
        for version in (1, 2)
    ]
    assert answers[0] != answers[1]
    refused = service.post(
        f"{NAMES}/r/versions", json={"from": "params", "params": {"affine": False}}
    )
    assert refused.status_code == 409
    assert "which weights" in refused.json()["detail"]


def test_k12_weights_may_change_what_decides_them(service: TestClient) -> None:
    paper = CATALOGUE["bin"].example
    first = {"method": "bin", "params": dict(paper.params), "weights": dict(paper.weights or {})}
    assert service.post(NAMES, json={"name": "b", **first}).status_code == 201
    other = {
        "gamma1": [1.0, 1.0, 1.0], "beta1": [0.0, 0.0, 0.0], "gamma2": [1.0, 1.0],
        "beta2": [0.0, 0.0], "lambda1": [0.5], "lambda2": [0.5],
    }  # fmt: skip
    body = {"from": "weights", "params": {"variant": "mlproject"}, "weights": other}
    made = service.post(f"{NAMES}/b/versions", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["resolved"]["variant"] == "mlproject"


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("versions", {"from": "merge", "refs": ["r@1", "r@1"]}, "do not add up"),
        ("versions", {"from": "fit", "fit": WINDOWS}, "made of weights"),
        ("versions", {"from": "observations"}, "takes no observations"),
        ("observations", {"fit": WINDOWS}, "takes no observations"),
    ],
)
def test_k12_what_weights_cannot_do_is_refused_with_the_reason(
    service: TestClient, path: str, body: object, told: str
) -> None:
    create(service, "r")
    answered = service.post(f"{NAMES}/r/{path}", json=body)
    assert answered.status_code in (409, 422), answered.text
    assert told in answered.json()["detail"]


def test_k12_a_learned_step_by_weights_or_by_reference(service: TestClient) -> None:
    create(service, "r")
    by_weights = {**LEARNED, "weights": AFFINE}
    answers = []
    for name, step in (("w", by_weights), ("f", {"ref": "r"})):
        body = {"name": name, "method": "pipeline", "params": {"steps": ["window_z_score", step]}}
        made = service.post(NAMES, json=body)
        assert made.status_code == 201, made.text
        answered = service.post(f"{NAMES}/{name}/transform", json={"input": WINDOWS}).json()
        answers.append((made.json()["hash"], answered["output"]["y"]))
        file = service.get(f"{NAMES}/{name}/export").content
        media_type = {"Content-Type": "application/vnd.safetensors"}
        again = service.post(f"{NAMES}/import?name={name}2", content=file, headers=media_type)
        assert again.json()["hash"] == made.json()["hash"]
    assert answers[0] == answers[1]


def test_k12_an_open_name_keeps_no_weights_of_a_step(service: TestClient) -> None:
    fitted = {"method": "quantile_transform", "params": {}}
    steps = [{**LEARNED, "weights": AFFINE}, fitted]
    answered = service.post(
        NAMES, json={"name": "p", "method": "pipeline", "params": {"steps": steps}}
    )
    assert answered.status_code in (409, 422)
    assert service.get(f"{NAMES}/p").status_code == 404


def test_k12_descriptions_and_openapi_name_the_weights_by_variant(service: TestClient) -> None:
    told = service.get("/v1/methods/bin").json()["weights"]
    assert [variant["params"] for variant in told] == [
        {"variant": "paper"},
        {"variant": "mlproject"},
    ]
    assert set(told[1]["fields"]) >= {"gamma1", "lambda2"}
    schemas = service.get("/openapi.json").json()["components"]["schemas"]
    paper, mlproject = schemas["bin.create"]["properties"]["weights"]["anyOf"]
    assert "gamma_feature" in paper["required"]
    assert "gamma1" in mlproject["required"]
    assert 'variant: "mlproject"' in mlproject["description"]


def test_k12_ignored_buffers_are_named_in_the_report(tmp_path: Path) -> None:
    class Layer(ToyGain):
        """A layer whose state dict counts batches."""

        name = "toy_layer"
        ignored_weights = frozenset({"num_batches_tracked"})

    with TestClient(create_app(Settings(data=tmp_path), CATALOGUE.with_methods(Layer))) as client:
        body = {
            "name": "g",
            "method": "toy_layer",
            "weights": {**WEIGHTS, "num_batches_tracked": 3},
        }
        assert client.post(NAMES, json=body).status_code == 201
        report = client.get(f"{NAMES}/g/report").json()["report"]
    assert report["warnings"][0]["code"] == "ignored_weights"
    assert "num_batches_tracked" in report["warnings"][0]["message"]


def test_names_of_channels_stand_beside_the_weights(client: TestClient) -> None:
    weights = {"mean_layer.weight": [[1.0, 0.5], [0.0, 1.0]], "columns": ["bid", "ask"]}
    params = {"variant": "adaptive_avg"}
    body = {"name": "book", "method": "dain", "params": params, "weights": weights}
    assert client.post(NAMES, json=body).status_code == 201
    asked = {"input": {"x": [[[1.0, 2.0], [3.0, 5.0]]], "columns": ["bid", "ask"]}}
    assert client.post(f"{NAMES}/book/transform", json=asked).status_code == 200
    asked["input"]["columns"] = ["ask", "bid"]
    refused = client.post(f"{NAMES}/book/transform", json=asked)
    assert refused.status_code == 422
    assert "in another order" in refused.text
    # Parameters that change no weight keep the names.
    again = client.post(f"{NAMES}/book/versions", json={"from": "params", "params": {"eps": 1e-6}})
    assert again.status_code == 201, again.text
    assert client.post(f"{NAMES}/book/transform", json=asked).status_code == 422
    other = {**body, "name": "other", "weights": {**weights, "columns": ["bid"]}}
    assert "weights.columns" in client.post(NAMES, json=other).text
