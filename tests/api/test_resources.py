"""Names, versions, observations, aliases, files: the life of a fitted normalizer."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

import numpy as np
import pytest
from fastapi.testclient import TestClient

from app.registry.errors import Unavailable
from normalizers import catalogue, version_file
from tests.api.conftest import Serve
from tests.api.problem import paths_of, read_problem, slug_of
from tests.api.samples import (
    BANK,
    HUBS,
    ITEMS,
    JSON,
    MIN_MAX,
    MORE_BANK,
    MORE_ROWS,
    NAMES,
    PERCENTILE,
    ROWS,
    SAFETENSORS,
    SCORES,
    WHITENING,
    add,
    create,
    look,
    post,
    stored,
    tensors,
)

SOME = {"method": "whitening", "params": {"eps_rel": 1.0, "variant": "zca"}, "fit": {"x": ROWS}}


def _base64(rows: object) -> dict[str, object]:
    array = np.asarray(rows, dtype=np.float64)
    return {
        "dtype": "float64",
        "shape": list(array.shape),
        "base64": b64encode(array.tobytes()).decode(),
    }


def _statistics(client: TestClient, path: str) -> Mapping[str, Mapping[str, object]]:
    answer = look(client, path)["statistics"]
    assert isinstance(answer, Mapping)
    return answer


def _close(one: object, other: object) -> None:
    assert isinstance(one, Mapping)
    assert isinstance(other, Mapping)
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, Mapping):
            _close(value, other[name])
        else:
            np.testing.assert_allclose(
                np.asarray(value, dtype=float), np.asarray(other[name], dtype=float), atol=1e-12
            )


SCOPES = (("min_max", "query"), ("percentile", "fitted"))


class TestCreate:
    def test_a_fit_makes_version_1(self, client: TestClient) -> None:
        response = client.post(
            NAMES, json={"name": "n", **SOME, "description": "of\nme", "tags": ["a", "b"]}
        )
        assert response.status_code == 201
        manifest = response.json()
        assert manifest == look(client, "/n")
        assert (manifest["name"], manifest["version"], manifest["n"]) == ("n", 1, len(ROWS))
        assert manifest["params"] == SOME["params"]
        assert manifest["resolved"].items() > {"variant": "zca", "ddof": 1}.items()
        assert (manifest["description"], manifest["tags"]) == ("of\nme", ["a", "b"])
        assert manifest["from"] == "fit"
        assert manifest["report"]["n"] == len(ROWS)
        assert response.headers["etag"] == f'"{manifest["hash"]}"'
        assert response.headers["location"] == f"{NAMES}/n"

    def test_a_method_without_fit_gets_a_version_from_its_parameters(
        self, client: TestClient
    ) -> None:
        made = create(client, "n", {"method": "min_max", "params": {"bounds": "observed"}})
        assert (made["version"], made["n"], made["from"]) == (1, 0, "params")
        answer = client.post(f"{NAMES}/n/transform", json={"input": {"scores": [1.0, 3.0]}}).json()
        assert answer["output"]["values"] == [0.0, 1.0]
        assert answer["effective_params"]["scope"] == "query"

    def test_a_fitted_method_without_data_opens_the_name(self, client: TestClient) -> None:
        made = create(client, "n", {"method": "whitening"})
        assert (made["version"], made["hash"]) == (None, None)
        assert look(client, "/n")["version"] is None
        response = client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}})
        assert slug_of(response) == "conflict"
        assert f"{NAMES}/n/versions" in str(read_problem(response)["detail"])
        for path in ("statistics", "fitted", "report", "export"):
            assert slug_of(client.get(f"{NAMES}/n/{path}")) == "conflict"
        assert look(client, "/n/versions") == {"items": [], "next": None}

    def test_the_same_request_in_any_form_is_the_same_version(self, client: TestClient) -> None:
        first = create(client, "n", SOME)
        body = {"name": "n", **SOME}
        again = [
            client.post(NAMES, json=body),
            client.post(NAMES, json={**body, "fit": {"x": _base64(ROWS)}}),
            client.post(NAMES, json={**body, "params": {"variant": "zca", "eps_rel": 1}}),
            client.post(NAMES, json={**body, "params": {**SOME["params"], "eps": None}}),  # type: ignore[dict-item]
            client.post(NAMES, json={**body, "method": "ZCA", "params": {"eps_rel": 1.0}}),
            client.post(NAMES, json={**body, "description": "other words"}),
            post(
                client,
                NAMES,
                tensors({"name": "n", **SOME, "fit": {}}, fit__x=ROWS),
                media_type=SAFETENSORS,
                headers={"accept": JSON},
            ),
        ]
        for response in again:
            assert response.status_code == 200, response.content
            assert response.json()["hash"] == first["hash"]  # type: ignore[attr-defined]
        assert len(look(client, "/n/versions")["items"]) == 1  # type: ignore[arg-type]

    def test_the_same_opening_is_200(self, client: TestClient) -> None:
        create(client, "n", {"method": "whitening"})
        again = client.post(NAMES, json={"name": "n", "method": "whitening", "params": {}})
        assert again.status_code == 200

    def test_another_request_is_409_and_points_to_versions(self, client: TestClient) -> None:
        create(client, "n", SOME)
        before = stored(client)
        for change in (
            {"fit": {"x": MORE_ROWS}},
            {"params": {"eps_rel": 2.0}},
            {"method": "min_max", "params": {}, "fit": {"scores": SCORES}},
            {"fit": None},
        ):
            response = client.post(NAMES, json={"name": "n", **SOME, **change})
            assert slug_of(response) == "conflict"
            assert f"{NAMES}/n/versions" in str(read_problem(response)["detail"])
        assert stored(client) == before

    def test_statistics_make_the_version_that_the_data_make(self, client: TestClient) -> None:
        fitted = create(client, "n", SOME)
        statistics = _statistics(client, "/n/statistics")
        made = create(client, "m", {**SOME, "fit": None, "statistics": statistics})
        assert made["hash"] == fitted["hash"]
        assert made["from"] == "statistics"

    @pytest.mark.parametrize("flag", ["true", "1", "yes"])
    def test_a_dry_run_reports_and_stores_nothing(self, client: TestClient, flag: str) -> None:
        before = stored(client)
        trial = client.post(f"{NAMES}?dry_run={flag}", json={"name": "n", **SOME})
        assert trial.status_code == 200
        assert trial.json()["dry_run"] is True
        assert trial.json()["version"] is None
        assert stored(client) == before
        made = create(client, "n", SOME)
        assert trial.json()["report"] == made["report"]
        assert trial.json()["resolved"] == made["resolved"]

    def test_a_dry_run_of_an_opening(self, client: TestClient) -> None:
        trial = client.post(f"{NAMES}?dry_run=true", json={"name": "n", "method": "whitening"})
        assert trial.status_code == 200
        assert client.get(NAMES).json()["items"] == []


class TestVersions:
    def test_from_fit_with_other_parameters(self, client: TestClient) -> None:
        create(client, "n", SOME)
        made = add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}, "params": {"ddof": 0}})
        assert made["version"] == 2
        assert made["params"] == {**SOME["params"], "ddof": 0}  # type: ignore[dict-item]
        direct = create(client, "m", {**SOME, "params": made["params"], "fit": {"x": MORE_ROWS}})
        assert made["hash"] == direct["hash"]

    def test_from_statistics(self, client: TestClient) -> None:
        create(client, "n", SOME)
        create(client, "m", {**SOME, "fit": {"x": MORE_ROWS}})
        made = add(
            client, "n", {"from": "statistics", "statistics": _statistics(client, "/m/statistics")}
        )
        assert made["hash"] == look(client, "/m")["hash"]

    def test_from_params_patches_the_given_ones(self, client: TestClient) -> None:
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

    def test_parameters_that_affect_the_statistics_need_a_fit(self, client: TestClient) -> None:
        create(client, "n", SOME)
        before = stored(client)
        for origin in (
            {"from": "params"},
            {"from": "merge", "refs": ["n@1"]},
            {"from": "statistics", "statistics": _statistics(client, "/n/statistics")},
        ):
            response = client.post(f"{NAMES}/n/versions", json={**origin, "params": {"pre": "l2"}})
            assert slug_of(response) == "conflict"
            assert "from: 'fit'" in str(read_problem(response)["detail"])
        assert stored(client) == before
        made = add(client, "n", {"from": "fit", "fit": {"x": ROWS}, "params": {"pre": "l2"}})
        assert made["resolved"]["pre"] == "l2"  # type: ignore[index]

    def test_a_parameter_said_as_it_is_changes_nothing(self, client: TestClient) -> None:
        create(client, "n", SOME)
        made = add(client, "n", {"from": "params", "params": {"pre": "none"}})
        assert made["params"] == {**SOME["params"], "pre": "none"}  # type: ignore[dict-item]

    def test_parameters_of_a_method_without_fit(self, client: TestClient) -> None:
        create(client, "n", {"method": "min_max"})
        made = add(client, "n", {"from": "params", "params": {"floor": 0.5}})
        assert (made["version"], made["params"]) == (2, {"floor": 0.5})
        answer = client.post(f"{NAMES}/n/transform", json={"input": {"scores": [1.0, 3.0]}}).json()
        assert answer["output"]["values"] == [0.5, 1.0]
        response = client.post(
            f"{NAMES}/n/versions", json={"from": "params", "params": {"scope": "fitted"}}
        )
        assert response.status_code in (409, 422)

    def test_the_history_and_its_pages(self, client: TestClient) -> None:
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

    def test_an_idempotency_key_makes_a_retry_the_same_version(self, client: TestClient) -> None:
        create(client, "n", SOME)
        body = {"from": "fit", "fit": {"x": MORE_ROWS}}
        sent = {"idempotency-key": "once"}
        path = f"{NAMES}/n/versions"
        first, again = (client.post(path, json=body, headers=sent) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json()
        binary = client.post(path, json={**body, "fit": {"x": _base64(MORE_ROWS)}}, headers=sent)
        assert (binary.status_code, binary.json()["version"]) == (200, 2)
        other = client.post(path, json={**body, "fit": {"x": ROWS}}, headers=sent)
        assert slug_of(other) == "conflict"
        assert len(look(client, "/n/versions")["items"]) == 2  # type: ignore[arg-type]
        assert client.post(path, json=body).status_code == 201
        assert client.delete(f"{NAMES}/n@2").status_code == 204
        assert slug_of(client.post(path, json=body, headers=sent)) == "conflict"

    def test_two_names_have_keys_of_their_own(self, client: TestClient) -> None:
        for name in ("n", "m"):
            create(client, name, SOME)
            response = client.post(
                f"{NAMES}/{name}/versions",
                json={"from": "params", "params": {"eps_rel": 2.0}},
                headers={"idempotency-key": "k"},
            )
            assert response.status_code == 201


class TestMerge:
    def test_a_merge_is_the_fit_of_everything(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}})
        whole = create(client, "whole", {**SOME, "fit": {"x": ROWS + MORE_ROWS}})
        merged = add(client, "n", {"from": "merge", "refs": ["n@1", "n@2"]})
        assert merged["n"] == whole["n"]
        _close(_statistics(client, "/n/statistics"), _statistics(client, "/whole/statistics"))
        assert [(leaf["name"], leaf["version"]) for leaf in merged["parents"]] == [  # type: ignore[attr-defined]
            ("n", 1),
            ("n", 2),
        ]

    def test_refs_open_statistics_and_posted_ones(self, client: TestClient) -> None:
        create(client, "n", SOME)
        create(client, "m", {**SOME, "params": {"variant": "pca"}, "fit": {"x": MORE_ROWS}})
        client.put(f"{NAMES}/m/aliases/prod", json={"version": 1})
        client.post(f"{NAMES}/m/observations", json={"fit": {"x": MORE_ROWS[:2]}})
        posted = _statistics(client, "/n/statistics")
        merged = add(
            client,
            "n",
            {"from": "merge", "refs": ["n@1", "m@prod", "m@open"], "statistics": posted},
        )
        whole = create(client, "w", {**SOME, "fit": {"x": ROWS + MORE_ROWS + MORE_ROWS[:2] + ROWS}})
        assert merged["n"] == whole["n"]
        assert merged["params"] == SOME["params"]
        _close(_statistics(client, "/n/statistics"), _statistics(client, "/w/statistics"))
        assert len(merged["parents"]) == 4  # type: ignore[arg-type]

    def test_a_merge_of_merges_records_leaves(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "merge", "refs": ["n@1", "n@1"]})
        merged = add(client, "n", {"from": "merge", "refs": ["n@2", "n@1"]})
        assert [leaf["version"] for leaf in merged["parents"]] == [1, 1, 1]  # type: ignore[attr-defined]
        assert merged["n"] == 3 * len(ROWS)

    def test_a_merge_with_other_parameters_and_only_statistics(self, client: TestClient) -> None:
        create(client, "n", SOME)
        posted = _statistics(client, "/n/statistics")
        made = add(
            client, "n", {"from": "merge", "statistics": posted, "params": {"variant": "pca"}}
        )
        assert made["resolved"]["variant"] == "pca"  # type: ignore[index]
        assert made["n"] == len(ROWS)

    def test_minus_subtracts_where_that_is_exact(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}})
        add(client, "n", {"from": "merge", "refs": ["n@1", "n@2"]})
        less = add(client, "n", {"from": "merge", "refs": ["n@3"], "minus": ["n@2"]})
        assert less["n"] == len(ROWS)
        _close(_statistics(client, "/n@4/statistics"), _statistics(client, "/n@1/statistics"))
        assert [leaf["version"] for leaf in less["parents"]] == [1]  # type: ignore[attr-defined]
        before = stored(client)
        again = client.post(
            f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@4"], "minus": ["n@2"]}
        )
        assert again.status_code in (409, 422)
        nothing = client.post(
            f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@4"], "minus": ["n@1"]}
        )
        assert slug_of(nothing) == "not-enough-data"
        assert stored(client) == before

    def test_minus_merges_the_remaining_parents_where_nothing_is_subtracted(
        self, client: TestClient
    ) -> None:
        create(client, "n", HUBS)
        shards = [MORE_BANK, [[0.2, 0.3, 0.8]]]
        for shard in shards:
            add(client, "n", {"from": "fit", "fit": {"bank_sims": shard, "gallery_ids": ITEMS}})
        add(client, "n", {"from": "merge", "refs": ["n@1", "n@2", "n@3"]})
        less = add(client, "n", {"from": "merge", "refs": ["n@4"], "minus": ["n@2"]})
        without = create(
            client, "w", {**HUBS, "fit": {"bank_sims": BANK + shards[1], "gallery_ids": ITEMS}}
        )
        assert less["n"] == without["n"]
        mine, theirs = _statistics(client, "/n/statistics"), _statistics(client, "/w/statistics")
        np.testing.assert_allclose(
            mine["log_sum_exp"]["item_lse"],  # type: ignore[arg-type]
            theirs["log_sum_exp"]["item_lse"],  # type: ignore[arg-type]
            rtol=1e-12,
        )
        assert [leaf["version"] for leaf in less["parents"]] == [1, 3]  # type: ignore[attr-defined]
        second = add(client, "n", {"from": "merge", "refs": ["n@5"], "minus": ["n@3"]})
        assert second["hash"] == look(client, "/n@1")["hash"]
        before = stored(client)
        for refs, minus in ((["n@5"], ["n@2"]), (["n@6"], ["n@3"]), (["n@1"], ["n@2"])):
            response = client.post(
                f"{NAMES}/n/versions", json={"from": "merge", "refs": refs, "minus": minus}
            )
            assert slug_of(response) == "conflict"
        everything = client.post(
            f"{NAMES}/n/versions",
            json={"from": "merge", "refs": ["n@4"], "minus": ["n@1", "n@2", "n@3"]},
        )
        assert slug_of(everything) == "not-enough-data"
        assert stored(client) == before

    def test_a_parent_that_is_gone(self, client: TestClient) -> None:
        create(client, "n", PERCENTILE)
        add(client, "n", {"from": "fit", "fit": {"scores": [1.0, 2.0]}})
        add(client, "n", {"from": "fit", "fit": {"scores": [5.0]}})
        merged = add(client, "n", {"from": "merge", "refs": ["n@1", "n@2", "n@3"]})
        statistics = _statistics(client, "/n@4/statistics")
        assert client.delete(f"{NAMES}/n@2").status_code == 204
        assert look(client, "/n@4")["hash"] == merged["hash"]
        assert _statistics(client, "/n@4/statistics") == statistics
        assert add(client, "n", {"from": "merge", "refs": ["n@4"]})["hash"] == merged["hash"]
        before = stored(client)
        response = client.post(
            f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@4"], "minus": ["n@3"]}
        )
        assert slug_of(response) == "conflict"
        assert "n@2 is gone" in str(read_problem(response)["detail"])
        assert stored(client) == before

    def test_a_parent_that_was_created_anew_is_not_that_parent(self, client: TestClient) -> None:
        create(client, "a", PERCENTILE)
        create(client, "b", {**PERCENTILE, "fit": {"scores": [1.0]}})
        create(client, "n", PERCENTILE)
        add(client, "n", {"from": "merge", "refs": ["a@1", "b@1"]})
        assert client.delete(f"{NAMES}/a").status_code == 204
        create(client, "a", {**PERCENTILE, "fit": {"scores": [7.0]}})
        response = client.post(
            f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@2"], "minus": ["b@1"]}
        )
        assert slug_of(response) == "conflict"

    def test_open_statistics_cannot_be_removed_again_from_what_does_not_subtract(
        self, client: TestClient
    ) -> None:
        create(client, "n", PERCENTILE)
        client.post(f"{NAMES}/n/observations", json={"fit": {"scores": [1.0]}})
        add(client, "n", {"from": "merge", "refs": ["n@1", "n@open"]})
        response = client.post(
            f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@2"], "minus": ["n@1"]}
        )
        assert slug_of(response) == "conflict"


class TestObservations:
    def test_they_fold_into_the_open_statistics(self, client: TestClient) -> None:
        create(client, "n", {k: v for k, v in SOME.items() if k != "fit"})
        path = f"{NAMES}/n/observations"
        assert client.get(path).json() == {"statistics": {"scatter": {}}}
        for row in ROWS:
            answer = client.post(path, json={"fit": {"x": [row]}})
            assert (answer.status_code, answer.json()) == (200, {"name": "n", "counted": True})
        create(client, "m", {**SOME, "fit": {"x": MORE_ROWS}})
        client.post(path, json={"statistics": _statistics(client, "/m/statistics")})
        made = add(client, "n", {"from": "observations"})
        whole = create(client, "whole", {**SOME, "fit": {"x": ROWS + MORE_ROWS}})
        assert (made["version"], made["n"]) == (1, whole["n"])
        _close(_statistics(client, "/n/statistics"), _statistics(client, "/whole/statistics"))

    def test_making_a_version_does_not_empty_them(self, client: TestClient) -> None:
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

    def test_they_hold_observations_only(self, client: TestClient) -> None:
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
        self, client: TestClient, body: Mapping[str, object]
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

    def test_an_idempotency_key_counts_once(self, client: TestClient) -> None:
        create(client, "n", {"method": "whitening"})
        path, sent = f"{NAMES}/n/observations", {"idempotency-key": "k"}
        first = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
        again = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
        binary = client.post(path, json={"fit": {"x": _base64(ROWS)}}, headers=sent)
        assert [r.json()["counted"] for r in (first, again, binary)] == [True, False, False]
        other = client.post(path, json={"fit": {"x": MORE_ROWS}}, headers=sent)
        assert slug_of(other) == "conflict"
        assert client.get(path).json()["statistics"]["scatter"]["n"] == len(ROWS)
        client.delete(path)
        late = client.post(path, json={"fit": {"x": ROWS}}, headers=sent)
        assert late.json()["counted"] is False
        assert client.get(path).json()["statistics"]["scatter"] == {}
        client.post(f"{NAMES}/n/versions", json={"from": "observations"}, headers=sent)

    def test_compaction_changes_nothing(self, serve: Serve) -> None:
        own = serve(compact_after=2)
        rows = np.random.default_rng(7).normal(size=(23, 3))
        create(own, "n", {"method": "whitening"})
        for row in rows:
            own.post(f"{NAMES}/n/observations", json={"fit": {"x": [row.tolist()]}})
        kept = own.app.state.context.registry.observations.partials("n")  # type: ignore[attr-defined]
        assert len(kept) < 10
        create(own, "whole", {"method": "whitening", "fit": {"x": rows.tolist()}})
        _close(
            own.get(f"{NAMES}/n/observations").json()["statistics"],
            _statistics(own, "/whole/statistics"),
        )

    def test_a_compaction_that_fails_behind_the_answer_spoils_nothing(
        self, serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
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
        self, client: TestClient
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
    def test_methods_that_no_stream_fits_refuse_with_a_hint(
        self, client: TestClient, method: str
    ) -> None:
        if method not in catalogue.CATALOGUE:
            pytest.skip(f"{method} is not built")
        example = catalogue.CATALOGUE[method].example
        create(client, "n", {"method": method, "params": dict(example.params)})
        response = client.post(f"{NAMES}/n/observations", json={"fit": dict(example.given)})
        assert slug_of(response) == "conflict"
        if method == "rolling_z_score":
            assert "state" in str(read_problem(response)["detail"])

    def test_a_pipeline_with_one_fitted_step_takes_observations(self, client: TestClient) -> None:
        steps = [{"method": m, "params": {"scope": scope}} for m, scope in SCOPES]
        create(client, "n", {"method": "pipeline", "params": {"steps": steps}})
        for scores in ([1.0, 2.0, 5.0], [0.0, 3.0]):
            answer = client.post(f"{NAMES}/n/observations", json={"fit": {"scores": scores}})
            assert answer.status_code == 200
        made = add(client, "n", {"from": "observations"})
        assert made["n"] == 5


class TestAliases:
    def _named(self, client: TestClient) -> list[str]:
        hashes = [str(create(client, "n", SOME)["hash"])]
        hashes.append(str(add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})["hash"]))
        return hashes

    def test_put_get_move_and_delete(self, client: TestClient) -> None:
        one, two = self._named(client)
        path = f"{NAMES}/n/aliases/prod"
        made = client.put(path, json={"version": 1})
        assert (made.status_code, made.headers["etag"]) == (201, f'"{one}"')
        assert look(client, "/n@prod")["version"] == 1
        assert look(client, "/n")["version"] == 2
        moved = client.put(path, json={"version": 2})
        assert (moved.status_code, moved.json()["hash"]) == (200, two)
        answer = client.post(f"{NAMES}/n@prod/transform", json={"input": {"x": ROWS}})
        assert (answer.json()["hash"], answer.headers["etag"]) == (two, f'"{two}"')
        listed = look(client, "/n/aliases")["items"]
        assert [(a["alias"], a["version"], a["hash"]) for a in listed] == [("prod", 2, two)]  # type: ignore[attr-defined]
        assert client.delete(path).status_code == 204
        assert look(client, "/n/aliases") == {"items": []}
        assert slug_of(client.get(f"{NAMES}/n@prod")) == "not-found"

    def test_if_match(self, client: TestClient) -> None:
        one, two = self._named(client)
        path = f"{NAMES}/n/aliases/prod"
        none = client.put(path, json={"version": 1}, headers={"if-match": f'"{one}"'})
        assert slug_of(none) == "precondition-failed"
        assert slug_of(client.put(path, json={"version": 1}, headers={"if-match": "*"})) == (
            "precondition-failed"
        )
        client.put(path, json={"version": 1})
        for tag in (f'"{one}"', one, "*"):
            answer = client.put(path, json={"version": 1}, headers={"if-match": tag})
            assert answer.status_code == 200
        assert client.put(path, json={"version": 2}, headers={"if-match": f'"{one}"'}).is_success
        stale = client.put(path, json={"version": 1}, headers={"if-match": f'"{one}"'})
        assert slug_of(stale) == "precondition-failed"
        assert read_problem(stale)["actual"] == two
        assert look(client, "/n@prod")["hash"] == two
        wrong = client.delete(path, headers={"if-match": f'"{one}"'})
        assert slug_of(wrong) == "precondition-failed"
        assert client.delete(path, headers={"if-match": f'"{two}"'}).status_code == 204

    def test_if_none_match_only_creates(self, client: TestClient) -> None:
        self._named(client)
        path, sent = f"{NAMES}/n/aliases/prod", {"if-none-match": "*"}
        assert client.put(path, json={"version": 1}, headers=sent).status_code == 201
        again = client.put(path, json={"version": 2}, headers=sent)
        assert slug_of(again) == "precondition-failed"
        assert look(client, "/n@prod")["version"] == 1

    def test_an_alias_never_meets_a_version_or_the_open_statistics(
        self, client: TestClient
    ) -> None:
        self._named(client)
        for alias in ("1", "7up", "open", "-a", "a b", "x" * 129):
            response = client.put(f"{NAMES}/n/aliases/{alias}", json={"version": 1})
            assert slug_of(response) == "invalid-input"
            assert paths_of(response) == ["alias"]


class TestDelete:
    def test_refused_while_an_alias_points_there(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
        client.put(f"{NAMES}/n/aliases/prod", json={"version": 1})
        before = stored(client)
        for path in ("n@1", "n"):
            response = client.delete(f"{NAMES}/{path}")
            assert slug_of(response) == "conflict"
            assert "prod" in str(read_problem(response)["detail"])
        assert stored(client) == before
        assert client.delete(f"{NAMES}/n@2").status_code == 204
        client.delete(f"{NAMES}/n/aliases/prod")
        assert client.delete(f"{NAMES}/n").status_code == 204
        assert slug_of(client.get(f"{NAMES}/n")) == "not-found"
        assert slug_of(client.get(f"{NAMES}/n/observations")) == "not-found"

    def test_numbers_are_never_used_again(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
        assert client.delete(f"{NAMES}/n@2").status_code == 204
        assert slug_of(client.delete(f"{NAMES}/n@2")) == "not-found"
        assert add(client, "n", {"from": "params"})["version"] == 3
        assert client.delete(f"{NAMES}/n").status_code == 204
        assert create(client, "n", SOME)["version"] == 4
        assert slug_of(client.get(f"{NAMES}/n@1")) == "not-found"

    def test_observations_and_keys_go_with_the_name(self, client: TestClient) -> None:
        for rows in (ROWS, MORE_ROWS):
            create(client, "n", {"method": "whitening"})
            answer = client.post(
                f"{NAMES}/n/observations",
                json={"fit": {"x": rows}},
                headers={"idempotency-key": "k"},
            )
            assert answer.json()["counted"] is True
            assert client.delete(f"{NAMES}/n").status_code == 204

    def test_the_first_request_after_its_version_was_deleted(self, client: TestClient) -> None:
        create(client, "n", SOME)
        add(client, "n", {"from": "params", "params": {"eps_rel": 2.0}})
        client.delete(f"{NAMES}/n@1")
        assert slug_of(client.post(NAMES, json={"name": "n", **SOME})) == "conflict"

    def test_the_last_version_leaves_an_open_name(self, client: TestClient) -> None:
        create(client, "n", SOME)
        assert client.delete(f"{NAMES}/n@1").status_code == 204
        assert look(client, "/n")["version"] is None
        assert client.post(f"{NAMES}/n/observations", json={"fit": {"x": ROWS}}).is_success
        assert add(client, "n", {"from": "observations"})["version"] == 2

    def test_files_that_no_version_needs_are_removed(self, client: TestClient) -> None:
        create(client, "n", SOME)
        create(client, "m", SOME)
        folder = client.app.state.context.settings.data / "versions"  # type: ignore[attr-defined]
        client.delete(f"{NAMES}/n")
        assert len(list(folder.rglob("*.safetensors"))) == 1
        assert look(client, "/m/statistics")
        client.delete(f"{NAMES}/m")
        assert list(folder.rglob("*.safetensors")) == []


class TestFiles:
    @pytest.mark.parametrize(
        ("body", "given"),
        [
            (WHITENING, {"x": MORE_ROWS}),
            (PERCENTILE, {"scores": [[1.0, 8.0], [20.0]]}),
            (MIN_MAX, {"scores": [1.0, 8.0]}),
            (HUBS, {"candidate_ids": [["a", "c"]], "candidate_scores": [[0.5, 0.4]]}),
            ({"method": "min_max"}, {"scores": [1.0, 8.0]}),
            (
                {"method": "pipeline", "params": {"steps": ["min_max", {"method": "percentile"}]}},
                {"scores": [1.0, 8.0]},
            ),
        ],
        ids=["whitening", "percentile", "min_max", "inverted_softmax", "query", "pipeline"],
    )
    def test_export_and_import_are_bit_for_bit_the_version(
        self, client: TestClient, body: Mapping[str, object], given: Mapping[str, object]
    ) -> None:
        if body["method"] == "pipeline":
            body = {**body, "fit": {"scores": SCORES}}
        made = create(client, "n", body)
        exported = client.get(f"{NAMES}/n/export")
        assert exported.headers["content-type"] == SAFETENSORS
        assert exported.headers["etag"] == f'"{made["hash"]}"'
        assert version_file.content_hash(exported.content) == made["hash"]
        imported = client.post(
            f"{NAMES}/import?name=m",
            content=exported.content,
            headers={"content-type": SAFETENSORS},
        )
        assert (imported.status_code, imported.json()["hash"]) == (201, made["hash"])
        assert client.get(f"{NAMES}/m/export").content == exported.content
        mine = client.post(f"{NAMES}/n/transform", json={"input": given}).json()
        theirs = client.post(f"{NAMES}/m/transform", json={"input": given}).json()
        assert mine["output"] == theirs["output"]
        loaded = version_file.from_bytes(exported.content)
        here = loaded.transform(given).output
        for name, value in mine["output"].items():
            if name != "steps":
                np.testing.assert_array_equal(
                    np.concatenate([np.ravel(part) for part in value]),
                    np.concatenate([np.ravel(part) for part in _parts(here[name])]),
                )

    def test_importing_again_is_200_and_under_another_name_is_new(self, client: TestClient) -> None:
        create(client, "n", SOME)
        content = client.get(f"{NAMES}/n/export").content
        sent = {"content-type": SAFETENSORS}
        assert [
            client.post(f"{NAMES}/import?name=m", content=content, headers=sent).status_code
            for _ in range(3)
        ] == [201, 200, 200]
        assert len(look(client, "/m/versions")["items"]) == 1  # type: ignore[arg-type]
        assert (
            client.post(f"{NAMES}/import?name=n", content=content, headers=sent).status_code == 200
        )

    def test_an_existing_name_gets_a_new_version_when_parameters_agree(
        self, client: TestClient
    ) -> None:
        create(client, "n", SOME)
        create(client, "m", {**SOME, "fit": {"x": MORE_ROWS}})
        create(client, "o", {**SOME, "params": {"eps_rel": 9.0}})
        create(client, "p", PERCENTILE)
        sent = {"content-type": SAFETENSORS}
        content = client.get(f"{NAMES}/m/export").content
        added = client.post(f"{NAMES}/import?name=n", content=content, headers=sent)
        assert (added.status_code, added.json()["version"]) == (201, 2)
        before = stored(client)
        for name in ("o", "p"):
            response = client.post(f"{NAMES}/import?name={name}", content=content, headers=sent)
            assert slug_of(response) == "conflict"
        assert stored(client) == before

    def test_an_imported_version_merges_and_observes(self, client: TestClient) -> None:
        create(client, "n", SOME)
        client.post(
            f"{NAMES}/import?name=m",
            content=client.get(f"{NAMES}/n/export").content,
            headers={"content-type": SAFETENSORS},
        )
        assert add(client, "m", {"from": "merge", "refs": ["n@1", "m@1"]})["n"] == 2 * len(ROWS)
        assert client.post(f"{NAMES}/m/observations", json={"fit": {"x": ROWS}}).is_success


def _parts(value: object) -> list[object]:
    return list(value)  # type: ignore[call-overload]


class TestReferences:
    def test_a_pipeline_with_a_reference_answers_as_its_steps(self, client: TestClient) -> None:
        create(client, "w", SOME)
        add(client, "w", {"from": "params", "params": {"eps_rel": 5.0}})
        client.put(f"{NAMES}/w/aliases/prod", json={"version": 1})
        for ref, alone in (("w@prod", "w@1"), ("w", "w@2"), ("w@2", "w@2")):
            once = client.post(
                "/v1/transform",
                json={
                    "method": "pipeline",
                    "params": {"steps": [{"ref": ref}]},
                    "input": {"x": ROWS},
                },
            )
            assert once.status_code == 200, once.text
            direct = client.post(f"{NAMES}/{alone}/transform", json={"input": {"x": ROWS}})
            assert once.json()["output"]["y"] == direct.json()["output"]["y"]

    def test_a_stored_pipeline_keeps_the_arrays_it_was_made_with(self, client: TestClient) -> None:
        create(client, "w", SOME)
        client.put(f"{NAMES}/w/aliases/prod", json={"version": 1})
        create(client, "p", {"method": "pipeline", "params": {"steps": [{"ref": "w@prod"}]}})
        ask = {"input": {"x": ROWS}}
        before = client.post(f"{NAMES}/p/transform", json=ask).json()["output"]
        add(client, "w", {"from": "params", "params": {"eps_rel": 5.0}})
        client.put(f"{NAMES}/w/aliases/prod", json={"version": 2})
        assert client.post(f"{NAMES}/p/transform", json=ask).json()["output"] == before
        client.delete(f"{NAMES}/w/aliases/prod")
        client.delete(f"{NAMES}/w")
        assert client.post(f"{NAMES}/p/transform", json=ask).json()["output"] == before
        exported = client.get(f"{NAMES}/p/export").content
        assert version_file.from_bytes(exported).transform({"x": ROWS})


class TestPages:
    def test_names_come_in_pages_in_order(self, serve: Serve) -> None:
        own = serve(page_size=2, max_page_size=3)
        names = [f"n{number}" for number in range(7)]
        for name in reversed(names):
            create(own, name, {"method": "min_max"})
        for query, size in (("", 2), ("?limit=1", 1), ("?limit=3", 3), ("?limit=1000", 3)):
            page = look(own, query)
            assert [item["name"] for item in page["items"]] == names[:size]  # type: ignore[attr-defined]
        seen, cursor = [], ""
        while cursor is not None:
            page = look(own, f"?limit=3&cursor={cursor}")
            seen += [item["name"] for item in page["items"]]  # type: ignore[attr-defined]
            cursor = page["next"]  # type: ignore[assignment]
        assert seen == names

    def test_a_list_shows_the_newest_version_and_open_names(self, client: TestClient) -> None:
        create(client, "a", SOME)
        add(client, "a", {"from": "params", "params": {"eps_rel": 2.0}})
        create(client, "b", {"method": "whitening"})
        items = look(client, "")["items"]
        assert [(i["name"], i["version"]) for i in items] == [("a", 2), ("b", None)]  # type: ignore[attr-defined]


class TestHeaders:
    def test_everything_about_a_version_says_which(self, client: TestClient) -> None:
        made = create(client, "n", SOME)
        asked = [
            client.get(f"{NAMES}/n"),
            client.get(f"{NAMES}/n@1/statistics"),
            client.get(f"{NAMES}/n@1/fitted"),
            client.get(f"{NAMES}/n@1/report"),
            client.get(f"{NAMES}/n@1/export"),
            client.post(f"{NAMES}/n/transform", json={"input": {"x": ROWS}}),
            client.post(f"{NAMES}/n/inverse", json={"input": {"y": ROWS}}),
            client.post(
                f"{NAMES}/n/transform",
                content=tensors({}, input__x=ROWS),
                headers={"content-type": SAFETENSORS},
            ),
        ]
        for response in asked:
            assert response.status_code == 200, response.text
            assert response.headers["etag"] == f'"{made["hash"]}"'
            assert response.headers["normd-hash"] == made["hash"]
            assert response.headers["normd-name"] == "n"
            assert response.headers["normd-version"] == "1"

    def test_a_failure_says_no_version(self, client: TestClient) -> None:
        create(client, "n", SOME)
        response = client.post(f"{NAMES}/n/transform", json={"input": {"x": [[1.0]]}})
        assert response.status_code == 422
        assert "etag" not in response.headers
