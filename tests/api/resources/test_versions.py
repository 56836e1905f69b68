"""Further versions: from fits, statistics and parameters, in pages, once for each key."""

from __future__ import annotations

from fastapi.testclient import TestClient

from tests.api.encoding import as_base64
from tests.api.problem import read_problem, slug_of
from tests.api.resources.statistics import SOME, statistics_of
from tests.api.samples import MORE_ROWS, NAMES, ROWS, add, create, look, stored


def test_from_fit_with_other_parameters(client: TestClient) -> None:
    create(client, "n", SOME)
    made = add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}, "params": {"ddof": 0}})
    assert made["version"] == 2
    assert made["params"] == {**SOME["params"], "ddof": 0}  # type: ignore[dict-item]
    direct = create(client, "m", {**SOME, "params": made["params"], "fit": {"x": MORE_ROWS}})
    assert made["hash"] == direct["hash"]


def test_from_statistics(client: TestClient) -> None:
    create(client, "n", SOME)
    create(client, "m", {**SOME, "fit": {"x": MORE_ROWS}})
    made = add(
        client, "n", {"from": "statistics", "statistics": statistics_of(client, "/m/statistics")}
    )
    assert made["hash"] == look(client, "/m")["hash"]


def test_from_params_patches_the_given_ones(client: TestClient) -> None:
    create(client, "n", {**SOME, "params": {"eps_rel": 1.0}})
    second = add(client, "n", {"from": "params", "params": {"post": "l2"}})
    assert second["params"] == {"eps_rel": 1.0, "post": "l2"}
    third = add(client, "n", {"from": "params", "params": {"eps_rel": None}})
    assert third["params"] == {"post": "l2"}
    assert third["resolved"]["eps_rel"] != 1.0  # type: ignore[index]
    rivals = add(client, "n", {"from": "params", "params": {"eps": 0.5}})
    assert rivals["params"] == {"post": "l2", "eps": 0.5}
    back = add(client, "n", {"from": "params", "params": {"eps_rel": 1.0, "post": None}})
    assert back["params"] == {"eps_rel": 1.0}
    assert back["hash"] == look(client, "/n@1")["hash"]
    assert back["n"] == len(ROWS)


def test_parameters_that_affect_the_statistics_need_a_fit(client: TestClient) -> None:
    create(client, "n", SOME)
    before = stored(client)
    for origin in (
        {"from": "params"},
        {"from": "merge", "refs": ["n@1"]},
        {"from": "statistics", "statistics": statistics_of(client, "/n/statistics")},
    ):
        response = client.post(f"{NAMES}/n/versions", json={**origin, "params": {"pre": "l2"}})
        assert slug_of(response) == "conflict"
        assert "from: 'fit'" in str(read_problem(response)["detail"])
    assert stored(client) == before
    made = add(client, "n", {"from": "fit", "fit": {"x": ROWS}, "params": {"pre": "l2"}})
    assert made["resolved"]["pre"] == "l2"  # type: ignore[index]


def test_a_parameter_said_as_it_is_changes_nothing(client: TestClient) -> None:
    create(client, "n", SOME)
    made = add(client, "n", {"from": "params", "params": {"pre": "none"}})
    assert made["params"] == {**SOME["params"], "pre": "none"}  # type: ignore[dict-item]


def test_parameters_of_a_method_without_fit(client: TestClient) -> None:
    create(client, "n", {"method": "min_max"})
    made = add(client, "n", {"from": "params", "params": {"floor": 0.5}})
    assert (made["version"], made["params"]) == (2, {"floor": 0.5})
    answer = client.post(f"{NAMES}/n/transform", json={"input": {"scores": [1.0, 3.0]}}).json()
    assert answer["output"]["values"] == [0.5, 1.0]
    response = client.post(
        f"{NAMES}/n/versions", json={"from": "params", "params": {"scope": "fitted"}}
    )
    assert response.status_code in (409, 422)


def test_the_history_and_its_pages(client: TestClient) -> None:
    create(client, "n", SOME)
    for eps in range(1, 5):
        add(client, "n", {"from": "params", "params": {"eps_rel": float(eps)}})
    history = look(client, "/n/versions")["items"]
    assert [item["version"] for item in history] == [1, 2, 3, 4, 5]  # type: ignore[attr-defined]
    numbers, cursor = [], ""
    while cursor is not None:
        page = look(client, f"/n/versions?limit=2&cursor={cursor}")
        numbers += [item["version"] for item in page["items"]]  # type: ignore[attr-defined]
        cursor = page["next"]  # type: ignore[assignment]
    assert numbers == [1, 2, 3, 4, 5]


def test_an_idempotency_key_makes_a_retry_the_same_version(client: TestClient) -> None:
    create(client, "n", SOME)
    body = {"from": "fit", "fit": {"x": MORE_ROWS}}
    sent = {"idempotency-key": "once"}
    path = f"{NAMES}/n/versions"
    first, again = (client.post(path, json=body, headers=sent) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    binary = client.post(path, json={**body, "fit": {"x": as_base64(MORE_ROWS)}}, headers=sent)
    assert (binary.status_code, binary.json()["version"]) == (200, 2)
    other = client.post(path, json={**body, "fit": {"x": ROWS}}, headers=sent)
    assert slug_of(other) == "conflict"
    assert len(look(client, "/n/versions")["items"]) == 2  # type: ignore[arg-type]
    assert client.post(path, json=body).status_code == 201
    assert client.delete(f"{NAMES}/n@2").status_code == 204
    assert slug_of(client.post(path, json=body, headers=sent)) == "conflict"


def test_two_names_have_keys_of_their_own(client: TestClient) -> None:
    for name in ("n", "m"):
        create(client, name, SOME)
        response = client.post(
            f"{NAMES}/{name}/versions",
            json={"from": "params", "params": {"eps_rel": 2.0}},
            headers={"idempotency-key": "k"},
        )
        assert response.status_code == 201
