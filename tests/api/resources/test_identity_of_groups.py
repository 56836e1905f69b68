"""What fits of groups must agree in before they are added up, and what a part need not know."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.samples import NAMES, create

ROWS = {"x": [1.0, 2.0], "groups": ["a", "a"]}
MISSING = {"fit": {"x": [None, None], "groups": ["a", "a"]}}
MOMENTS = {"statistics": {"moments": {"keys": [["a"]], "n": [[2]], "mean": [[1.5]], "m2": [[0.5]]}}}


@pytest.mark.parametrize(
    ("parameter", "one", "other"),
    [("reference_kind", "self", "anchors"), ("higher_is_better", True, False)],
)
def test_r8_fits_of_another_kind_or_direction_do_not_merge(
    client: TestClient, parameter: str, one: object, other: object
) -> None:
    for name, value in (("one", one), ("other", other)):
        create(client, name, {"method": "group_z_score", "params": {parameter: value}, "fit": ROWS})
    body = {"from": "merge", "refs": ["one", "other"]}
    refused = client.post(f"{NAMES}/one/versions", json=body)
    assert refused.status_code == 409
    assert parameter in refused.json()["detail"]


@pytest.mark.parametrize("first", [MISSING, MOMENTS])
def test_r13_what_one_part_does_not_know_yet_is_no_difference(
    client: TestClient, first: dict[str, object]
) -> None:
    create(client, "open", {"method": "group_z_score"})
    path = f"{NAMES}/open/observations"
    for body in (first, {"fit": ROWS}, {"fit": {"x": [4.0, 8.0], "groups": ["b", "b"]}}):
        assert client.post(path, json=body).status_code == 200
    made = client.post(f"{NAMES}/open/versions", json={"from": "observations"})
    assert made.status_code == 201, made.text


def test_r13_what_came_later_is_remembered(client: TestClient) -> None:
    create(client, "open", {"method": "group_z_score"})
    path = f"{NAMES}/open/observations"
    for body in (MISSING, {"fit": ROWS}):
        client.post(path, json=body)
    wide = {"fit": {"x": [[1.0, 2.0]], "groups": ["a"]}}
    refused = client.post(path, json=wide)
    assert refused.status_code == 409
    assert "columns" in refused.json()["detail"]
