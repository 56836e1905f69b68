"""Runs that stand best first take fewer steps, and are fused as runs in any order are."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ReciprocalRankFusion, WeightedSum
from normalizers.normalizer import Normalizer

QUERIES, HITS = 3, 20


def drawn(*, queries: int, best_first: bool) -> list[dict[str, object]]:
    """Return two runs of the same lists, best first or as they were drawn."""
    rng = np.random.default_rng(11)
    runs: list[dict[str, object]] = []
    for _ in range(2):
        ids, scores = [], []
        for _ in range(queries):
            found = rng.permutation(30)[:HITS]
            values = rng.permutation(HITS) * 0.1
            order = np.argsort(-values) if best_first else np.arange(HITS)
            ids.append([f"d{number}" for number in found[order]])
            scores.append(values[order].tolist())
        one = queries == 1
        runs.append({"ids": ids[0] if one else ids, "scores": scores[0] if one else scores})
    return runs


@pytest.mark.parametrize("queries", [1, QUERIES])
@pytest.mark.parametrize("ties", ["position", "min", "average"])
@pytest.mark.parametrize("depth", [None, 7])
def test_runs_that_stand_best_first_are_ranked_as_those_that_do_not(
    queries: int, ties: str, depth: int | None
) -> None:
    method = ReciprocalRankFusion(ties=ties)
    assert_same(method, queries, depth)


@pytest.mark.parametrize("queries", [1, QUERIES])
def test_scores_of_runs_that_stand_best_first_are_fused_as_those_that_do_not(queries: int) -> None:
    assert_same(WeightedSum(weights=[0.3, 0.7]), queries, None)


@pytest.mark.parametrize("queries", [1, QUERIES])
def test_what_lists_best_first_have_is_still_told(queries: int) -> None:
    ids, scores = [["a", "b", "a"]] * queries, [[3.0, 2.0, 1.0]] * queries
    other = [["x"]] * queries
    run, without = {"ids": ids, "scores": scores}, {"ids": other, "scores": [[1.0]] * queries}
    codes = [noted.code for noted in ReciprocalRankFusion().apply_to([run, without]).warnings]
    assert codes == ["duplicate_ids", "no_overlap"]
    rising = {"ids": [["a", "b"]] * queries, "scores": [[1.0, 2.0]] * queries}
    assert [noted.code for noted in ReciprocalRankFusion().apply_to([rising]).warnings] == [
        "order_disagrees"
    ]


def assert_same(method: Normalizer, queries: int, depth: int | None) -> None:
    options = {} if depth is None else {"depth": depth}
    ordered, drawn_so = (
        method.apply_to(drawn(queries=queries, best_first=best_first), **options)
        for best_first in (True, False)
    )
    for name in ("ids", "scores"):
        one, other = ordered[name], drawn_so[name]
        pairs = [(one, other)] if queries == 1 else zip(one, other, strict=True)
        assert all(left.tolist() == right.tolist() for left, right in pairs)
    assert not ordered.warnings
    assert {noted.code for noted in drawn_so.warnings} == {"order_disagrees"}
