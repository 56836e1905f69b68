import numpy as np
import pytest
from scipy.optimize import minimize

from normalizers.errors import FitError
from normalizers.kernels.likelihood import Local, bounded_root, logistic_loss, newton, softplus

RNG = np.random.default_rng(8)
DESIGN = np.column_stack([RNG.normal(size=(200, 2)), np.ones(200)])
LABELS = (RNG.random(200) < 1 / (1 + np.exp(-DESIGN @ [1.0, -2.0, 0.5]))).astype(float)
NONE = np.zeros(3)


def test_the_gradient_and_hessian_are_those_of_the_loss():
    loss = logistic_loss(DESIGN, LABELS, 1 - LABELS, np.array([0.3, 0.0, 0.1]))
    place, step = np.array([0.2, -0.4, 0.1]), 1e-6
    here = loss(place)
    for index in range(3):
        shift = step * np.eye(3)[index]
        up, down = loss(place + shift), loss(place - shift)
        assert (up.value - down.value) / (2 * step) == pytest.approx(here.gradient[index], 1e-6)
        slopes = (up.gradient - down.gradient) / (2 * step)
        np.testing.assert_allclose(slopes, here.hessian[index], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("start", [[0.0, 0.0, 0.0], [50.0, 50.0, -80.0], [-3.0, 9.0, 400.0]])
def test_newton_finds_the_optimum_from_anywhere(start):
    loss = logistic_loss(DESIGN, LABELS, 1 - LABELS, NONE)
    optimum = newton(loss, np.array(start))
    assert optimum.converged
    assert np.abs(optimum.gradient).max() < 1e-14
    expected = minimize(lambda p: loss(p).value, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(optimum.place, expected, atol=1e-4)


def test_weights_are_repeated_rows():
    weights = RNG.integers(1, 5, size=200)
    rows = np.repeat(np.arange(200), weights)
    weighted = newton(logistic_loss(DESIGN, weights * LABELS, weights * (1 - LABELS), NONE), NONE)
    repeated = newton(logistic_loss(DESIGN[rows], LABELS[rows], 1 - LABELS[rows], NONE), NONE)
    np.testing.assert_allclose(weighted.place, repeated.place, rtol=1e-12)


def test_a_direction_without_any_effect_stays_where_it_started():
    twice = DESIGN[:, [0, 0, 2]]
    optimum = newton(logistic_loss(twice, LABELS, 1 - LABELS, NONE), NONE)
    assert optimum.converged
    assert optimum.place[0] == pytest.approx(optimum.place[1])


def test_a_loss_without_a_minimum_does_not_converge():
    def falling(place):
        return Local(-float(place[0]), np.array([-1.0]), np.array([[1e-9]]))

    assert not newton(falling, np.zeros(1)).converged


def test_softplus_does_not_overflow():
    assert softplus(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, np.log(2.0), 800.0]


def test_roots_are_found_within_the_bounds_and_at_them():
    wanted = np.array([-1e9, -3.0, 0.1, 2.5, 1e9])
    ends = np.full(5, 10.0)
    found = bounded_root(lambda x: x - wanted, -ends, ends)
    assert found.tolist() == [-10.0, -3.0, 0.1, 2.5, 10.0]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_loss_that_is_not_finite_is_no_fit(value):
    loss = logistic_loss(np.array([[value, 1.0], [1.0, 1.0]]), LABELS[:2], 1 - LABELS[:2], NONE[:2])
    with np.errstate(invalid="ignore"), pytest.raises(FitError, match="not finite"):
        newton(loss, NONE[:2])
