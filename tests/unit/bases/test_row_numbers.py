"""What a sample of rows tells of all."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.bases.row_numbers import evenly, hub_skewness, row_lengths

X = np.random.default_rng(6).normal(size=(300, 5)) * [4.0, 1.0, 1.0, 1.0, 1.0] + 1.0


def test_the_skewness_is_that_of_how_often_rows_are_near_to_others() -> None:
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    cosines = unit @ unit.T - 9.0 * np.eye(300)
    counts = np.bincount(np.argsort(-cosines, axis=1)[:, :10].ravel(), minlength=300)
    centred = counts - counts.mean()
    expected = np.mean(centred**3) / np.mean(centred**2) ** 1.5
    assert hub_skewness(X) == pytest.approx(expected)
    assert hub_skewness(X * 1e-200) == pytest.approx(expected)


def test_few_rows_tell_nothing_of_hubs() -> None:
    assert hub_skewness(X[:99]) is None
    assert row_lengths(X[:0]) is None


def test_rows_are_taken_evenly_and_whole() -> None:
    gappy = np.where(np.arange(300)[:, None] == 3, np.nan, X).astype(np.float32)
    assert (evenly(gappy, 100) == np.delete(gappy[::3], 1, axis=0)).all()
    assert evenly(gappy, 100).dtype == np.float64
