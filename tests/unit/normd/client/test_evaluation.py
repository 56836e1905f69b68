"""Evaluations and drift through the client: what the library says, in every form of bodies."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from normalizers import Percentile
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.evaluation import drift, evaluate
from normd.client import Client
from normd.client.forms import FormName

FORMS: list[FormName | None] = [None, "json", "safetensors", "arrow"]
RUNS = [
    {"name": "one", "ids": [["a", "b"], ["c"]], "scores": [np.array([2.0, 1.0]), np.array([1.0])]},
    {"name": "two", "ids": [["b"], ["d", "c"]], "scores": [[1.0], [3.0, 2.0]]},
]
QRELS = {"ids": [["b"], ["c", "x"]]}
MEASURES = ["ndcg@10", "recall@1", "auc"]


@pytest.mark.parametrize("form", FORMS)
def test_runs_as_the_library_measures_them(client: Client, form: FormName | None) -> None:
    expected = evaluate(MEASURES, runs=RUNS, qrels=QRELS, baseline="two")
    found = client.evaluate(
        MEASURES, runs=RUNS, qrels=QRELS, baseline="two", per_query=True, form=form
    )
    results = cast("list[dict[str, object]]", found["results"])
    for one, other in zip(results, expected.results, strict=True):
        assert one["value"] == pytest.approx(other.value, nan_ok=True)
        if other.by_unit is not None:
            assert isinstance(one["per_query"], np.ndarray)
            np.testing.assert_allclose(one["per_query"], other.by_unit)


@pytest.mark.parametrize("form", FORMS)
def test_scores_by_query(client: Client, form: FormName | None) -> None:
    scores = [np.array([0.9, 0.4]), np.array([0.7])]
    found = client.evaluate(
        ["auc", "brier"],
        probabilities=scores,
        labels=[np.array([1, 0]), np.array([1])],
        reliability={"bins": 2},
        form=form,
    )
    results = cast("list[dict[str, object]]", found["results"])
    assert results[0]["value"] == 1.0
    (diagram,) = cast("list[dict[str, np.ndarray]]", found["reliability"])
    assert diagram["weight"].tolist() == [1.5, 1.5]


@pytest.mark.parametrize("form", FORMS)
def test_a_live_sample(client: Client, form: FormName | None) -> None:
    client.fit("scores", "percentile", [1.0, 2.0, 3.0, 4.0])
    version = Percentile().fit([1.0, 2.0, 3.0, 4.0]).version_
    live = np.array([3.0, 9.0])
    expected = drift(version, version.read({"scores": live}))
    found = client.drift("scores@1", live, form=form)
    for part in ("distribution", "range"):
        mine = cast("dict[str, object]", found[part])
        for name, value in cast("dict[str, object]", expected[part]).items():
            np.testing.assert_allclose(mine[name], value)  # type: ignore[arg-type]
    assert found["moments"] is None


def test_refusals_are_those_of_the_library(client: Client) -> None:
    with pytest.raises(InvalidParams, match="did you mean 'ndcg'"):
        client.evaluate(["ndgc"], runs=RUNS, qrels=QRELS)
    with pytest.raises(InvalidInput) as refused:
        client.evaluate(["auc"], scores=[1.0], labels=[2.0])
    assert refused.value.path == "labels[0]"


@pytest.mark.parametrize(("ties", "expected"), [("id", 1.0), ("trec", 0.0)])
def test_r6_graded_judgements_and_ties_by_the_client(
    client: Client, ties: str, expected: float
) -> None:
    runs = [{"name": "r", "ids": [["b", "a"]], "scores": [[1.0, 1.0]]}]
    judged = {"ids": [["a", "b"]], "judgements": [[3.0, 1.0]]}
    found = client.evaluate(["precision(rel=2)@1", "ndcg@2"], runs=runs, qrels=judged, ties=ties)
    values = [result["value"] for result in found["results"]]
    assert values[0] == expected
    assert values[1] == pytest.approx(1.0 if ties == "id" else 0.7967, abs=1e-4)
