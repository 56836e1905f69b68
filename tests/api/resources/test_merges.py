"""Versions merged from others, and taken out of a merge again."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from fastapi.testclient import TestClient

from app.service.versions.lineage import lineage_of
from tests.api.conftest import Serve
from tests.api.problem import read_problem, slug_of
from tests.api.resources.statistics import SOME, assert_close, statistics_of
from tests.api.samples import (
    BANK,
    HUBS,
    ITEMS,
    MORE_BANK,
    MORE_ROWS,
    NAMES,
    PERCENTILE,
    ROWS,
    add,
    create,
    look,
    stored,
)


def test_a_merge_is_the_fit_of_everything(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}})
    whole = create(client, "whole", {**SOME, "fit": {"x": ROWS + MORE_ROWS}})
    merged = add(client, "n", {"from": "merge", "refs": ["n@1", "n@2"]})
    assert merged["n"] == whole["n"]
    assert_close(statistics_of(client, "/n/statistics"), statistics_of(client, "/whole/statistics"))
    assert [(leaf["name"], leaf["version"]) for leaf in merged["parents"]] == [  # type: ignore[attr-defined]
        ("n", 1),
        ("n", 2),
    ]


def test_refs_open_statistics_and_posted_ones(client: TestClient) -> None:
    create(client, "n", SOME)
    create(client, "m", {**SOME, "params": {"variant": "pca"}, "fit": {"x": MORE_ROWS}})
    client.put(f"{NAMES}/m/aliases/prod", json={"version": 1})
    client.post(f"{NAMES}/m/observations", json={"fit": {"x": MORE_ROWS[:2]}})
    posted = statistics_of(client, "/n/statistics")
    merged = add(
        client,
        "n",
        {"from": "merge", "refs": ["n@1", "m@prod", "m@open"], "statistics": posted},
    )
    whole = create(client, "w", {**SOME, "fit": {"x": ROWS + MORE_ROWS + MORE_ROWS[:2] + ROWS}})
    assert merged["n"] == whole["n"]
    assert merged["params"] == SOME["params"]
    assert_close(statistics_of(client, "/n/statistics"), statistics_of(client, "/w/statistics"))
    assert len(merged["parents"]) == 4  # type: ignore[arg-type]


def test_a_merge_of_merges_records_leaves(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "merge", "refs": ["n@1", "n@1"]})
    merged = add(client, "n", {"from": "merge", "refs": ["n@2", "n@1"]})
    assert [(leaf["version"], leaf["count"]) for leaf in merged["parents"]] == [(1, 3)]  # type: ignore[attr-defined]
    assert merged["n"] == 3 * len(ROWS)
    assert merged["report"]["added_more_than_once"] == ["n@1"]  # type: ignore[index]


def test_a_part_is_removed_once(client: TestClient) -> None:
    create(client, "whole", SOME)
    part = {"method": "whitening", "fit": {"x": ROWS[:2]}}
    create(client, "part", part)
    once = {"from": "merge", "refs": ["whole@1"], "minus": ["part@1"]}
    add(client, "whole", once)
    before = stored(client)
    for refs, minus in (
        (["whole@1"], ["part@1", "part@1"]),
        (["whole@2"], ["part@1"]),
        (["whole@2", "whole@2"], ["part@1"]),
    ):
        body = {"from": "merge", "refs": refs, "minus": minus}
        answer = client.post(f"{NAMES}/whole/versions", json=body)
        assert answer.status_code == 409, answer.text
        assert "part@1" in answer.json()["detail"]
    assert stored(client) == before
    create(client, "other", {"method": "whitening", "fit": {"x": ROWS[2:4]}})
    twice = {"from": "merge", "refs": ["whole@2", "whole@2"], "minus": ["other@1"]}
    assert add(client, "whole", twice)["n"] == 2 * (len(ROWS) - 2) - 2
    back = add(client, "whole", {"from": "merge", "refs": ["whole@2", "part@1"]})
    assert back["n"] == len(ROWS)
    assert [leaf["version"] for leaf in back["parents"]] == [1]  # type: ignore[attr-defined]


def test_a_merge_with_other_parameters_and_only_statistics(client: TestClient) -> None:
    create(client, "n", SOME)
    posted = statistics_of(client, "/n/statistics")
    made = add(client, "n", {"from": "merge", "statistics": posted, "params": {"variant": "pca"}})
    assert made["resolved"]["variant"] == "pca"  # type: ignore[index]
    assert made["n"] == len(ROWS)


def test_minus_subtracts_where_that_is_exact(client: TestClient) -> None:
    create(client, "n", SOME)
    add(client, "n", {"from": "fit", "fit": {"x": MORE_ROWS}})
    add(client, "n", {"from": "merge", "refs": ["n@1", "n@2"]})
    less = add(client, "n", {"from": "merge", "refs": ["n@3"], "minus": ["n@2"]})
    assert less["n"] == len(ROWS)
    assert_close(statistics_of(client, "/n@4/statistics"), statistics_of(client, "/n@1/statistics"))
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


def test_minus_merges_the_remaining_parents_where_nothing_is_subtracted(client: TestClient) -> None:
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
    mine, theirs = statistics_of(client, "/n/statistics"), statistics_of(client, "/w/statistics")
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


def test_a_parent_that_is_gone(client: TestClient) -> None:
    create(client, "n", PERCENTILE)
    add(client, "n", {"from": "fit", "fit": {"scores": [1.0, 2.0]}})
    add(client, "n", {"from": "fit", "fit": {"scores": [5.0]}})
    merged = add(client, "n", {"from": "merge", "refs": ["n@1", "n@2", "n@3"]})
    statistics = statistics_of(client, "/n@4/statistics")
    assert client.delete(f"{NAMES}/n@2").status_code == 204
    assert look(client, "/n@4")["hash"] == merged["hash"]
    assert statistics_of(client, "/n@4/statistics") == statistics
    assert add(client, "n", {"from": "merge", "refs": ["n@4"]})["hash"] == merged["hash"]
    before = stored(client)
    response = client.post(
        f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@4"], "minus": ["n@3"]}
    )
    assert slug_of(response) == "conflict"
    assert "n@2 is gone" in str(read_problem(response)["detail"])
    assert stored(client) == before


def test_a_parent_that_was_created_anew_is_not_that_parent(client: TestClient) -> None:
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
    client: TestClient,
) -> None:
    create(client, "n", PERCENTILE)
    client.post(f"{NAMES}/n/observations", json={"fit": {"scores": [1.0]}})
    add(client, "n", {"from": "merge", "refs": ["n@1", "n@open"]})
    response = client.post(
        f"{NAMES}/n/versions", json={"from": "merge", "refs": ["n@2"], "minus": ["n@1"]}
    )
    assert slug_of(response) == "conflict"


def test_r38_merges_of_merges_count_their_leaves_and_end_at_a_limit(client: TestClient) -> None:
    create(client, "n", SOME)
    path, body = f"{NAMES}/n/versions", {"from": "merge", "refs": ["n"] * 10}
    answers = [client.post(path, json=body) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [201] * 4 + [413] * 3
    (leaf,) = answers[3].json()["parents"]
    assert (leaf["version"], leaf["count"]) == (1, 10_000)
    assert answers[3].json()["n"] == 10_000 * len(ROWS)
    assert all(len(answer.content) < 10_000 for answer in answers)
    refused = answers[-1].json()
    assert (refused["setting"], refused["errors"][0]["path"]) == ("NORMD_MAX_PARENTS", "refs[1]")
    assert all("parents" not in item for item in client.get(path).json()["items"])
    for posted in answers[3].json(), client.get(f"{NAMES}/n").json():
        assert posted["parents"] == [leaf]


def test_r38_more_refs_than_the_limit_are_refused_before_one_is_read(serve: Serve) -> None:
    client = serve(max_parents=2)
    create(client, "n", SOME)
    for member in ("refs", "minus"):
        body = {"from": "merge", "refs": ["n"], member: ["absent"] * 3}
        answer = client.post(f"{NAMES}/n/versions", json=body)
        assert answer.status_code == 413, answer.text
        assert answer.json()["errors"][0]["path"] == member


def test_r38_parents_of_an_older_folder_count_as_often_as_they_stand() -> None:
    leaf = {"name": "n", "version": 1, "hash": "h"}
    gone = {"name": "m", "version": 1, "hash": "g", "removed": True}
    parents = [leaf, leaf, leaf, gone, {"origin": "statistics"}, {"origin": "statistics"}]
    record = SimpleNamespace(parents=parents)
    assert lineage_of(record).as_json() == [  # type: ignore[arg-type]
        {**leaf, "count": 3},
        gone,
        {"origin": "statistics", "count": 2},
    ]
