"""Posted moments and extrema that contradict each other are refused."""

import numpy as np
import pytest

from normalizers.errors import InvalidInput
from normalizers.scores.lists.base.same_sample import require_same_sample
from normalizers.statistics import Extrema, Moments


def _checked(n: int, mean: float, m2: float, low: float, high: float) -> None:
    observed = np.array([n])
    moments = Moments(observed, np.array([mean]), np.array([m2]))
    extrema = Extrema(observed, np.array([low]), np.array([high]))
    require_same_sample(moments, extrema, "statistics")


def test_r46_no_spread_beside_ends_that_differ_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least") as raised:
        _checked(4, 2.5, 0.0, 1.0, 4.0)
    assert raised.value.path == "statistics.moments.m2"


def test_r46_the_least_spread_that_the_ends_allow_is_taken() -> None:
    _checked(4, 2.5, 4.5, 1.0, 4.0)


@pytest.mark.parametrize("mean", [1.5, 3.5])
def test_r46_a_mean_nearer_an_end_than_the_other_end_allows_is_refused(mean: float) -> None:
    with pytest.raises(InvalidInput, match="too near an end") as raised:
        _checked(4, mean, 6.0, 1.0, 4.0)
    assert raised.value.path == "statistics.moments.mean"


@pytest.mark.parametrize("centre", [0.0, 1e6, -1e12])
@pytest.mark.parametrize("n", [1, 2, 3, 1000])
@pytest.mark.parametrize("scale", [1e-100, 1.0, 1e100])
def test_r46_moments_and_range_of_one_sample_agree(n: int, centre: float, scale: float) -> None:
    rows = (np.random.default_rng(n).standard_normal((n, 2)) + centre) * scale
    rows[1:, 1] = rows[0, 1]
    require_same_sample(Moments().update(rows), Extrema().update(rows), "statistics")
