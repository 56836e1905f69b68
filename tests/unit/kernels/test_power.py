"""Box-Cox and Yeo-Johnson against SciPy, near their logarithms, and there and back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from normalizers.kernels.power import box_cox, box_cox_back, yeo_johnson, yeo_johnson_back

POWERS = (-2.0, -0.5, -1e-9, 0.0, 1e-9, 0.3, 1.0, 2.0, 2.5)
POSITIVE = np.array([1e-9, 0.02, 0.5, 1.0, 3.0, 1e4])
SIGNED = np.array([-1e4, -3.0, -1e-9, 0.0, 1e-9, 0.5, 40.0])


@pytest.mark.parametrize("lam", POWERS)
def test_they_are_those_of_scipy(lam: float) -> None:
    np.testing.assert_allclose(box_cox(POSITIVE, lam), special.boxcox(POSITIVE, lam), rtol=1e-13)
    if abs(lam) > 1e-6:  # SciPy cancels there
        expected = stats.yeojohnson(SIGNED, lam)
        np.testing.assert_allclose(yeo_johnson(SIGNED, lam), expected, rtol=1e-7, atol=1e-15)


@pytest.mark.parametrize("lam", POWERS)
def test_there_and_back_gives_the_value(lam: float) -> None:
    near = POSITIVE[POSITIVE > 1e-3]
    np.testing.assert_allclose(box_cox_back(box_cox(near, lam), lam), near, rtol=1e-7)
    some = SIGNED[np.abs(SIGNED) < 100]
    np.testing.assert_allclose(yeo_johnson_back(yeo_johnson(some, lam), lam), some, rtol=1e-10)


def test_a_power_near_0_does_not_cancel() -> None:
    x = np.array([2.0, 5.0])
    np.testing.assert_allclose(box_cox(x, 1e-15), np.log(x), rtol=1e-14)
    np.testing.assert_allclose(yeo_johnson(-x, 2 - 1e-15), -np.log1p(x), rtol=1e-13)


def test_what_has_no_image_or_no_source_is_missing() -> None:
    assert np.isnan(box_cox(np.array([0.0, -1.0, np.nan]), 0.5)).all()
    assert np.isnan(box_cox_back(np.array([-2.0, -3.0]), 0.5)).all()
    assert np.isnan(yeo_johnson_back(np.array([3.0]), -0.5)).all()


def test_a_power_for_each_column() -> None:
    x = np.array([[2.0, 2.0], [3.0, 3.0]])
    found = box_cox(x, np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, [[1.0, 1.5], [2.0, 4.0]])
