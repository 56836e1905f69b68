"""The variants of whitening, and the way back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows


@pytest.mark.parametrize("variant", ["zca", "pca"])
def test_the_fit_set_gets_unit_covariance_and_zero_mean(variant: str) -> None:
    x = rows(offset=3.0)
    y = Whitening(variant=variant, **FULL).fit(x).transform(x)
    np.testing.assert_allclose(np.cov(y.T, ddof=1), np.eye(5), atol=1e-10)
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-10)


def test_variants_agree_up_to_a_rotation() -> None:
    x = rows()
    zca = Whitening(variant="zca", **FULL).fit(x).transform(x)
    pca = Whitening(variant="pca", **FULL).fit(x).transform(x)
    np.testing.assert_allclose(zca @ zca.T, pca @ pca.T, atol=1e-9)


def test_zca_is_symmetric_and_leaves_white_rows_as_they_are() -> None:
    x = rows()
    white = Whitening(**FULL).fit(x).transform(x)
    again = Whitening(**FULL).fit(white)
    np.testing.assert_allclose(again.fitted_["W"], np.eye(5), atol=1e-9)
    np.testing.assert_array_equal(again.fitted_["W"], again.fitted_["W"].T)


def test_zca_follows_a_rotation_of_the_input() -> None:
    x = rows()
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    turned = Whitening(**FULL).fit(x @ rotation).transform(x @ rotation)
    np.testing.assert_allclose(turned, Whitening(**FULL).fit(x).transform(x) @ rotation, atol=1e-9)


@pytest.mark.parametrize("params", [{}, FULL, {"strength": 0.3}, {"variant": "pca"}])
def test_inverse_round_trip(params: dict[str, object]) -> None:
    x = rows(offset=2.0)
    method = Whitening(**params).fit(x)
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), x, atol=1e-10)


def test_inverse_below_the_rank_is_the_projection_on_the_kept_directions() -> None:
    x = rows()
    method = Whitening(n_components=2, **FULL).fit(x)
    back = method.inverse_transform(method.transform(x))
    directions = np.linalg.eigh(np.cov(x.T))[1][:, -2:]
    mean = x.mean(axis=0)
    np.testing.assert_allclose(back, mean + (x - mean) @ directions @ directions.T, atol=1e-9)
