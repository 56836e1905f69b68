"""A whitening that the tests of names share, and statistics as the service answers them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from fastapi.testclient import TestClient

from tests.api.samples import ROWS, look

SOME = {"method": "whitening", "params": {"eps_rel": 1.0, "variant": "zca"}, "fit": {"x": ROWS}}


def statistics_of(client: TestClient, path: str) -> Mapping[str, Mapping[str, object]]:
    answer = look(client, path)["statistics"]
    assert isinstance(answer, Mapping)
    return answer


def assert_close(one: object, other: object) -> None:
    assert isinstance(one, Mapping)
    assert isinstance(other, Mapping)
    assert one.keys() == other.keys()
    for name, value in one.items():
        if isinstance(value, Mapping):
            assert_close(value, other[name])
        else:
            np.testing.assert_allclose(
                np.asarray(value, dtype=float), np.asarray(other[name], dtype=float), atol=1e-12
            )
