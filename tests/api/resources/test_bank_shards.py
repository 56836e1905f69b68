"""A part of a bank that is taken out of a stored version leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.samples import NAMES, create
from tests.unit.hubness.test_shards import BANK, EXACT, IDS, copy_of


@pytest.mark.parametrize("name", EXACT)
def test_a_part_that_is_taken_out_leaves_no_trace(client: TestClient, name: str) -> None:
    method = EXACT[name]
    # The part that goes dominates every sum: what is subtracted from one would leave its rounding.
    parts = [BANK[:9], 40 + BANK[9:20], BANK[20:]]
    for at, part in enumerate(parts):
        fit = {"bank_sims": part.tolist(), "gallery_ids": IDS}
        params = method.explicit_params
        create(client, f"part{at}", {"method": method.name, "params": params, "fit": fit})
    versions = f"{NAMES}/part0/versions"
    refs = ["part0@1", "part1@1", "part2@1"]
    whole = client.post(versions, json={"from": "merge", "refs": refs})
    assert whole.status_code == 201, whole.text
    asked = {"from": "merge", "refs": ["part0@2"], "minus": ["part1@1"]}
    left = client.post(versions, json=asked)
    assert left.status_code == 201, left.text
    told = client.get(f"{NAMES}/part0@3/fitted").json()
    expected = copy_of(method).fit(np.vstack([parts[0], parts[2]]), gallery_ids=IDS)
    for array_name, array in expected.fitted_.items():
        if array.dtype.kind == "f":
            found = np.asarray(told["fitted"][array_name], dtype=np.float64)
            np.testing.assert_allclose(found, array, rtol=1e-9, atol=1e-9)
