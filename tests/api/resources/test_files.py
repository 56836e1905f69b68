"""Versions exported and imported bit for bit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from fastapi.testclient import TestClient

from normalizers.versions import file
from tests.api.problem import slug_of
from tests.api.resources.statistics import SOME
from tests.api.samples import (
    HUBS,
    MIN_MAX,
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
    stored,
)


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
    client: TestClient, body: Mapping[str, object], given: Mapping[str, object]
) -> None:
    if body["method"] == "pipeline":
        body = {**body, "fit": {"scores": SCORES}}
    made = create(client, "n", body)
    exported = client.get(f"{NAMES}/n/export")
    assert exported.headers["content-type"] == SAFETENSORS
    assert exported.headers["etag"] == f'"{made["hash"]}"'
    assert file.content_hash(exported.content) == made["hash"]
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
    loaded = file.from_bytes(exported.content)
    here = loaded.transform(given).output
    for name, value in mine["output"].items():
        if name != "steps":
            np.testing.assert_array_equal(
                np.concatenate([np.ravel(part) for part in value]),
                np.concatenate([np.ravel(part) for part in _parts(here[name])]),
            )


def test_importing_again_is_200_and_under_another_name_is_new(client: TestClient) -> None:
    create(client, "n", SOME)
    content = client.get(f"{NAMES}/n/export").content
    sent = {"content-type": SAFETENSORS}
    assert [
        client.post(f"{NAMES}/import?name=m", content=content, headers=sent).status_code
        for _ in range(3)
    ] == [201, 200, 200]
    assert len(look(client, "/m/versions")["items"]) == 1  # type: ignore[arg-type]
    assert client.post(f"{NAMES}/import?name=n", content=content, headers=sent).status_code == 200


def test_an_existing_name_gets_a_new_version_when_parameters_agree(client: TestClient) -> None:
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


def test_an_imported_version_merges_and_observes(client: TestClient) -> None:
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
