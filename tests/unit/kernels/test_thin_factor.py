"""Eigenpairs of matrices of a rank far below their size."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.kernels.linalg import Eigen, eigh_descending, inverse_root, root


@pytest.mark.parametrize("rows", [2, 3, 9])
@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150])
def test_r47_few_rows_give_the_eigenpairs_that_the_whole_matrix_has(rows: int, size: float) -> None:
    x = np.random.default_rng(rows).normal(size=(rows, 80)) * np.logspace(0, -4, 80) * size
    centred = x - x.mean(axis=0)
    matrix = centred.T @ centred
    whole, thin = eigh_descending(matrix), eigh_descending(matrix, rows - 1)
    largest = whole.values[0]
    np.testing.assert_allclose(thin.values, whole.values, rtol=0, atol=1e-13 * largest)
    np.testing.assert_allclose(thin.vectors.T @ thin.vectors, np.eye(80), atol=1e-13)
    rebuilt = thin.vectors * thin.values @ thin.vectors.T
    np.testing.assert_allclose(rebuilt, matrix, rtol=0, atol=1e-13 * largest)
    kept = slice(0, rows - 1)
    np.testing.assert_allclose(thin.vectors[:, kept], whole.vectors[:, kept], atol=1e-6)


def test_r47_a_rank_that_is_said_too_low_falls_back_to_the_whole_matrix() -> None:
    x = np.random.default_rng(0).normal(size=(200, 40))
    matrix = x.T @ x
    assert eigh_descending(matrix, 2).values.tolist() == eigh_descending(matrix).values.tolist()


def test_r47_a_root_of_few_directions_is_that_of_all() -> None:
    eigen = eigh_descending(np.diag([4.0, 1.0, *[0.25] * 30]))
    turned = Eigen(eigen.values, np.linalg.qr(np.random.default_rng(3).normal(size=(32, 32)))[0])
    for strength in (1.0, 0.3):
        lengths = turned.values ** (-strength / 2)
        whole = (turned.vectors * lengths) @ turned.vectors.T
        np.testing.assert_allclose(inverse_root(turned, strength), whole, rtol=0, atol=1e-14)
        back = root(turned, strength) @ inverse_root(turned, strength)
        np.testing.assert_allclose(back, np.eye(32), rtol=0, atol=1e-13)
