import numpy as np
import scipy.special

from normalizers.kernels import logspace


def test_log_sum_exp_and_softmax_agree_with_scipy():
    x = np.random.default_rng(0).normal(size=(3, 5)) * 500
    for axis in (0, 1, -1):
        expected = scipy.special.logsumexp(x, axis=axis)
        np.testing.assert_allclose(logspace.log_sum_exp(x, axis), expected, rtol=1e-14)
        expected = scipy.special.log_softmax(x, axis=axis)
        np.testing.assert_allclose(logspace.log_softmax(x, axis), expected, rtol=1e-12, atol=1e-12)


def test_no_mass_is_minus_infinity():
    assert logspace.log_sum_exp(np.array([-np.inf, -np.inf])) == -np.inf
    assert logspace.log_sum_exp(np.empty((0, 2)), axis=0).tolist() == [-np.inf, -np.inf]
    assert logspace.log_add(np.array(-np.inf), np.array(-np.inf)) == -np.inf
    assert logspace.log_softmax(np.array([0.0, -np.inf])).tolist() == [0.0, -np.inf]


def test_sigmoid_does_not_overflow_and_logit_is_its_inverse():
    assert logspace.sigmoid(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, 0.5, 1.0]
    x = np.array([-30.0, 0.1, 5.0])
    np.testing.assert_allclose(logspace.logit(logspace.sigmoid(x)), x, rtol=1e-12)
