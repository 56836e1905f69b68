import numpy as np
import pytest
from sklearn.covariance import oas as peers_oas

from normalizers.kernels import linalg
from normalizers.kernels.row_norms import row_norms, unit_rows


@pytest.fixture
def covariance():
    rng = np.random.default_rng(9)
    return np.cov(rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)), rowvar=False)


@pytest.mark.parametrize("size", [1e-140, 1.0, 1e140])
@pytest.mark.parametrize("variant", ["pca", "zca"])
def test_inverse_root_whitens_and_root_is_its_inverse(covariance, size, variant):
    eigen = linalg.eigh_descending(covariance * size)
    whitening = linalg.inverse_root(eigen, variant=variant)
    identity = whitening.T @ (covariance * size) @ whitening
    np.testing.assert_allclose(identity, np.eye(4), atol=1e-12)
    back = whitening @ linalg.root(eigen, variant=variant)
    np.testing.assert_allclose(back, np.eye(4), atol=1e-12)
    assert np.all(np.diff(eigen.values) <= 0)


def test_strength_zero_does_not_scale(covariance):
    eigen = linalg.eigh_descending(covariance)
    np.testing.assert_allclose(linalg.inverse_root(eigen, 0.0), np.eye(4), atol=1e-14)


def test_zca_is_exactly_symmetric(covariance):
    whitening = linalg.inverse_root(linalg.eigh_descending(covariance))
    np.testing.assert_array_equal(whitening, whitening.T)


def test_sign_rule_with_ties_by_lowest_index():
    vectors = np.array([[-0.6, -0.5, 0.0], [0.6 * (1 + 1e-10), 0.8, -1.0]])
    signed = linalg.with_sign_rule(vectors)
    assert signed[0, 0] > 0
    assert signed[1].tolist() == [-vectors[1, 0], 0.8, 1.0]


def test_negative_rounding_is_clipped_and_the_rank_is_kept():
    values = linalg.eigh_descending(np.array([[1.0, 1.0], [1.0, 1.0]])).values
    assert values.min() >= 0
    assert linalg.keep_rank(values, 1e-6) == 1
    assert linalg.keep_rank(np.zeros(3), 1e-6) == 0


def test_oas_agrees_with_scikit_learn():
    x = np.random.default_rng(1).normal(size=(30, 5)) * [1, 2, 3, 4, 5]
    covariance0 = np.cov(x.T, ddof=0)
    assert linalg.oas(30, covariance0) == pytest.approx(peers_oas(x)[1], rel=1e-12)
    assert linalg.oas(30, covariance0 * 1e-140) == pytest.approx(peers_oas(x)[1], rel=1e-12)
    assert linalg.oas(30, np.eye(3)) == 1.0


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_unit_rows_at_any_size(size):
    x = np.array([[3.0, 4.0], [0.0, 0.0], [-5.0, 0.0]]) * size
    expected = [[0.6, 0.8], [0.0, 0.0], [-1.0, 0.0]]
    np.testing.assert_allclose(unit_rows(x), expected, rtol=1e-15)
    np.testing.assert_allclose(row_norms(x), np.array([5.0, 0.0, 5.0]) * size, rtol=1e-15)


def test_unit_rows_keep_the_type_and_do_not_depend_on_the_batch():
    x = np.random.default_rng(2).normal(size=(50, 97)).astype(np.float32)
    together = unit_rows(x)
    assert together.dtype == np.float32
    assert all(
        unit_rows(row[None]).tolist() == [unit.tolist()]
        for row, unit in zip(x, together, strict=True)
    )
    assert unit_rows(np.array([[3, 4]])).tolist() == [[0.6, 0.8]]
