"""Versions and observations of what does not belong together, or is not there."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.bad_input.statistics import scatter
from tests.api.problem import MARKER, paths_of, read_problem, slug_of
from tests.api.samples import HUBS, NAMES, ROWS, SCORES, post


def test_merges_of_what_does_not_merge(client: TestClient) -> None:
    for name, body in (
        ("white", {"refs": ["white@1", "white2@1"]}),
        ("white", {"refs": ["white@1", "percent@1"]}),
        ("white", {"refs": ["white@1", "hubs@open"]}),
        ("white2", {"refs": ["white2@1", "opened@open"]}),
        ("hubs", {"refs": ["hubs@1", "hubs5@1"]}),
        ("white", {"refs": ["white@1"], "statistics": scatter()}),
        ("white", {"refs": ["white@1"], "minus": ["white2@1"]}),
        ("white", {"refs": ["white@1"], "minus": ["hubs@1"]}),
        ("white", {"refs": ["query@1"]}),
    ):
        response = post(client, f"{NAMES}/{name}/versions", {"from": "merge", **body})
        assert slug_of(response) == "incompatible-statistics", response.content


def test_merges_that_say_nothing(client: TestClient) -> None:
    for body, path in (
        ({}, "refs"),
        ({"refs": []}, "refs"),
        ({"minus": ["white@1"]}, "refs"),
        ({"refs": "white@1"}, "refs"),
        ({"refs": [5]}, "refs[0]"),
        ({"refs": [{"ref": "white@1"}]}, "refs[0]"),
        ({"refs": ["white@1"], "fit": {"x": ROWS}}, "fit"),
        ({"refs": ["white@1"], "minus": ["white@1"]}, "minus"),
    ):
        response = post(client, f"{NAMES}/white/versions", {"from": "merge", **body})
        assert response.status_code == 422, body
        assert paths_of(response)[0] == path


def test_versions_from_what_is_not_there(client: TestClient) -> None:
    for name, body, slug in (
        ("white", {"from": "fit"}, "invalid-input"),
        ("white", {"from": "statistics"}, "invalid-input"),
        ("white", {"from": "observations"}, "not-enough-data"),
        ("white", {"from": MARKER}, "invalid-input"),
        ("white", {"from": None}, "invalid-input"),
        ("white", {"from": "fit", "fit": {"x": ROWS}, "statistics": scatter()}, "invalid-input"),
        ("white", {"from": "params", "refs": ["white@1"]}, "invalid-input"),
        ("white", {"from": "params", "params": {"eps": -1}}, "invalid-params"),
        ("white", {"from": "params", "params": {"epss": 1}}, "invalid-params"),
        ("white", {"from": "weights", "weights": {"W": [[1.0]]}}, "unsupported-operation"),
        ("opened", {"from": "params", "params": {"eps": 1.0}}, "conflict"),
        ("hubs", {"from": "params", "params": {"beta": 5.0}}, "conflict"),
        ("query", {"from": "fit", "fit": {"scores": SCORES}}, "conflict"),
        ("query", {"from": "observations"}, "conflict"),
    ):
        response = post(client, f"{NAMES}/{name}/versions", body)
        assert slug_of(response) == slug, (body, response.content)


def test_observations_that_do_not_fit_those_before(client: TestClient) -> None:
    for name, body, statuses in (
        ("opened", {"fit": {"x": [[1.0, 2.0]]}}, (409,)),
        ("opened", {"statistics": scatter()}, (409,)),
        ("opened", {"fit": {"scores": SCORES}}, (422,)),
        ("opened", {"fit": {"x": ROWS}, "params": {"nan_policy": MARKER}}, (422,)),
        ("opened", {"fit": {"x": ROWS}, "params": {"pre": "l2"}}, (409,)),
        ("opened", {"fit": {"x": ROWS}, "statistics": scatter()}, (422,)),
        ("opened", {}, (422,)),
        ("opened", {"weights": {}}, (422,)),
        ("opened", {"statistics": {"scatter": {"cov": [[1.0]], "mean": [0.0]}}}, (409, 422)),
        ("hubs", {"fit": {"bank_sims": [[0.5, 0.2]], "gallery_ids": ["a", "z"]}}, (409,)),
        (
            "hubs",
            {"fit": HUBS["fit"], "params": {"beta": 5.0}},
            (409,),
        ),
        ("query", {"fit": {"scores": SCORES}}, (409,)),
    ):
        response = post(client, f"{NAMES}/{name}/observations", body)
        assert response.status_code in statuses, (body, response.content)
        read_problem(response)
