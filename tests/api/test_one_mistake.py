"""One mistake is told once: at its place, with the cure."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.problem import read_problem

RUNS = [{"name": name, "ids": [[name]], "scores": [[1.0]]} for name in ("a", "b")]
TRAINING = {"runs": RUNS, "qrels": {"ids": [["a"]]}, "measure": "ndcg"}
LEAST = "Input should be greater than or equal to 0"
EITHER = "Input should be a valid boolean, or Input should be a valid dictionary"
CASES = {
    "a weight of a list": (
        "/v1/fuse", {"method": "rrf", "runs": RUNS, "weights": [1, -1]}, "weights[1]", LEAST,
    ),
    "a weight by name": (
        "/v1/fuse", {"method": "rrf", "runs": RUNS, "weights": {"b": -1}}, "weights.b", LEAST,
    ),
    "weights of another type": (
        "/v1/fuse",
        {"method": "rrf", "runs": RUNS, "weights": "b"},
        "weights",
        "Input should be a valid list, or Input should be a valid dictionary",
    ),
    "a member of several types": (
        "/v1/evaluate",
        {"scores": [1, 2], "labels": [0, 1], "measures": ["auc"], "bootstrap": "x"},
        "bootstrap",
        EITHER,
    ),
    "a switch that is an object": (
        "/v1/normalizers",
        {"name": "n", "method": "rrf", "fit": {**TRAINING, "bootstrap": True}},
        "fit.bootstrap",
        "an object is expected here, with any of samples, seed, confidence; {} is enough",
    ),
    "a field of the fit among the parameters": (
        "/v1/normalizers",
        {"name": "n", "method": "rrf", "params": {"measure": "ndcg"}, "fit": TRAINING},
        "params.measure",
        "it is sent with the data of a fit: fit.measure",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_r33_one_mistake_is_one_fault(client: TestClient, case: str) -> None:
    path, body, place, told = CASES[case]
    problem = read_problem(client.post(path, json=body))
    (fault,) = problem["errors"]
    assert fault["path"] == place
    assert told in fault["message"]
