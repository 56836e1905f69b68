"""The most likely power, against SciPy and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from normalizers.kernels.power_fit import box_cox_power, yeo_johnson_power

RNG = np.random.default_rng(4)
POSITIVE = {
    "lognormal": np.exp(RNG.normal(size=400)),
    "squares": RNG.normal(5.0, 1.0, size=300) ** 2,
    "far from 1": 1e6 + RNG.gamma(2.0, 1e5, size=300),
}


@pytest.mark.parametrize("name", POSITIVE)
def test_box_cox_is_that_of_scipy(name: str) -> None:
    expected = stats.boxcox(POSITIVE[name])[1]
    assert box_cox_power(POSITIVE[name]) == pytest.approx(np.clip(expected, -5, 5), abs=1e-5)


def test_yeo_johnson_is_that_of_scipy() -> None:
    column = RNG.gamma(2.0, 1.0, size=300) - 1.0
    assert yeo_johnson_power(column) == pytest.approx(stats.yeojohnson(column)[1], abs=1e-5)


@pytest.mark.parametrize("factor", [2.0**900, 2.0**-900])
def test_box_cox_does_not_depend_on_the_unit(factor: float) -> None:
    column = POSITIVE["squares"]
    assert box_cox_power(column * factor) == pytest.approx(box_cox_power(column), abs=1e-6)
