"""A refit that is turned onto an earlier version of its name."""

from __future__ import annotations

import numpy as np
from fastapi.testclient import TestClient

from tests.api.problem import read_problem
from tests.api.samples import NAMES, create

X = np.random.default_rng(2).normal(size=(60, 4)) * [4.0, 3.0, 2.0, 1.0]
PCA = {"variant": "pca", "n_components": 2}


def test_a_new_version_is_turned_onto_an_earlier_one_and_names_its_hash(
    client: TestClient,
) -> None:
    create(client, "v", {"method": "whitening", "params": PCA, "fit": {"x": X[:30].tolist()}})
    body = {"from": "fit", "params": {"align_to": {"ref": "v@1"}}, "fit": {"x": X[30:].tolist()}}
    added = client.post(f"{NAMES}/v/versions", json=body)
    assert added.status_code == 201, added.text
    report = client.get(f"{NAMES}/v@2/report").json()["report"]
    assert report["alignment"]["hash"] == client.get(f"{NAMES}/v@1").json()["hash"]
    assert 0 < report["alignment"]["residual"] < 0.5


def test_a_version_that_is_not_there_is_told_at_its_place(client: TestClient) -> None:
    params = {**PCA, "align_to": {"ref": "nothing@1"}}
    body = {"name": "w", "method": "whitening", "params": params, "fit": {"x": X.tolist()}}
    answer = client.post(NAMES, json=body)
    assert (answer.status_code, read_problem(answer)["errors"][0]["path"]) == (
        404, "params.align_to.ref",
    )  # fmt: skip


def test_the_report_of_a_new_version_says_what_becomes_of_an_index(client: TestClient) -> None:
    create(client, "z", {"method": "whitening", "fit": {"x": X[:30].tolist()}})
    for params, verdict in (({}, "compatible"), ({"variant": "pca"}, "rotation_only")):
        body = {"from": "fit", "params": params, "fit": {"x": X[:30].tolist()}}
        number = client.post(f"{NAMES}/z/versions", json=body).json()["version"]
        told = client.get(f"{NAMES}/z@{number}/report").json()["report"]["refit"]
        assert (told["verdict"], told["n"]) == (verdict, 30)
