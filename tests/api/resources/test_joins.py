"""New items enter: versions of other items over the same bank, side by side."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.problem import paths_of, slug_of
from tests.api.samples import add, create, look

RNG = np.random.default_rng(3)
BANK, GALLERY = RNG.normal(size=(6, 3)).tolist(), RNG.normal(size=(4, 3)).tolist()
IDS = ["a", "b", "c", "d"]


def hubs(items: slice, bank: object = BANK, k: int = 2) -> dict[str, object]:
    fit = {
        "bank_embeddings": bank,
        "gallery_embeddings": GALLERY[items],
        "gallery_ids": IDS[items],
    }
    return {"method": "nnn", "params": {"k": k}, "fit": fit}


def test_k18_a_join_is_the_fit_of_all_items(client: TestClient) -> None:
    create(client, "old", hubs(slice(0, 3)))
    create(client, "new", hubs(slice(3, 4)))
    create(client, "whole", hubs(slice(0, 4)))
    made = add(client, "old", {"from": "join", "refs": ["old@1", "new@1"]})
    assert (made["version"], made["n"], made["from"]) == (2, 6, "join")
    joined, whole = (look(client, f"/{name}/fitted")["fitted"] for name in ("old", "whole"))
    assert joined["item_ids"] == IDS
    np.testing.assert_allclose(joined["item_bias"], whole["item_bias"], rtol=1e-12)


@pytest.mark.parametrize(
    "other, refs, slug, path",
    [
        (hubs(slice(3, 4), BANK[:5]), ["old@1", "new@1"], "incompatible-statistics", "refs"),
        (hubs(slice(3, 4), k=1), ["old@1", "new@1"], "incompatible-statistics", "params.k"),
        (hubs(slice(2, 4)), ["old@1", "new@1"], "incompatible-statistics", "refs"),
        ({"method": "centering", "fit": {"x": BANK}}, ["old@1", "new@1"], "", ""),
        (hubs(slice(3, 4)), [], "invalid-input", "refs"),
        (hubs(slice(3, 4)), ["old@open"], "", ""),
        (hubs(slice(3, 4)), ["nobody@1"], "not-found", ""),
    ],
)
def test_what_does_not_join_is_refused(
    client: TestClient, other: dict[str, object], refs: list[str], slug: str, path: str
) -> None:
    create(client, "old", hubs(slice(0, 3)))
    created = client.post("/v1/normalizers", json={"name": "new", **other})
    if created.status_code != 201:
        pytest.skip("the method is not there")
    response = client.post("/v1/normalizers/old/versions", json={"from": "join", "refs": refs})
    assert 400 <= response.status_code < 500
    if slug:
        assert slug_of(response) == slug
    if path:
        assert paths_of(response) == [path]


def test_sums_of_rows_are_merged_not_joined(client: TestClient) -> None:
    rows = {"method": "whitening", "fit": {"x": BANK}}
    create(client, "one", rows)
    response = client.post(
        "/v1/normalizers/one/versions", json={"from": "join", "refs": ["one@1", "one@1"]}
    )
    assert slug_of(response) == "unsupported-operation"
