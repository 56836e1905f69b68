"""What a service without a GPU says about devices."""

from __future__ import annotations

import sys

import pytest
from fastapi.testclient import TestClient

from normalizers.data.devices import accelerators
from tests.api.test_torch_devices import WHITEN

SCORES = {"method": "min_max", "input": {"scores": [1, 2]}}


def test_capabilities_name_the_devices(client: TestClient) -> None:
    found = {
        name: client.get(f"/v1/methods/{name}").json()["capabilities"]["devices"]
        for name in ("whitening", "inverted_softmax", "min_max")
    }
    assert found == {
        "whitening": ["cpu", "cuda"],
        "inverted_softmax": ["cpu", "cuda"],
        "min_max": ["cpu"],
    }


@pytest.mark.parametrize(
    "body, device, said",
    [
        (WHITEN, "gpu", "unknown device 'gpu'; known: cpu, cuda, cuda:N, auto"),
        (SCORES, "gpu", "unknown device"),
        (SCORES, "cuda", "'min_max' computes on cpu only, not on 'cuda'; 'auto' is for every"),
    ],
)
def test_a_device_that_cannot_be_used_is_named(
    client: TestClient, body: dict[str, object], device: str, said: str
) -> None:
    problem = client.post("/v1/transform", json={**body, "options": {"device": device}})
    assert problem.status_code == 422
    assert said in problem.json()["detail"]
    assert problem.json()["errors"][0]["path"] == "options.device"


@pytest.mark.skipif(bool(accelerators()), reason="there is a GPU")
def test_a_gpu_that_is_not_here_is_told_with_what_is(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    problem = client.post("/v1/transform", json={**WHITEN, "options": {"device": "cuda"}}).json()
    assert problem["type"].endswith("missing-dependency")
    assert "pip install 'normd[torch]'" in problem["detail"]


def test_the_option_is_in_the_query_and_in_the_documentation(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["components"]["schemas"]["Options"]
    assert "cuda" in described["properties"]["device"]["description"]
    assert "device" in client.get("/v1/methods/min_max").json()["options"]
