"""Laws of the measures."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from normalizers.evaluation import evaluate
from normalizers.measures.drift import ks_distance
from normalizers.measures.labelled import Labelled, auc, average_precision, best_threshold, f1
from normalizers.measures.reliability import reliability
from normalizers.measures.threshold_curve import threshold_curve
from normalizers.statistics import Quantiles
from tests.properties.samples import EXAMPLES, SEEDS, same_bits

RANKINGS = ["ndcg@3", "recall@3", "precision@3", "map@3", "mrr@3"]
IDS = st.sampled_from("abcdefgh")
HITS = st.dictionaries(IDS, st.integers(0, 4).map(float), max_size=8)
QUERIES = st.lists(st.tuples(HITS, st.sets(IDS, min_size=1)), min_size=1, max_size=4)
ROWS = st.lists(st.tuples(st.integers(0, 16).map(lambda n: n / 16), st.booleans()), min_size=1)
SAMPLES = st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=30)


def measured(queries: list[tuple[dict[str, float], set[str]]], order: int = 1) -> list[np.ndarray]:
    lists = [list(hits.items())[::order] for hits, _ in queries]
    run = {
        "ids": [[name for name, _ in hits] for hits in lists],
        "scores": [[score for _, score in hits] for hits in lists],
    }
    qrels = {"ids": [sorted(relevant) for _, relevant in queries]}
    return [one.by_unit for one in evaluate(RANKINGS, runs=[run], qrels=qrels).results]  # type: ignore[misc]


@EXAMPLES
@given(QUERIES)
def test_a_ranking_does_not_depend_on_how_it_was_sent(queries) -> None:  # type: ignore[no-untyped-def]
    for one, other in zip(measured(queries), measured(queries, -1), strict=True):
        assert same_bits(one, other)


@EXAMPLES
@given(QUERIES)
def test_ranking_measures_are_shares(queries) -> None:  # type: ignore[no-untyped-def]
    for values in measured(queries):
        assert ((values >= 0) & (values <= 1 + 1e-12)).all()


@EXAMPLES
@given(QUERIES)
def test_a_query_is_measured_alone(queries) -> None:  # type: ignore[no-untyped-def]
    together = measured(queries)
    for index, query in enumerate(queries):
        for whole, alone in zip(together, measured([query]), strict=True):
            np.testing.assert_allclose(whole[index], alone[0], rtol=1e-12)


def labelled(rows: list[tuple[float, bool]]) -> Labelled:
    scores, labels = zip(*rows, strict=True)
    return Labelled.of(np.array(scores), np.array(labels))


@EXAMPLES
@given(ROWS, SEEDS)
def test_pooled_measures_depend_on_the_order_of_the_scores_alone(rows, seed) -> None:  # type: ignore[no-untyped-def]
    one = labelled(rows)
    shuffled = [rows[index] for index in np.random.default_rng(seed).permutation(len(rows))]
    for changed in ([(np.exp(score), label) for score, label in rows], shuffled):
        other = labelled(changed)
        assert same_bits(auc(one), auc(other))
        assert same_bits(average_precision(one), average_precision(other))


@EXAMPLES
@given(ROWS)
def test_turning_the_scores_round_turns_the_auc_round(rows) -> None:  # type: ignore[no-untyped-def]
    turned = labelled([(-score, label) for score, label in rows])
    np.testing.assert_allclose(auc(labelled(rows)), 1 - auc(turned), atol=1e-12)


@EXAMPLES
@given(ROWS)
def test_no_threshold_beats_the_best(rows) -> None:  # type: ignore[no-untyped-def]
    one = labelled(rows)
    best = best_threshold(one)
    curve = threshold_curve(one)
    if best is not None:
        assert f1(one, best) == curve.f1.max()
        for threshold, value in zip(curve.threshold, curve.f1, strict=True):
            np.testing.assert_allclose(f1(one, threshold), value)


@EXAMPLES
@given(ROWS, st.integers(1, 12), st.sampled_from(["mass", "width"]))
def test_bins_share_out_every_row(rows, bins, binning) -> None:  # type: ignore[no-untyped-def]
    one = labelled(rows)
    diagram = reliability(one, bins, binning)
    filled = diagram.weight > 0
    assert np.isclose(diagram.weight.sum(), len(rows))
    for shares, total in ((diagram.predicted, one.scores.sum()), (diagram.observed, one.positives)):
        np.testing.assert_allclose((diagram.weight * shares)[filled].sum(), total, atol=1e-9)
    assert (diagram.lower[filled] <= diagram.predicted[filled] + 1e-9).all()
    assert (diagram.predicted[filled] <= diagram.upper[filled] + 1e-9).all()


def sample(values: list[float]) -> Quantiles:
    return Quantiles().update(np.array(values)[:, None])


@EXAMPLES
@given(SAMPLES, SAMPLES)
def test_the_distance_of_samples_is_a_distance(first, second) -> None:  # type: ignore[no-untyped-def]
    (distance,) = ks_distance(sample(first), sample(second))
    (back,) = ks_distance(sample(second), sample(first))
    assert 0 <= distance <= 1
    np.testing.assert_allclose(distance, back, atol=1e-12)
    assert ks_distance(sample(first), sample(first + first)).tolist() == [0.0]
