"""Cholesky and correlation forms, groups of dims, weights, shrinkage of Ledoit and Wolf."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf

from normalizers import Whitening
from normalizers.errors import InvalidParams, RankDeficient
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows

OTHERS = ("cholesky", "cholesky_prec", "pca_cor", "zca_cor")


@pytest.mark.parametrize("variant", OTHERS)
def test_every_variant_whitens_and_comes_back(variant: str) -> None:
    scales = [1.0, 1e3, 1e-6, 1.0, 5.0] if variant.endswith("cor") else [1.0, 2.0, 0.5, 1.0, 5.0]
    x = rows(300, 5, offset=2.0) * np.array(scales)
    method = Whitening(variant=variant, **FULL).fit(x)
    y = method.transform(x)
    np.testing.assert_allclose(np.cov(y.T), np.eye(5), atol=1e-9)
    np.testing.assert_allclose(method.inverse_transform(y), x, rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("variant", OTHERS)
def test_strength_0_only_centres_or_turns(variant: str) -> None:
    x = rows(100, 4)
    y = Whitening(variant=variant, strength=0, shrinkage="none").fit(x).transform(x)
    lengths = np.linalg.norm(x - x.mean(axis=0), axis=1)
    np.testing.assert_allclose(np.linalg.norm(y, axis=1), lengths, rtol=1e-9)


@pytest.mark.parametrize("variant", OTHERS)
def test_self_supervised_1_duplicate_columns_are_refused_with_what_would_do(variant: str) -> None:
    x = rows(50, 2)[:, [0, 1, 0, 1]]
    with pytest.raises(RankDeficient, match=r"zca.*shrinkage") as caught:
        Whitening(variant=variant, **FULL).fit(x)
    assert "2" in str(caught.value)
    Whitening(variant=variant, eps_rel=1.0, shrinkage="none").fit(x)


def test_groups_of_dims_are_whitened_each_by_itself() -> None:
    x = rows(200, 5, offset=1.0)
    method = Whitening(dim_group_size=2, **FULL).fit(x)
    for start, stop in ((0, 2), (2, 4), (4, 5)):
        alone = Whitening(**FULL).fit(x[:, start:stop])
        np.testing.assert_allclose(
            method.transform(x)[:, start:stop], alone.transform(x[:, start:stop]), atol=1e-9
        )
    np.testing.assert_allclose(method.inverse_transform(method.transform(x)), x, rtol=1e-9)
    assert len(method.report_["groups_of_dims"]) == 3


def test_a_group_of_dims_without_spread_gives_zeros() -> None:
    x = np.concatenate([rows(50, 2), np.full((50, 2), 7.0)], axis=1)
    y = Whitening(dim_group_size=2, **FULL).fit(x).transform(x)
    assert not y[:, 2:].any()


def test_ledoit_wolf_of_merged_parts_is_that_of_all_rows() -> None:
    x = rows(60, 6, offset=3.0)
    exact = ledoit_wolf(x)[1]
    params = {"shrinkage": "ledoit_wolf", "eps": 0.0}
    parts = [Whitening(**params).fit(part) for part in (x[:7], x[7:20], x[20:])]
    merged = parts[0].merge(*parts[1:])
    softening = merged.report_["softening"]
    assert softening["shrinkage"] == "ledoit_wolf"
    assert softening["shrinkage_weight"] == pytest.approx(exact, rel=1e-9)
    assert merged.version_.resolved["moments"] == 4
    with pytest.raises(InvalidParams, match="moments 4"):
        Whitening(moments=2, shrinkage="ledoit_wolf").fit(x)


def test_k11_weights_count_as_repeated_rows() -> None:
    x, weights = rows(30, 3), np.arange(30) % 3
    weighted = Whitening(weight_kind="frequency", **FULL).fit(x, sample_weights=weights)
    repeated = Whitening(**FULL).fit(np.repeat(x, weights, axis=0))
    np.testing.assert_allclose(weighted.fitted_["W"], repeated.fitted_["W"], rtol=1e-9)
    twice = Whitening(weight_kind="reliability", **FULL)
    trusted = twice.fit(x, sample_weights=np.full(30, 0.5))
    np.testing.assert_allclose(
        trusted.fitted_["W"], Whitening(**FULL).fit(x).fitted_["W"], rtol=1e-9
    )


def test_faiss_559_eigen_power_is_another_spelling_of_strength() -> None:
    x = rows(60, 4)
    method = Whitening(variant="pca", eigen_power=-0.25, eps=0, shrinkage="none").fit(x)
    assert method.version_.resolved["strength"] == 0.5
    plain = Whitening(variant="pca", strength=0.5, eps=0, shrinkage="none").fit(x)
    assert (method.fitted_["W"] == plain.fitted_["W"]).all()
