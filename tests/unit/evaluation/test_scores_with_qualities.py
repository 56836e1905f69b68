"""Scores with qualities as evidence: what is paired, counted, compared and refused."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import NormalizerError
from normalizers.evaluation import evaluate

SCORES = [0.9, 0.1, -0.8, 1.1, 0.2, -1.0]
QUALITIES = [95.0, 80.0, 60.0, 97.0, 82.0, 55.0]
GROUPS = ["de", "de", "de", "ja", "ja", "ja"]
ALL = {"measure": "pair_accuracy", "params": {"pairs": "all"}}


def test_missing_values_are_dropped_pairwise_and_counted() -> None:
    found = evaluate(
        ["pearson", "kendall", ALL], scores=[1.0, None, 3.0], qualities=[2.0, 1.0, None]
    )
    assert found.counts == {"rows": 1, "missing": 2, "clusters": 3}
    for shown in found.as_dict()["results"]:  # type: ignore[union-attr]
        assert (shown["value"], shown["n"]) == (None, 1)
        assert shown["reason"]


def test_lower_is_better_turns_the_sign() -> None:
    sent = {"scores": [-one for one in SCORES], "qualities": QUALITIES}
    assert evaluate(["kendall"], higher_is_better=False, **sent)["kendall"] == pytest.approx(
        evaluate(["kendall"], scores=SCORES, qualities=QUALITIES)["kendall"]
    )
    assert evaluate(["kendall"], **sent)["kendall"] < 0


def test_details_tell_pairs_and_groups() -> None:
    found = evaluate(["kendall", "pearson"], scores=SCORES, qualities=QUALITIES, groups=GROUPS)
    counted, linear = (dict(one.details) for one in found.results)
    assert (counted["pairs"], counted["concordant"], counted["discordant"]) == (15, 15, 0)
    assert (counted["groups"], counted["within_groups"]) == (["de", "ja"], 1.0)
    assert np.asarray(linear["values"]).shape == (2,)
    assert found.counts["groups"] == 2


def test_groups_of_several_labels_are_told_as_they_are() -> None:
    keys = [[group, "news"] for group in GROUPS]
    (one,) = evaluate(["pearson"], scores=SCORES, qualities=QUALITIES, groups=keys).results
    assert one.details["groups"] == [["de", "news"], ["ja", "news"]]


def test_scores_before_alignment_are_a_baseline() -> None:
    before = {"scores": [0.8, 0.7, None, 0.95, 0.94, 0.9]}
    (one,) = evaluate(
        ["pair_accuracy"], scores=SCORES, qualities=QUALITIES, groups=GROUPS, baseline=before
    ).results
    assert one.comparison is not None
    assert one.value == 1.0
    assert one.comparison.difference == 1.0 - one.comparison.value > 0


def test_clusters_are_the_units_of_the_bootstrap() -> None:
    sent = {"scores": SCORES, "qualities": QUALITIES, "clusters": [1, 2, 3, 1, 2, 3]}
    found = evaluate(["pearson"], bootstrap={"samples": 200}, **sent)
    assert found.counts["clusters"] == 3
    assert found.results[0].interval is not None


WRONG: list[tuple[dict[str, object], str, str]] = [
    ({"human": QUALITIES}, "human", "did you mean 'qualities'"),
    ({"metric_scores": SCORES}, "metric_scores", "did you mean 'scores'"),
    ({"qualities": None}, "qualities", "how good each row is known to be"),
    ({"qualities": QUALITIES[:5]}, "qualities", "5"),
    ({"scores": [], "qualities": [], "groups": None}, "scores", "there are no scores"),
    ({"scores": [np.inf, *SCORES[1:]]}, "scores[0]", "infinity"),
    ({"labels": [1] * 6}, "labels", "not both"),
    ({"offsets": [0, 6]}, "offsets", "not both"),
    ({"groups": GROUPS[:2]}, "groups", "2"),
    ({"groups": None}, "measures[0]", "send groups, or ask for pairs 'all'"),
    ({"groups": None, "bootstrap": True}, "measures[0]", "send groups"),
    ({"asked": ["auc"]}, "scores", "auc needs scores: send scores and labels"),
    ({"asked": ["ndcg"]}, "scores", "ndcg needs rankings: send runs and qrels"),
    ({"threshold_curve": True}, "scores", "a threshold curve needs scores: send scores and labels"),
    ({"baseline": "raw"}, "baseline", "an object with other scores"),
    ({"baseline": {"groups": GROUPS}}, "baseline.groups", "groups, clusters and systems are"),
    (
        {"asked": [{"measure": "kendall", "params": {"epsilon": 0.1}}]},
        "measures[0].params.epsilon",
        "did you mean 'tie_epsilon'",
    ),
    (
        {"asked": [{"measure": "kendall", "params": {"variant": "c", "tie_epsilon": 0.1}}]},
        "measures[0].params",
        "variant c counts distinct values",
    ),
    (
        {"asked": [{"measure": "kendall", "params": {"variant": "d"}}]},
        "measures[0].params.variant",
        "'acc23'",
    ),
]


@pytest.mark.parametrize("members, path, message", WRONG, ids=lambda value: str(value)[:50])
def test_what_cannot_be_compared(members: dict[str, object], path: str, message: str) -> None:
    sent = {"asked": ["pair_accuracy"], "scores": SCORES, "qualities": QUALITIES, "groups": GROUPS}
    sent |= members
    with pytest.raises(NormalizerError) as refused:
        evaluate(sent.pop("asked"), **sent)  # type: ignore[arg-type]
    assert refused.value.path == path
    assert message in refused.value.message


@pytest.mark.parametrize("asked, told", [("pearson", "qualities"), ("auc", "labels")])
def test_scores_alone_are_told_what_the_measure_lacks(asked: str, told: str) -> None:
    with pytest.raises(NormalizerError) as refused:
        evaluate([asked], scores=SCORES)
    assert refused.value.path == told


def test_nothing_sent_is_told_what_the_measure_needs() -> None:
    with pytest.raises(NormalizerError, match="send scores with qualities") as refused:
        evaluate(["pearson"])
    assert refused.value.path == "scores"
