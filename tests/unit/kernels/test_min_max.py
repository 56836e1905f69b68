import numpy as np
import pytest

from normalizers.kernels.min_max import clamp, rescale, unscale


@pytest.mark.parametrize(
    "lower, upper", [(0.1, 0.7), (-1e300, 1e300), (1e-300, 3e-300), (-1.7e308, 1.7e308), (0.7, 0.1)]
)
@pytest.mark.parametrize("ends", [(0.0, 1.0), (-0.1, 0.3)])
def test_ends_are_exact_and_inner_values_stay_inside(lower, upper, ends):
    x = np.array([lower, upper, np.nextafter(upper, lower), lower / 2 + upper / 2])
    y = rescale(x, lower, upper, ends)
    assert y[:2].tolist() == list(ends)
    assert ends[0] <= y.min()
    assert y.max() <= ends[1]
    assert y[3] == pytest.approx((ends[0] + ends[1]) / 2)
    assert unscale(np.array(ends), lower, upper, ends).tolist() == [lower, upper]


def test_values_beyond_the_ends_stay_on_the_line():
    assert rescale(np.array([-1.0, 3.0]), 0.0, 2.0).tolist() == [-0.5, 1.5]
    assert unscale(np.array([-0.5, 1.5]), 0.0, 2.0).tolist() == [-1.0, 3.0]


def test_a_constant_gives_the_lower_end():
    lower = np.array([2.0, 0.0])
    assert rescale(np.array([2.0, 1.0]), lower, np.array([2.0, 2.0])).tolist() == [0.0, 0.5]


def test_missing_values_stay():
    assert np.isnan(rescale(np.array([np.nan]), 0.0, 1.0)).all()
    assert np.isnan(clamp(np.array([np.nan]), 0.0, 1.0)).all()


def test_clamp_with_one_end():
    assert clamp(np.array([-1.0, 2.0]), low=0.0).tolist() == [0.0, 2.0]
    assert clamp(np.array([-1.0, 2.0]), high=1.0).tolist() == [-1.0, 1.0]
