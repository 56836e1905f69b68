"""Options in the bodies of fits: of creations, versions, observations and work in one request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue import catalogue
from tests.api.problem import read_problem, slug_of
from tests.api.samples import MIN_MAX, NAMES, create
from tests.unit.versions.test_fit_options import WINDOWS, ChannelMeans

MOVED = WINDOWS.transpose(0, 2, 1).tolist()
MEANS = [10.0, 11.0, 12.0, 13.0]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[TestClient]:
    """Serve a method whose fits have options of their own."""
    methods = catalogue.CATALOGUE.with_methods(ChannelMeans)
    with TestClient(create_app(Settings(data=tmp_path / "data"), methods)) as client:
        yield client


def fitted(client: TestClient, ref: str) -> object:
    return client.get(f"{NAMES}/{ref}/fitted").json()["fitted"]["mean"]


def test_k3_every_body_of_a_fit_takes_options(served: TestClient) -> None:
    fit = {"fit": {"x": MOVED}, "options": {"layout": "NCT"}}
    create(served, "a", {"method": "channel_means", **fit})
    assert fitted(served, "a@1") == MEANS
    added = served.post(f"{NAMES}/a/versions", json={"from": "fit", **fit})
    assert (added.status_code, fitted(served, "a@2")) == (201, MEANS)
    create(served, "b", {"method": "channel_means"})
    assert served.post(f"{NAMES}/b/observations", json=fit).json()["counted"]
    assert served.post(f"{NAMES}/b/versions", json={"from": "observations"}).status_code == 201
    assert fitted(served, "b@1") == MEANS
    body = {"method": "channel_means", **fit, "input": {"x": MOVED}}
    answered = served.post("/v1/transform", json=body)
    # `layout` is of the input too, and this method declares it of fits alone.
    assert slug_of(answered) == "invalid-params"
    once = {**body, "options": {"strict": True}, "fit": {"x": WINDOWS.tolist()}}
    assert served.post("/v1/transform", json={**once, "input": {"x": MOVED}}).status_code == 422


def test_k3_the_digest_of_a_request_without_options_stays(served: TestClient) -> None:
    fit = {"fit": {"x": MOVED}}
    body = {"name": "a", "method": "channel_means", **fit, "options": {"layout": "NCT"}}
    assert served.post(NAMES, json=body).status_code == 201
    again = {"name": "a", "method": "channel_means", "fit": {"x": WINDOWS.tolist()}}
    # The same rows in another order of axes are the same request.
    assert served.post(NAMES, json=again).status_code == 200
    assert served.post(NAMES, json={**again, "options": {"recommend": True}}).status_code == 409


def test_k3_a_report_advises_where_it_is_asked_to(served: TestClient) -> None:
    body = {"method": "channel_means", "fit": {"x": WINDOWS.tolist()}}
    create(served, "a", {**body, "options": {"recommend": True}})
    assert served.get(f"{NAMES}/a/report").json()["report"]["recommended"] == "centring"


def test_k3_unknown_options_and_options_without_a_fit_are_refused(client: TestClient) -> None:
    for body, path in (
        ({**MIN_MAX, "options": {"layout": "NCT"}}, "options.layout"),
        ({**MIN_MAX, "options": {"recomend": True}}, "options.recomend"),
        ({"method": "min_max", "options": {"strict": True}}, "options"),
    ):
        answer = client.post(NAMES, json={"name": "a", **body})
        assert answer.status_code == 422, answer.text
        assert read_problem(answer)["errors"][0]["path"] == path
    create(client, "n", MIN_MAX)
    answer = client.post(f"{NAMES}/n/versions", json={"from": "params", "options": {}})
    assert answer.status_code == 422
