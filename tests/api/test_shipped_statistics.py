"""``fit: {"preset": name}`` over HTTP, by the client and by the command line."""

from __future__ import annotations

from pathlib import Path

from fastapi.testclient import TestClient

from normd.client import Client
from tests.api.asking import ask
from tests.api.problem import paths_of
from tests.api.samples import NAMES, create

NAMED = {"preset": "xqmeval-v1"}
COMET = {"method": "group_z_score", "params": {"metric": "wmt22-comet-da"}, "fit": NAMED}
INPUT = {"x": [80.36, 89.30], "groups": ["en-fr", "en-si"]}


def test_k17_one_request_and_a_stored_name(client: TestClient) -> None:
    answer = ask(client, {**COMET, "input": INPUT})
    assert [round(value, 2) for value in answer["output"]["y"]] == [0.61, 0.64]
    create(client, "comet", COMET)
    stored = ask(client, {"input": INPUT}, f"{NAMES}/comet/transform")
    assert stored["output"]["y"] == answer["output"]["y"]
    again = client.post(f"{NAMES}/comet/versions", json={"from": "fit", "fit": NAMED})
    assert again.status_code in (200, 201), again.text


def test_k17_what_is_wrong_is_named(client: TestClient) -> None:
    wrong = {**COMET, "params": {"metric": "MetricX-23-XL"}, "input": INPUT}
    response = client.post("/v1/transform", json=wrong)
    assert response.status_code == 422
    assert paths_of(response) == ["params.metric"]
    create(client, "comet", COMET)
    response = client.post(f"{NAMES}/comet/observations", json={"fit": NAMED})
    assert response.status_code == 422
    assert paths_of(response) == ["fit"]


def test_k17_methods_tell_their_names(client: TestClient) -> None:
    assert client.get("/v1/methods/group_z_score").json()["fit_presets"] == ["xqmeval-v1"]


def test_k17_the_client_names_it_too(tmp_path: Path) -> None:
    from app.settings import Settings

    with Client.local(Settings(data=tmp_path)) as local:
        y = local.transform("group_z_score", **INPUT, params=COMET["params"], fit=NAMED)
        assert y.round(2).tolist() == [0.61, 0.64]
        local.fit("comet", "group_z_score", NAMED, params=COMET["params"])
        assert local.transform("comet@1", **INPUT).tolist() == y.tolist()
