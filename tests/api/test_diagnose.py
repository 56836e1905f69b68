"""``POST /v1/normalizers/{ref}/diagnose``: does a correction of hubs help live queries."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.api.openapi.examples import examples_of
from normalizers import Sinkhorn
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.evaluation import diagnose
from tests.api.problem import slug_of
from tests.api.samples import HUBS, JSON, NAMES, NPY, PERCENTILE, SAFETENSORS, create, post, tensors
from tests.api.streams import npy

DIAGNOSE = f"{NAMES}/n/diagnose"
RNG = np.random.default_rng(7)
LEANING = RNG.normal(size=12)
BANK, LIVE = RNG.normal(size=(60, 12)) + LEANING, RNG.normal(size=(50, 12)) + LEANING
FIT = {"method": "sinkhorn", "params": {"beta": 2.0}, "fit": {"bank_sims": BANK.tolist()}}


@pytest.fixture
def hubs(client: TestClient) -> TestClient:
    create(client, "n", FIT)
    return client


def test_the_service_says_what_the_library_says(hubs: TestClient) -> None:
    answer = hubs.post(DIAGNOSE, json={"input": {"sims": LIVE.tolist()}, "k": 2})
    assert answer.status_code == 200, answer.text
    told = answer.json()
    named = {name: told.pop(name) for name in ("name", "version", "hash", "method")}
    assert named | {"hash": 0} == {"name": "n", "version": 1, "hash": 0, "method": "sinkhorn"}
    assert told == diagnose(Sinkhorn(beta=2.0).fit(BANK), LIVE, k=2)
    assert str(named["hash"]) in answer.headers["etag"]


@pytest.mark.parametrize("form", ["tensors", "npy"])
def test_binary_bodies_say_the_same(hubs: TestClient, form: str) -> None:
    body, media_type = {
        "tensors": (tensors({}, input__sims=LIVE), SAFETENSORS),
        "npy": (npy(LIVE), NPY),
    }[form]
    told = post(hubs, DIAGNOSE, body, media_type=media_type, headers={"accept": JSON})
    assert told.status_code == 200, told.text
    assert told.json() == hubs.post(DIAGNOSE, json={"input": {"sims": LIVE.tolist()}}).json()


@pytest.mark.parametrize("name", examples_of("diagnose", CATALOGUE))
def test_every_example_of_the_document_works(client: TestClient, name: str) -> None:
    example = CATALOGUE[name].example
    create(client, "n", {"method": name, "params": dict(example.params), "fit": example.fit})
    answer = client.post(DIAGNOSE, json=examples_of("diagnose", CATALOGUE)[name]["value"])
    assert answer.status_code == 200, answer.text


def test_what_cannot_be_diagnosed_is_refused(client: TestClient) -> None:
    create(client, "n", PERCENTILE)
    answer = client.post(DIAGNOSE, json={"input": {"scores": [3.0]}})
    assert (answer.status_code, slug_of(answer)) == (422, "unsupported-operation")
    create(client, "hubs", HUBS)
    for body in ({"input": {"sims": [[1.0]]}}, {"input": {"sims": [[1.0, 2.0, 3.0]]}, "k": 0}):
        refused = client.post(f"{NAMES}/hubs/diagnose", json=body)
        assert refused.status_code == 422, refused.text
