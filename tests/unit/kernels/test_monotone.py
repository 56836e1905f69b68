import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from normalizers.kernels.monotone import corners, piecewise_linear, pooled_means


@pytest.mark.parametrize("seed", range(5))
def test_pools_agree_with_an_independent_solver(seed):
    rng = np.random.default_rng(seed)
    means, weights = rng.normal(size=60).round(1), rng.integers(1, 9, size=60).astype(float)
    expected = isotonic_regression(means, weights=weights).x
    np.testing.assert_allclose(pooled_means(means * weights, weights), expected, rtol=1e-12)


def test_a_pool_has_one_value_and_equal_pools_are_one():
    heights = pooled_means(np.array([1.0, 2.0, 2.0, 1.0]), np.array([3.0, 3.0, 2.0, 2.0]))
    assert heights.tolist() == [1 / 3, 2 / 3, 0.75, 0.75]
    joined = pooled_means(np.array([2.0, 2.0, 0.0]), np.array([3.0, 2.0, 1.0]))
    assert len(set(joined.tolist())) == 1
    assert pooled_means(np.array([2.0]), np.array([4.0])).tolist() == [0.5]


def test_corners_are_ends_and_steps():
    heights = np.array([0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0])
    assert corners(heights).tolist() == [True, False, True, True, True, False, True]
    assert corners(np.array([0.3])).tolist() == [True]


KNOTS, HEIGHTS = np.array([0.0, 1.0, 3.0]), np.array([0.0, 0.5, 0.6])
ASKED = np.array([-1.0, 0.0, 0.5, 2.0, 3.0, 5.0, np.nan])


@pytest.mark.parametrize(
    ("out_of_bounds", "expected"),
    [
        ("clip", [0.0, 0.0, 0.25, 0.55, 0.6, 0.6, np.nan]),
        ("linear", [-0.5, 0.0, 0.25, 0.55, 0.6, 0.7, np.nan]),
        ("missing", [np.nan, 0.0, 0.25, 0.55, 0.6, np.nan, np.nan]),
    ],
)
def test_a_line_goes_through_its_knots(out_of_bounds, expected):
    heights = piecewise_linear(KNOTS, HEIGHTS, ASKED, out_of_bounds)
    np.testing.assert_allclose(heights, expected, rtol=1e-15)


def test_one_knot_is_a_constant():
    for out_of_bounds in ("clip", "linear"):
        heights = piecewise_linear(np.array([2.0]), np.array([0.4]), ASKED[:3], out_of_bounds)
        assert heights.tolist() == [0.4] * 3


@pytest.mark.parametrize("exponent", [-1074, -1060, -300, 0, 1000])
def test_r10_lines_between_subnormal_knots_keep_every_bit(exponent):
    unit = np.ldexp(1.0, exponent)
    knots, asked = unit * np.array([0.0, 4.0]), unit * np.arange(-1.0, 6.0)
    line = piecewise_linear(knots, np.array([0.0, 1.0]), asked, "linear")
    assert line.tolist() == [-0.25, 0.0, 0.25, 0.5, 0.75, 1.0, 1.25]


def test_r10_lines_of_knots_too_far_apart_for_a_difference():
    knots = np.array([-1.5e308, 1.5e308])
    line = piecewise_linear(knots, np.array([0.0, 1.0]), np.array([-0.75e308, 0.0]), "linear")
    assert line.tolist() == [0.25, 0.5]
    beyond = piecewise_linear(
        np.array([0.0, 1e308]), np.array([0.0, 0.5]), np.array([-1.7e308]), "linear"
    )
    assert beyond.tolist() == [-0.85]
    flat = piecewise_linear(
        np.array([0.0, 5e-324]), np.array([0.5, 0.5]), np.array([9.0]), "linear"
    )
    assert flat.tolist() == [0.5]
