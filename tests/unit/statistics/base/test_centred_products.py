"""Centred products: as exact as two passes, wherever the centre is guessed."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.arrays import Array
from normalizers.statistics.base import centred_products as products
from normalizers.statistics.base.centred_products import centred_products


def reference(x: Array) -> tuple[Array, Array]:
    wide = x.astype(np.longdouble)
    mean = wide.mean(axis=0)
    return mean, (wide - mean).T @ (wide - mean)


def assert_exact(x: Array, tolerance: float = 1e-14) -> None:
    mean, scatter = reference(x)
    got = centred_products(x)
    size = np.sqrt(np.diagonal(scatter)).astype(float)
    assert np.all(np.abs(got.scatter - scatter) <= tolerance * np.outer(size, size))
    assert np.all(np.abs(got.mean - mean) <= 1e-15 * np.max(np.abs(x), axis=0))
    assert np.array_equal(got.scatter, got.scatter.T)


def rows(n: int = 3000, d: int = 5, mean: float = 0.0, dtype: str = "float64") -> Array:
    return (np.random.default_rng(7).normal(size=(n, d)) + mean).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mean", [0.0, 3.0, 30.0])
def test_near_and_far_means(dtype: str, mean: float) -> None:
    assert_exact(rows(mean=mean, dtype=dtype))


def test_a_few_far_columns_among_many() -> None:
    x = rows(d=40)
    x[:, 7] += 1000.0
    assert_exact(x, 1e-13)


def test_first_rows_unlike_the_rest_do_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "PROBES", 1)
    x = rows()
    x[0] += 1e4
    assert_exact(x)
    x[1:] += 1e6
    assert_exact(x, 1e-11)


def test_a_float32_row_counts_as_its_float64(monkeypatch: pytest.MonkeyPatch) -> None:
    x = rows(mean=30.0, dtype="float32")
    narrow, wide = centred_products(x), centred_products(x.astype(np.float64))
    assert np.array_equal(narrow.scatter, wide.scatter)
    assert np.array_equal(narrow.mean, wide.mean)


@pytest.mark.parametrize("value", [0.0, 0.1, -3e38, 7e-40])
def test_a_column_of_one_value_has_exactly_that_mean_and_no_scatter(value: float) -> None:
    x = rows(dtype="float32")
    x[:, 2] = value
    got = centred_products(x)
    assert got.mean[2] == x[0, 2]
    assert not got.scatter[2].any()
    assert not got.scatter[:, 2].any()


@pytest.mark.parametrize("size", [1e-139, 1e-80, 1e80, 1e139])
def test_extreme_sizes_beside_ordinary_ones(size: float) -> None:
    x = rows()
    x[:, 1] *= size
    mean, scatter = reference(x * np.array([1, 1 / size, 1, 1, 1]))
    got = centred_products(x)
    unit = np.array([1, size, 1, 1, 1])
    assert np.allclose(got.scatter / unit / unit[:, None], scatter.astype(float), rtol=1e-12)
    assert np.allclose(got.mean / unit, mean.astype(float), atol=1e-15)


def test_blocks_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    x = rows(n=1000)
    whole = centred_products(x)
    monkeypatch.setattr(products, "BLOCK_VALUES", 7)
    assert np.allclose(centred_products(x).scatter, whole.scatter, rtol=1e-13, atol=1e-12)
