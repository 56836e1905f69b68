from __future__ import annotations

import numpy as np
import pytest

from normalizers import HadamardRotation, RandomProjection, RandomRotation
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.hadamard import hadamard_factors, rotate

USUAL = (384, 512, 640, 768, 896, 1024, 1152, 1280, 1536, 2048, 2560, 3072, 3584, 4096)
ROWS = np.random.default_rng(0).normal(size=(5, 12))


@pytest.mark.parametrize("d", [1, 2, 4, 12, 20, 28, 36, 144, 200, 300, 312])
def test_products_are_those_with_an_orthogonal_matrix_of_one_size(d: int) -> None:
    factors = hadamard_factors(d)
    assert factors is not None
    matrix = np.kron(*factors)
    np.testing.assert_array_equal(np.abs(matrix), 1.0)
    np.testing.assert_array_equal(matrix @ matrix.T, d * np.eye(d))
    rows = np.random.default_rng(d).normal(size=(7, d))
    rotated = rotate(rows, factors)
    np.testing.assert_allclose(rotated, rows @ matrix / np.sqrt(d), atol=1e-13)
    np.testing.assert_allclose(rotate(rotated, factors, back=True), rows, atol=1e-13)


@pytest.mark.parametrize("d", USUAL)
def test_the_usual_dims_have_a_matrix(d: int) -> None:
    factors = hadamard_factors(d)
    assert factors is not None
    assert len(factors.left) * len(factors.right) == d


@pytest.mark.parametrize("d", [3, 6, 10, 14, 92])
def test_other_dims_have_none_here(d: int) -> None:
    assert hadamard_factors(d) is None


def test_where_there_is_none_it_is_refused_padded_or_another_rotation() -> None:
    rows = ROWS[:, :6]
    with pytest.raises(InvalidInput, match="multiples of 4"):
        HadamardRotation().transform(rows)
    padded = HadamardRotation(inexact="pad").apply_to(rows)
    assert padded["y"].shape == (5, 8)
    assert padded.warnings[0].code == "padded"
    np.testing.assert_allclose(np.linalg.norm(padded["y"], axis=1), np.linalg.norm(rows, axis=1))
    other = HadamardRotation(inexact="fallback", seed=3)
    answer = other.apply_to(rows)
    assert answer.warnings[0].code == "inexact"
    np.testing.assert_allclose(other.inverse_transform(answer["y"]), rows, atol=1e-13)
    assert not HadamardRotation(inexact="fallback").apply_to(ROWS).warnings


def test_signs_are_those_of_the_seed_or_as_given() -> None:
    plain = HadamardRotation()
    signed = HadamardRotation(signs=[-1] + [1] * 11)
    changed = ROWS * np.array([-1.0] + [1.0] * 11)
    np.testing.assert_array_equal(signed.transform(ROWS), plain.transform(changed))
    seeded = HadamardRotation(seed=5)
    np.testing.assert_allclose(seeded.inverse_transform(seeded.transform(ROWS)), ROWS, atol=1e-13)
    assert not np.allclose(seeded.transform(ROWS), plain.transform(ROWS))
    with pytest.raises(InvalidParams, match="2 signs for 12 dims"):
        HadamardRotation(signs=[1, -1]).transform(ROWS)
    with pytest.raises(InvalidParams, match="both say the signs"):
        HadamardRotation(signs=[1, -1], seed=1).transform(ROWS)


def test_a_missing_row_is_missing_and_others_are_not() -> None:
    rows = ROWS.copy()
    rows[1, 2] = np.nan
    found = HadamardRotation(nan_policy="omit").transform(rows)
    np.testing.assert_array_equal(np.isnan(found).all(axis=1), [False, True, False, False, False])
    with pytest.raises(InvalidInput):
        HadamardRotation().transform(rows)


def test_windows_keep_their_axes_and_float32_its_type() -> None:
    windows = ROWS.reshape(5, 3, 4).astype(np.float32)
    found = HadamardRotation(seed=1).transform(windows)
    assert found.shape == (5, 3, 4)
    assert found.dtype == np.float32


def test_a_random_rotation_keeps_lengths_and_is_that_of_its_seed() -> None:
    one, other = RandomRotation(seed=1), RandomRotation(seed=2)
    found = one.transform(ROWS)
    np.testing.assert_allclose(found @ found.T, ROWS @ ROWS.T, atol=1e-12)
    np.testing.assert_array_equal(found, RandomRotation(seed=1).transform(ROWS))
    assert not np.allclose(found, other.transform(ROWS))


def test_a_projection_keeps_squared_lengths_on_average() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 400))
    found = RandomProjection(n_components=200).transform(rows)
    ratio = (found**2).sum(axis=1) / (rows**2).sum(axis=1)
    assert abs(float(ratio.mean()) - 1) < 0.05
    with pytest.raises(InvalidParams, match="n_components"):
        RandomProjection().transform(rows)
