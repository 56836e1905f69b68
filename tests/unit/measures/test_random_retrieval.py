"""What measures of hubs are where there are none."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.ragged import Ragged
from normalizers.evaluation import evaluate
from normalizers.measures.hubness import MEASURES
from normalizers.measures.occurrence import Occurrences
from normalizers.measures.random_retrieval import expected


@pytest.mark.parametrize(("queries", "items", "k"), [(200, 400, 10), (45, 45, 30), (300, 50, 3)])
def test_scikit_hubness_108_the_value_of_random_lists_is_known(
    queries: int, items: int, k: int
) -> None:
    rng = np.random.default_rng(0)
    found: dict[str, list[float]] = {measure.name: [] for measure in MEASURES}
    for _ in range(40):
        lists = np.argsort(rng.random((queries, items)), axis=1)[:, :k]
        evidence = Occurrences.of(Ragged.of(list(lists), np.int64), items)
        for measure in MEASURES:
            found[measure.name].append(float(np.asarray(measure.function(evidence, k))))
    for name, values in found.items():
        bound = 4 * np.std(values) / np.sqrt(len(values)) + 0.02 * abs(np.mean(values)) + 1e-3
        # Lists without a repetition spread a little less than independent draws.
        slack = 0.1 if name == "k_skewness" else 0.0
        assert expected(name, evidence, k) == pytest.approx(np.mean(values), abs=bound + slack)


def test_it_stands_beside_the_value_of_an_evaluation() -> None:
    lists = [[0, 1], [0, 2], [0, 3], [0, 1]]
    done = evaluate(["robin_hood@2", "max_hub_share@2"], neighbor_ids=lists, items=5)
    first, second = done.as_dict()["results"]
    assert 0 < first["base_value"] < first["value"]
    assert 0 < second["base_value"] < second["value"]


def test_nothing_is_expected_of_no_places() -> None:
    empty = Occurrences.of(Ragged.of([[-1]], np.int64), 3)
    assert all(np.isnan(expected(measure.name, empty)) for measure in MEASURES)


def test_scikit_hubness_108_a_k_that_is_near_everything_is_told() -> None:
    lists = [[0, 1, 2, 3], [3, 2, 1, 0]]
    done = evaluate(["robin_hood@2", "robin_hood@3"], neighbor_ids=lists, items=4)
    told = [(noted.code, dict(noted.detail)) for noted in done.warnings]
    assert told == [("large_k", {"measure": "robin_hood@3"})]
