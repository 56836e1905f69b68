"""Observations: folded into open statistics, moved elsewhere, refused where none fit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.registry.errors import Unavailable
from normalizers.catalogue import catalogue
from tests.api.conftest import Serve
from tests.api.encoding import as_base64
from tests.api.problem import read_problem, slug_of
from tests.api.resources.statistics import SOME, assert_close, statistics_of
from tests.api.samples import (
    HUBS,
    JSON,
    MIN_MAX,
    MORE_ROWS,
    NAMES,
    PERCENTILE,
    ROWS,
    SAFETENSORS,
    SCORES,
    add,
    create,
    look,
)

SCOPES = (("min_max", "query"), ("percentile", "fitted"))


def test_they_fold_into_the_open_statistics(client: TestClient) -> None:
    create(client, "n", {k: v for k, v in SOME.items() if k != "fit"})
    path = f"{NAMES}/n/observations"
    assert client.get(path).json() == {"statistics": {"scatter": {}}}
    for row in ROWS:
        answer = client.post(path, json={"fit": {"x": [row]}})
        assert (answer.status_code, answer.json()) == (200, {"name": "n", "counted": True})
    create(client, "m", {**SOME, "fit": {"x": MORE_ROWS}})
    client.post(path, json={"statistics": statistics_of(client, "/m/statistics")})
    made = add(client, "n", {"from": "observations"})
    whole = create(client, "whole", {**SOME, "fit": {"x": ROWS + MORE_ROWS}})
    assert (made["version"], made["n"]) == (1, whole["n"])
    assert_close(statistics_of(client, "/n/statistics"), statistics_of(client, "/whole/statistics"))


def test_making_a_version_does_not_empty_them(client: TestClient) -> None:
    create(client, "n", {"method": "whitening"})
    path = f"{NAMES}/n/observations"
    client.post(path, json={"fit": {"x": ROWS}})
    first = add(client, "n", {"from": "observations"})
    again = add(client, "n", {"from": "observations"})
    assert first["hash"] == again["hash"]
    client.post(path, json={"fit": {"x": MORE_ROWS}})
    assert add(client, "n", {"from": "observations"})["n"] == len(ROWS) + len(MORE_ROWS)
    assert client.delete(path).status_code == 204
    assert client.get(path).json() == {"statistics": {"scatter": {}}}
    response = client.post(f"{NAMES}/n/versions", json={"from": "observations"})
    assert slug_of(response) == "not-enough-data"
    assert len(look(client, "/n/versions")["items"]) == 3  # type: ignore[arg-type]
    client.post(path, json={"fit": {"x": [[1.0, 2.0], [3.0, 5.0]]}})
    assert client.get(path).json()["statistics"]["scatter"]["n"] == 2


def test_they_hold_observations_only(client: TestClient) -> None:
    create(client, "n", SOME)
    client.post(f"{NAMES}/n/observations", json={"fit": {"x": MORE_ROWS}})
    assert add(client, "n", {"from": "observations"})["n"] == len(MORE_ROWS)


@pytest.mark.parametrize(
    "body",
    [
        {"method": "whitening", "fit": {"x": ROWS}},
        PERCENTILE,
        MIN_MAX,
        HUBS,
        {
            "method": "group_z_score",
            "fit": {"x": [1.0, 2.0, 4.0, 8.0], "groups": ["a", "a", "b", "b"]},
        },
    ],
    ids=lambda body: str(body["method"]),
)
def test_what_get_answers_can_be_posted_elsewhere_as_it_is(
    client: TestClient, body: Mapping[str, object]
) -> None:
    opening = {name: value for name, value in body.items() if name != "fit"}
    for name in ("n", "m"):
        create(client, name, opening)
    for _ in range(3):
        client.post(f"{NAMES}/n/observations", json={"fit": body["fit"]})
    for accept in (JSON, SAFETENSORS):
        moved = client.get(f"{NAMES}/n/observations", headers={"accept": accept})
        answer = client.post(
            f"{NAMES}/m/observations",
            content=moved.content,
            headers={"content-type": accept, "accept": JSON},
        )
        assert answer.status_code == 200, answer.text
        assert (
            client.get(f"{NAMES}/m/observations").json()
            == client.get(f"{NAMES}/n/observations").json()
        )
        assert client.delete(f"{NAMES}/m/observations").status_code == 204
    statistics = look(client, "/n/observations")
    made = create(client, "k", {**opening, **statistics})
    assert made["hash"] == add(client, "n", {"from": "observations"})["hash"]


def test_an_idempotency_key_counts_once(client: TestClient) -> None:
    create(client, "n", {"method": "whitening"})
    path, sent = f"{NAMES}/n/observations", {"idempotency-key": "k"}
    first = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
    again = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
    binary = client.post(path, json={"fit": {"x": as_base64(ROWS)}}, headers=sent)
    assert [r.json()["counted"] for r in (first, again, binary)] == [True, False, False]
    other = client.post(path, json={"fit": {"x": MORE_ROWS}}, headers=sent)
    assert slug_of(other) == "conflict"
    assert client.get(path).json()["statistics"]["scatter"]["n"] == len(ROWS)
    client.delete(path)
    late = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
    assert late.json()["counted"] is False
    assert client.get(path).json()["statistics"]["scatter"] == {}
    client.post(f"{NAMES}/n/versions", json={"from": "observations"}, headers=sent)


def test_compaction_changes_nothing(serve: Serve) -> None:
    own = serve(compact_after=2)
    rows = np.random.default_rng(7).normal(size=(23, 3))
    create(own, "n", {"method": "whitening"})
    for row in rows:
        own.post(f"{NAMES}/n/observations", json={"fit": {"x": [row.tolist()]}})
    kept = own.app.state.context.registry.observations.partials("n")  # type: ignore[attr-defined]
    assert len(kept) < 10
    create(own, "whole", {"method": "whitening", "fit": {"x": rows.tolist()}})
    assert_close(
        own.get(f"{NAMES}/n/observations").json()["statistics"],
        statistics_of(own, "/whole/statistics"),
    )


def test_a_compaction_that_fails_behind_the_answer_spoils_nothing(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    own = serve(compact_after=2)
    create(own, "n", {"method": "whitening"})

    def locked(*_: object) -> int:
        raise Unavailable("locked")

    observations = own.app.state.context.registry.observations  # type: ignore[attr-defined]
    with monkeypatch.context() as patch:
        patch.setattr(observations, "compact", locked)
        for row in ROWS:
            assert own.post(f"{NAMES}/n/observations", json={"fit": {"x": [row]}}).is_success
    assert "n are not compacted: locked" in caplog.text
    assert len(observations.partials("n")) == len(ROWS)
    own.post(f"{NAMES}/n/observations", json={"fit": {"x": MORE_ROWS}})
    assert len(observations.partials("n")) < len(ROWS)
    assert own.get(f"{NAMES}/n/observations").json()["statistics"]["scatter"]["n"] == 10


def test_a_name_that_answers_from_each_request_alone_refuses_with_a_hint(
    client: TestClient,
) -> None:
    create(client, "n", {"method": "min_max"})
    create(client, "p", {"method": "percentile", "params": {"scope": "query"}})
    for name in ("n", "p"):
        response = client.post(f"{NAMES}/{name}/observations", json={"fit": {"scores": SCORES}})
        assert slug_of(response) == "conflict"
        assert "scope: 'fitted'" in str(read_problem(response)["detail"])
    create(client, "o", {"method": "min_max", "params": {"scope": "fitted"}})
    response = client.post(f"{NAMES}/o/observations", json={"fit": {"scores": SCORES}})
    assert response.status_code == 200


@pytest.mark.parametrize("method", ["rolling_z_score", "window_z_score", "rrf"])
def test_methods_that_no_stream_fits_refuse_with_a_hint(client: TestClient, method: str) -> None:
    if method not in catalogue.CATALOGUE:
        pytest.skip(f"{method} is not built")
    example = catalogue.CATALOGUE[method].example
    create(client, "n", {"method": method, "params": dict(example.params)})
    response = client.post(f"{NAMES}/n/observations", json={"fit": dict(example.input)})
    assert slug_of(response) == "conflict"
    if method == "rolling_z_score":
        assert "state" in str(read_problem(response)["detail"])


def test_a_pipeline_with_one_fitted_step_takes_observations(client: TestClient) -> None:
    steps = [{"method": m, "params": {"scope": scope}} for m, scope in SCOPES]
    create(client, "n", {"method": "pipeline", "params": {"steps": steps}})
    for scores in ([1.0, 2.0, 5.0], [0.0, 3.0]):
        answer = client.post(f"{NAMES}/n/observations", json={"fit": {"scores": scores}})
        assert answer.status_code == 200
    made = add(client, "n", {"from": "observations"})
    assert made["n"] == 5
