"""A fit that goes on from a version: from 'fit' with 'after'."""

from __future__ import annotations

import numpy as np
from fastapi.testclient import TestClient

from app.settings import Settings
from normalizers import RunningStandardization
from normd.client import Client
from tests.api.problem import read_problem, slug_of
from tests.api.samples import MORE_ROWS, NAMES, ROWS, add, create, look

MOVING = {
    "method": "running_standardization",
    "params": {"update": "ema", "alpha": 0.5},
    "fit": {"x": ROWS},
}
NEXT = {"from": "fit", "fit": {"x": MORE_ROWS}}


def expected() -> list[float]:
    method = RunningStandardization(update="ema", alpha=0.5).fit(ROWS).partial_fit(MORE_ROWS)
    return list(method.fitted_["loc"].tolist())


def test_k13_one_request_is_one_batch(client: TestClient) -> None:
    create(client, "n", MOVING)
    made = add(client, "n", {**NEXT, "after": "n@1"})
    assert look(client, "/n@2/fitted")["fitted"]["loc"] == expected()  # type: ignore[index]
    assert made["parents"] == [
        {"name": "n", "version": 1, "hash": look(client, "/n@1")["hash"]},
        {"origin": "fit"},
    ]
    again = add(client, "n", {**NEXT, "after": "n@1"})
    assert again["hash"] == made["hash"]


def test_without_after_a_fit_begins_anew(client: TestClient) -> None:
    create(client, "n", MOVING)
    made = add(client, "n", {"from": "fit", "fit": {"x": ROWS}})
    assert made["hash"] == look(client, "/n@1")["hash"]


def test_what_adds_up_goes_on_too(client: TestClient) -> None:
    create(client, "n", {"method": "standardization", "fit": {"x": ROWS}})
    add(client, "n", {**NEXT, "after": "n@1"})
    found = look(client, "/n@2/fitted")["fitted"]["loc"]  # type: ignore[index]
    np.testing.assert_allclose(found, np.mean(ROWS + MORE_ROWS, axis=0), rtol=1e-14)


def test_k13_sums_of_ordered_fits_are_refused_with_the_reason(client: TestClient) -> None:
    create(client, "n", MOVING)
    add(client, "n", {**NEXT, "after": "n@1"})
    response = client.post(f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@1", "n@2"]})
    assert slug_of(response) == "incompatible-statistics"
    assert "fitted in order" in str(read_problem(response)["detail"])
    observed = client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}})
    assert slug_of(observed) == "conflict"


def test_what_cannot_be_gone_on_from_is_named(client: TestClient) -> None:
    create(client, "n", MOVING)
    create(client, "other", {"method": "standardization", "fit": {"x": ROWS}})
    cases = {
        "other@1": "incompatible-statistics",
        "n@7": "not-found",
        "nobody@1": "not-found",
    }
    for reference, slug in cases.items():
        response = client.post(f"{NAMES}/n/versions", json={**NEXT, "after": reference})
        assert slug_of(response) == slug, reference
    changed = {**NEXT, "after": "n@1", "params": {"alpha": 0.1}}
    response = client.post(f"{NAMES}/n/versions", json=changed)
    assert slug_of(response) == "incompatible-statistics"
    assert "'alpha' is 0.1 here and 0.5 there" in str(read_problem(response)["detail"])
    misplaced = {"from": "params", "params": {}, "after": "n@1"}
    response = client.post(f"{NAMES}/n/versions", json=misplaced)
    assert "reads no 'after'" in str(read_problem(response)["detail"])


def test_k13_the_client_goes_on_from_a_version(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with Client.local(Settings(data=tmp_path)) as client:
        client.fit("n", "running_standardization", ROWS, params=MOVING["params"])
        client.add_version("n", "fit", fit=MORE_ROWS, after="n@1")
        x = np.array(ROWS)
        method = RunningStandardization(update="ema", alpha=0.5).fit(ROWS).partial_fit(MORE_ROWS)
        np.testing.assert_array_equal(client.transform("n", x), method.transform(x))
