"""Work that cannot be done is a problem with its place, in one request and in stored names."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.bad_input.work import BAD
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import NAMES, post


@pytest.mark.parametrize("name", BAD)
def test_one_shot_work_that_cannot_be_done(client: TestClient, name: str) -> None:
    bad = BAD[name]
    response = post(client, "/v1/transform", bad.body)
    assert slug_of(response) == bad.slug, response.content
    assert paths_of(response)[0] == bad.path


NO_CREATION = [name for name, bad in BAD.items() if bad.path.startswith(("fit", "params"))]


@pytest.mark.parametrize("name", NO_CREATION)
def test_a_name_that_cannot_be_created(client: TestClient, name: str) -> None:
    bad = BAD[name]
    body = {k: v for k, v in bad.body.items() if k != "input"}
    for query in ("", "?dry_run=true"):
        response = post(client, NAMES + query, {"name": "new", **body})
        assert slug_of(response) == bad.slug
        assert paths_of(response)[0] == bad.path


@pytest.mark.parametrize("name", [n for n, bad in BAD.items() if bad.method == "whitening"])
def test_the_same_of_stored_names(client: TestClient, name: str) -> None:
    bad = BAD[name]
    if bad.path.startswith("input"):
        for ref in ("white", "white@1", "white@prod"):
            response = post(client, f"{NAMES}/{ref}/transform", {"input": bad.given})
            assert (slug_of(response), paths_of(response)[0]) == (bad.slug, bad.path)
    else:
        body = {"from": "fit", "fit": bad.fit, "params": bad.params}
        response = post(client, f"{NAMES}/white2/versions", body)
        assert (slug_of(response), paths_of(response)[0]) == (bad.slug, bad.path)


def test_did_you_mean(client: TestClient) -> None:
    for body, guess in (
        ({"method": "min_mx", "input": {}}, "min_max"),
        ({"method": "reciprocal_rank_fusio", "input": {}}, "reciprocal_rank_fusion"),
        ({"method": "min_max", "params": {"bound": 1}, "input": {}}, "bounds"),
        ({"method": "min_max", "input": {"score": []}}, "scores"),
        ({"method": "whitening", "input": {"vectors": []}, "fit": {"vectors": []}}, "x"),
        ({"method": "min_max", "input": {}, "options": {"stricct": True}}, "strict"),
        ({"method": "min_max", "input": {}, "param": {}}, "params"),
        ({"method": "whitening", "input": {}, "statistics": {"scater": {}}}, "scatter"),
    ):
        response = post(client, "/v1/transform", body)
        assert f"did you mean '{guess}'" in str(read_problem(response)["detail"])
