"""Measures of agreement: by definition, by SciPy, on resamples, and where they are not defined."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from normalizers.errors import InvalidParams
from normalizers.measures.agreement import Pairs, Ties, kendall, pair_accuracy, pearson
from normalizers.measures.bootstrap import Bootstrap, draws
from normalizers.measures.rated import Rated
from normalizers.measures.resampled_agreement import (
    kendall_resamples,
    pair_accuracy_resamples,
    pearson_resamples,
)
from normalizers.measures.table import measures, read_measure


def rated(n: int = 60, seed: int = 3, *, clustered: bool = True) -> Rated:
    random = np.random.default_rng(seed)
    qualities = random.integers(0, 6, n).astype(float)
    scores = np.round(qualities / 3 + random.normal(size=n), 1)
    groups = random.integers(0, 3, n).astype(str).astype(object)
    clusters = random.integers(0, n // 3, n).astype(str).astype(object) if clustered else None
    return Rated.of(scores, qualities, groups, clusters)


@pytest.mark.parametrize("variant", ["b", "c"])
@pytest.mark.parametrize("seed", range(5))
def test_tau_b_and_c_are_those_of_scipy(variant: str, seed: int) -> None:
    rows = rated(seed=seed)
    expected = stats.kendalltau(rows.qualities, rows.scores, variant=variant).statistic
    assert kendall(rows, variant) == pytest.approx(expected, rel=1e-12)  # type: ignore[arg-type]


@pytest.mark.parametrize("scale, shift", [(1.0, 0.0), (1e-300, 0.0), (1e300, 0.0), (1.0, 1e9)])
def test_pearson_is_that_of_scipy_at_every_size(scale: float, shift: float) -> None:
    rows = rated()
    expected = stats.pearsonr(rows.qualities, rows.scores).statistic
    moved = replace(rows, scores=rows.scores * scale + shift)
    assert pearson(moved) == pytest.approx(expected, rel=1e-7 if shift else 1e-12)


@pytest.mark.parametrize("ties", ["half", "wrong"])
@pytest.mark.parametrize("pairs", ["cross_group", "within_group", "all"])
def test_pair_accuracy_is_the_share_of_pairs_one_by_one(ties: Ties, pairs: Pairs) -> None:
    rows = rated()
    assert rows.groups is not None
    right = total = 0.0
    for i, j in combinations(range(rows.rows), 2):
        same = rows.groups[i] == rows.groups[j]
        step = rows.qualities[i] - rows.qualities[j]
        if not step or (pairs == "cross_group" and same) or (pairs == "within_group" and not same):
            continue
        told = (rows.scores[i] - rows.scores[j]) * step
        total += 1
        right += 1.0 if told > 0 else (0.5 if told == 0 and ties == "half" else 0.0)
    assert pair_accuracy(rows, ties, pairs) == pytest.approx(right / total, rel=1e-14)


@pytest.mark.parametrize("clustered", [True, False])
@pytest.mark.parametrize(
    "function, at_once",
    [
        (pearson, pearson_resamples),
        *(
            (partial(kendall, **params), partial(kendall_resamples, **params))
            for params in (
                {"variant": "b"}, {"variant": "23"}, {"variant": "acc23", "tie_epsilon": 0.2},
            )
        ),
        *(
            (partial(pair_accuracy, **params), partial(pair_accuracy_resamples, **params))
            for params in ({"pairs": "all"}, {"pairs": "within_group", "ties": "wrong"}, {})
        ),
    ],
)  # fmt: skip
def test_all_resamples_at_once_are_those_one_by_one(
    function: object, at_once: object, clustered: bool
) -> None:
    rows = rated(24, clustered=clustered)
    (counts,) = draws(Bootstrap(samples=40), len(rows))
    expected = [function(rows.weighted(one)) for one in counts]  # type: ignore[operator]
    np.testing.assert_allclose(at_once(rows, counts), expected, rtol=1e-11)  # type: ignore[operator]


def test_resamples_of_one_value_have_no_correlation() -> None:
    rows = Rated.of(np.array([0.1, 0.1, 0.7]), np.array([1.0, 2.0, 3.0]))
    counts = np.array([[2, 1, 0], [1, 1, 1], [0, 0, 3]])
    for found in (pearson_resamples(rows, counts), kendall_resamples(rows, counts)):
        assert found is not None
        assert np.isnan(found).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "scores, qualities",
    [([0.1, 0.1, 0.1], [1.0, 2.0, 3.0]), ([1.0, 2.0], [5.0, 5.0]), ([1.0], [2.0]), ([], [])],
)
@pytest.mark.parametrize("name", ["pearson", "kendall", "pair_accuracy"])
def test_a_constant_or_one_row_is_undefined_and_never_0(
    scores: list[float], qualities: list[float], name: str
) -> None:
    rows = Rated.of(np.array(scores), np.array(qualities))
    value = measures()[name].function(rows, **({"pairs": "all"} if "pair" in name else {}))
    constant_scores_are_ties = name == "pair_accuracy" and len(set(qualities)) > 1
    assert value == 0.5 if constant_scores_are_ties else np.isnan(value)


def test_a_missing_value_leaves_its_row_out() -> None:
    rows = Rated.of(np.array([1.0, np.nan, 3.0]), np.array([2.0, 1.0, np.nan]))
    assert (rows.rows, len(rows)) == (1, 3)
    assert np.isnan(pearson(rows))


def test_a_correlation_is_never_beyond_1() -> None:
    for seed in range(50):
        values = np.random.default_rng(seed).normal(size=7)
        assert abs(pearson(Rated.of(values, values * 3.3))) <= 1.0


def test_pairs_by_group_need_groups() -> None:
    rows = Rated.of(np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    with pytest.raises(InvalidParams, match="send groups, or ask for pairs 'all'"):
        pair_accuracy(rows)


@pytest.mark.parametrize("peer, ours", [("kendalltau", "kendall"), ("pearsonr", "pearson")])
def test_names_of_peers_are_told_ours(peer: str, ours: str) -> None:
    with pytest.raises(InvalidParams, match=f"did you mean '{ours}'"):
        read_measure(peer, "measures[0]")
