"""Resamples are seeded, paired, and drawn by unit."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import InvalidParams
from normalizers.measures import bootstrap as drawing
from normalizers.measures.bootstrap import (
    Bootstrap,
    draws,
    interval,
    resampled_means,
    resampled_pooled,
)
from normalizers.measures.labelled import Labelled, auc


def test_the_same_seed_draws_the_same() -> None:
    values = np.random.default_rng(0).random(30)
    first = resampled_means(values, Bootstrap(samples=50, seed=4))
    again = resampled_means(values, Bootstrap(samples=50, seed=4))
    other = resampled_means(values, Bootstrap(samples=50, seed=5))
    assert first.tolist() == again.tolist() != other.tolist()


def test_two_treatments_are_resampled_as_pairs() -> None:
    values = np.random.default_rng(1).random(30)
    drawn = Bootstrap(samples=100)
    difference = resampled_means(values + 0.5, drawn) - resampled_means(values, drawn)
    np.testing.assert_allclose(difference, 0.5)


def test_blocks_of_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(draws(Bootstrap(samples=25), 7)))
    monkeypatch.setattr(drawing, "BLOCK", 20)
    parts = list(draws(Bootstrap(samples=25), 7))
    assert len(parts) > 1
    assert np.concatenate(parts).tolist() == whole.tolist()
    assert (whole.sum(axis=1) == 7).all()


def test_undefined_values_are_left_out() -> None:
    values = np.array([np.nan, 1.0, 1.0, np.nan])
    found = resampled_means(values, Bootstrap(samples=200))
    assert set(found[~np.isnan(found)].tolist()) == {1.0}
    assert np.isnan(resampled_means(np.array([np.nan]), Bootstrap(samples=3))).all()


def test_a_pooled_measure_is_drawn_by_unit() -> None:
    scores, labels = np.array([0.9, 0.2, 0.8, 0.1]), np.array([1, 0, 0, 1])
    one = Labelled.of(scores, labels, np.array([0, 0, 1, 1]), 2)
    found = resampled_pooled(auc, one, Bootstrap(samples=100))
    # Twice the first query: 1; twice the second: 0; both: one half.
    assert set(np.round(found, 6).tolist()) == {0.0, 0.5, 1.0}


def test_the_interval_covers_the_mean_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(8)
    covered = 0
    for _ in range(200):
        values = random.normal(0, 1, 60)
        ends = interval(resampled_means(values, Bootstrap(samples=300)), 0.9)
        covered += ends.lower <= 0 <= ends.upper
    assert 0.82 <= covered / 200 <= 0.96


def test_too_much_work_is_refused() -> None:
    many = Labelled.of(np.zeros(200_000), np.zeros(200_000))
    with pytest.raises(InvalidParams, match="at most 10000 are drawn") as refused:
        resampled_pooled(auc, many, Bootstrap(samples=100_000))
    assert refused.value.path == "bootstrap.samples"


def test_no_resample_with_a_value_gives_no_interval() -> None:
    assert np.isnan(interval(np.array([np.nan]), 0.9)).all()
