"""Clusters without their means and main directions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA

from normalizers import ClusterIsotropy
from normalizers.errors import FitError, InvalidParams

RANDOM = np.random.default_rng(4)
X = np.concatenate([RANDOM.normal(8.0 * k, [3.0, 1.0, 0.5], size=(30, 3)) for k in range(3)])


def test_each_cluster_loses_what_is_main_in_it() -> None:
    y = ClusterIsotropy(n_clusters=3, n_remove=1).fit(X).transform(X)
    for part in (slice(0, 30), slice(30, 60), slice(60, 90)):
        main = PCA(1).fit(X[part])
        centred = X[part] - main.mean_
        expected = centred - (centred @ main.components_.T) @ main.components_
        np.testing.assert_allclose(y[part], expected, atol=1e-10)


def test_labels_that_are_given_are_the_clusters() -> None:
    labels = np.repeat([7, -1, 3], 30)
    given = ClusterIsotropy(clusters="given").fit(X, labels=labels)
    found = ClusterIsotropy(n_clusters=3).fit(X)
    np.testing.assert_allclose(given.transform(X), found.transform(X), atol=1e-10)
    assert given.report_["sizes"] == [30, 30, 30]
    with pytest.raises(InvalidParams, match="the labels say"):
        ClusterIsotropy(clusters="given", n_clusters=3).fit(X, labels=labels)


def test_a_cluster_of_one_has_no_direction() -> None:
    method = ClusterIsotropy(clusters="given").fit(X[:4], labels=[0, 0, 0, 1])
    assert method.report_["n_removed"] == [1, 0]
    assert [noted["code"] for noted in method.report_["warnings"]] == ["n_remove_clamped"]  # type: ignore[index, attr-defined]
    np.testing.assert_allclose(method.transform(X[3:4]), 0.0, atol=1e-12)


def test_parts_merge_to_the_clusters_of_the_whole() -> None:
    whole = ClusterIsotropy(n_clusters=3).fit(X)
    merged = ClusterIsotropy(n_clusters=3).fit(X[60:]).merge(
        ClusterIsotropy(n_clusters=3).fit(X[:60])
    )  # fmt: skip
    np.testing.assert_array_equal(merged.fitted_["centers"], whole.fitted_["centers"])


def test_fewer_rows_than_clusters_are_refused() -> None:
    with pytest.raises(FitError, match="1 different rows make no 2 clusters"):
        ClusterIsotropy(n_clusters=2).fit(np.repeat(X[:1], 5, axis=0))
