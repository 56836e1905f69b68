"""Missing values in and out, and results that are not finite."""

from __future__ import annotations

import numpy as np
from fastapi.testclient import TestClient

from tests.api.asking import ask, ask_scores
from tests.api.encoding import as_base64, from_base64
from tests.api.problem import read_problem
from tests.api.samples import ROWS, WHITENING

OMIT = {"nan_policy": "omit"}


def test_null_in_is_null_out_and_flagged(client: TestClient) -> None:
    answer = ask_scores(client, {"scores": [[1, None, 3], [None], []]}, **OMIT)
    assert answer["output"]["values"] == [[0.0, None, 1.0], [None], []]
    assert answer["flags"] == {"missing": [[0, 1], [1, 0]]}


def test_null_and_nan_are_one_thing(client: TestClient) -> None:
    plain = ask_scores(client, {"scores": [1, None, 3]}, **OMIT)
    encoded = ask_scores(client, {"scores": as_base64([1, np.nan, 3])}, **OMIT)
    assert plain["flags"] == encoded["flags"]
    np.testing.assert_array_equal(from_base64(encoded["output"]["values"]), [0.0, np.nan, 1.0])


def test_rows_and_masked_points(client: TestClient) -> None:
    answer = ask(
        client,
        {
            **WHITENING,
            "params": {**OMIT, "eps_rel": 1.0},
            "fit": {"x": [*ROWS, [None, 1.0, 2.0]]},
            "input": {"x": [ROWS[0], [1.0, None, 2.0]]},
        },
    )
    assert answer["output"]["y"][1] == [None] * 3
    assert answer["flags"] == {"missing": [1]}
    for mask in ([[1, 0, 1]], [[True, False, True]]):
        masked = ask(
            client,
            {
                "method": "window_z_score",
                "input": {"x": [[1.0, 7.0, 4.0]], "mask": mask},
                "options": {"layout": "NT"},
            },
        )
        assert masked["output"]["y"] == [[-1.0, None, 1.0]]
        assert masked["output"]["loc"] == [[2.5]]


def test_report_1_a_result_that_is_not_finite_never_leaves(client: TestClient) -> None:
    response = client.post(
        "/v1/inverse",
        json={
            "method": "min_max",
            "input": {"values": [1e300], "loc": [0.0], "scale": [1e300]},
        },
    )
    assert response.status_code == 422
    read_problem(response)
