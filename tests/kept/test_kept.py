"""Version files and a data folder that an earlier state of the product wrote, read by this one."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.versions import file as files

HERE = Path(__file__).parent
VERSIONS = sorted(path.stem for path in (HERE / "versions").iterdir())
ANSWERS: dict[str, Any] = json.loads((HERE / "answers.json").read_text())
KEPT: dict[str, Any] = json.loads((HERE / "data.json").read_text())
# Products of matrices may differ in their last bits from one processor to another.
PRODUCTS = {"whitening", "inverted_softmax"}
# Windows are merged from other blocks since: sums of the same numbers in another order.
REORDERED = {"rolling_z_score"}
RTOL = 1e-12


def content_of(name: str) -> bytes:
    return (HERE / "versions" / f"{name}.safetensors").read_bytes()


def assert_same(found: object, expected: object, rtol: float) -> None:
    """Compare trees of JSON, numbers to the last bit where `rtol` is 0."""
    if isinstance(expected, dict):
        assert isinstance(found, dict)
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert_same(found[key], value, rtol)
    elif isinstance(expected, list):
        assert isinstance(found, list)
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, rtol)
    elif isinstance(expected, float) and rtol:
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)  # type: ignore[arg-type]
    else:
        assert found == expected


@pytest.mark.parametrize("name", VERSIONS)
def test_k22_a_kept_file_is_read_with_the_same_bytes(name: str) -> None:
    content = content_of(name)
    version = files.from_bytes(content)
    assert files.to_bytes(version) == content
    assert files.content_hash(content) == ANSWERS[name]["hash"]


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data=tmp_path_factory.mktemp("empty"))
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.mark.parametrize("name", VERSIONS)
def test_k22_a_kept_file_answers_as_it_did(empty: TestClient, name: str) -> None:
    kept = ANSWERS[name]
    made = empty.post(
        f"/v1/normalizers/import?name={name}",
        content=content_of(name),
        headers={"content-type": "application/vnd.safetensors"},
    )
    assert made.status_code == 201, made.text
    assert made.json()["hash"] == kept["hash"]
    answer = empty.post(f"/v1/normalizers/{name}/transform", json={"input": kept["input"]})
    rtol = RTOL if name in PRODUCTS | REORDERED else 0.0
    assert_same(answer.json()["output"], kept["output"], rtol)
    assert answer.json()["flags"] == kept["flags"]


def test_every_method_of_then_is_still_known() -> None:
    assert set(VERSIONS) <= set(CATALOGUE)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    pytest.importorskip("alembic", reason="alembic, which upgrades the folder, is not installed")
    with zipfile.ZipFile(HERE / "data.zip") as archive:
        archive.extractall(tmp_path)
    with TestClient(create_app(Settings(data=tmp_path))) as client:
        yield client


def test_a_kept_data_folder_is_served_as_it_was(client: TestClient) -> None:
    for name, versions in KEPT["versions"].items():
        found = client.get(f"/v1/normalizers/{name}/versions").json()
        assert [item["hash"] for item in found["items"]] == [
            item["hash"] for item in versions["items"]
        ]
        assert [item["version"] for item in found["items"]] == [
            item["version"] for item in versions["items"]
        ]
    assert client.get("/v1/normalizers/w/aliases").json() == KEPT["aliases"]
    assert client.get("/v1/normalizers/p/observations").json() == KEPT["observations"]


@pytest.mark.parametrize("ref", sorted(KEPT["answers"]))
def test_a_kept_version_answers_as_it_did(client: TestClient, ref: str) -> None:
    inputs = KEPT["inputs"][ref]
    answer = client.post(f"/v1/normalizers/{ref}/transform", json={"input": inputs}).json()
    expected = KEPT["answers"][ref]
    assert answer["hash"] == expected["hash"]
    assert_same(answer["output"], expected["output"], RTOL if ref.startswith("w") else 0.0)


def test_the_open_statistics_of_then_go_on(client: TestClient) -> None:
    path = "/v1/normalizers/p/observations"
    assert client.post(path, json={"fit": {"scores": [7.0]}}).status_code == 200
    made = client.post("/v1/normalizers/p/versions", json={"from": "observations"})
    assert made.json()["n"] == 7
