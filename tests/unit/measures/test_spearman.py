from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from normalizers.measures.agreement import spearman
from normalizers.measures.rated import Rated


@pytest.mark.parametrize("decimals", [0, 1, 6])
def test_ranks_correlate_as_in_scipy(decimals: int) -> None:
    random = np.random.default_rng(2)
    scores = random.normal(size=80).round(decimals)
    qualities = (scores + random.normal(size=80)).round(decimals)
    expected = spearmanr(scores, qualities).statistic
    assert spearman(Rated.of(scores, qualities)) == pytest.approx(expected, rel=1e-12)


def test_weights_are_repetitions() -> None:
    random = np.random.default_rng(3)
    scores, qualities = random.normal(size=(2, 20)).round(1)
    often = random.integers(0, 4, 20)
    weighted = Rated.of(scores, qualities).weighted(often.astype(float))
    repeated = Rated.of(np.repeat(scores, often), np.repeat(qualities, often))
    assert spearman(weighted) == pytest.approx(spearman(repeated), rel=1e-12)


def test_a_constant_has_no_ranks() -> None:
    assert np.isnan(spearman(Rated.of(np.ones(3), np.arange(3.0))))
