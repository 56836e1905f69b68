from __future__ import annotations

import numpy as np
import pytest

from normalizers import Percentile, Standardization, UnitNorm
from normalizers.errors import UnsupportedOperation
from normalizers.evaluation import LiveSample


def test_the_last_rows_count_and_the_oldest_go() -> None:
    version = Percentile().fit([1.0, 2.0, 3.0, 4.0]).version_
    live = LiveSample(version, rows=4)
    live.add(version.read({"scores": [100.0] * 4}))
    assert live.drift() == {"ks": 1.0, "out_of_range": 1.0}
    kept = live.copy()
    for score in (1.0, 2.0, 3.0, 4.0):
        live.add(version.read({"scores": [score]}))
    assert live.drift() == {"ks": 0.0, "out_of_range": 0.0}
    assert kept.drift()["ks"] == 1.0


def test_of_a_large_input_rows_evenly_apart_are_kept() -> None:
    version = Percentile().fit(np.arange(1000.0)).version_
    live = LiveSample(version, rows=100)
    live.add(version.read({"scores": np.arange(1000.0)}))
    assert live.drift()["ks"] < 0.02


def test_the_column_that_differs_most_is_told() -> None:
    rows = np.random.default_rng(0).normal(size=(500, 3))
    version = Standardization().fit(rows).version_
    live = LiveSample(version)
    live.add(version.read({"x": rows + np.array([0.0, -3.0, 0.0])}))
    assert live.drift()["mean_shift"] == pytest.approx(3.0, rel=0.1)


def test_nothing_is_told_of_nothing() -> None:
    version = Percentile(nan_policy="propagate").fit([1.0, 2.0]).version_
    live = LiveSample(version)
    assert live.drift() == {}
    live.add(version.read({"scores": [np.nan]}))
    assert live.drift() == {}


def test_an_input_without_numbers_is_refused() -> None:
    version = UnitNorm().fit().version_
    with pytest.raises(UnsupportedOperation):
        LiveSample(version).add(version.read({"x": [[1.0]]}).__class__({}, {}))
