"""Windows are answered in the layout they were sent in."""

from __future__ import annotations

import numpy as np
import pytest
from fastapi.testclient import TestClient

from tests.api.asking import ask
from tests.api.problem import read_problem, slug_of


@pytest.mark.parametrize(
    ("layout", "x", "shape"),
    [
        ("T", [1.0, 2.0, 4.0], (3,)),
        ("NT", [[1.0, 2.0, 4.0], [2.0, 0.0, 5.0]], (2, 3)),
        ("TC", [[1.0, 2.0], [2.0, 5.0], [3.0, 9.0]], (3, 2)),
        ("NTC", [[[1.0], [2.0]], [[3.0], [5.0]]], (2, 2, 1)),
        ("NCT", [[[1.0, 2.0], [3.0, 5.0]]], (1, 2, 2)),
    ],
)
def test_an_answer_has_the_layout_it_was_asked_in(
    client: TestClient, layout: str, x: object, shape: tuple[int, ...]
) -> None:
    body = {"method": "window_z_score", "input": {"x": x}, "options": {"layout": layout}}
    output = ask(client, body)["output"]
    assert np.array(output["y"]).shape == shape
    back = ask(client, {**body, "input": output}, "/v1/inverse")["output"]["x"]
    np.testing.assert_allclose(np.array(back), np.array(x), atol=1e-12)


def test_two_axes_alone_are_ambiguous(client: TestClient) -> None:
    response = client.post(
        "/v1/transform", json={"method": "window_z_score", "input": {"x": [[1.0, 2.0]]}}
    )
    assert slug_of(response) == "shape-error"
    assert "NT or TC" in str(read_problem(response)["detail"])


def test_windows_of_other_lengths(client: TestClient) -> None:
    body = {
        "method": "window_z_score",
        "input": {"x": [[1.0, 2.0, 3.0], [4.0, 4.0]]},
        "options": {"layout": "ragged"},
    }
    answer = ask(client, body)
    assert [len(part) for part in answer["output"]["y"]] == [3, 2]
    assert answer["flags"] == {"constant": [[1, 0]]}
