from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import InvalidInput, NonFiniteError
from normalizers.evaluation.evaluate import evaluate

SIMS = [[0.9, 0.2, 0.4], [0.3, 0.8, 0.1], [0.8, 0.5, 0.7]]


def test_hits_hubs_and_ties_of_similarities_beside_a_baseline() -> None:
    result = evaluate(
        ["hit_rate", "hit_rate@2", "robin_hood@1", "tie_share"],
        sims=SIMS,
        matches=[0, 1, 2],
        baseline={"sims": np.tile([3.0, 2.0, 1.0], (3, 1))},
    )
    values = [one.value for one in result.results]
    assert values == pytest.approx([2 / 3, 1.0, 1 / 3, 0.0])
    differences = [one.comparison.difference for one in result.results if one.comparison]
    assert differences[0] == pytest.approx(1 / 3)
    assert differences[2] == pytest.approx(-1 / 3)


def test_equal_similarities_are_ordered_by_position() -> None:
    sent = {"sims": [[0.5, 0.5], [0.5, 0.5]], "matches": [0, 1]}
    hits, ties = evaluate(["hit_rate", "tie_share"], **sent).results
    assert (hits.value, ties.value) == (0.5, 1.0)


def test_hub_measures_agree_with_those_of_neighbours() -> None:
    sims = np.random.default_rng(1).normal(size=(40, 25))
    nearest = np.argsort(-sims, axis=1, kind="stable")[:, :5]
    asked = ["k_skewness@5", "robin_hood@5", "max_hub_share@5"]
    one = evaluate(asked, sims=sims).results
    other = evaluate(asked, neighbor_ids=nearest.tolist(), items=25).results
    assert [a.value for a in one] == [b.value for b in other]


@pytest.mark.parametrize(
    "sent, error, said",
    [
        ({"sims": []}, InvalidInput, "no queries"),
        ({"sims": SIMS, "matches": [0, 1, 3]}, InvalidInput, "0 to 2"),
        ({"sims": [[np.nan, 1.0]]}, NonFiniteError, "missing|finite"),
        ({"sims": SIMS, "asked": ["hit_rate"]}, InvalidInput, "matches"),
    ],
)
def test_what_cannot_be_measured(sent: dict[str, object], error: type, said: str) -> None:
    asked = sent.pop("asked", ["tie_share"])
    with pytest.raises(error, match=said):
        evaluate(asked, **sent)
