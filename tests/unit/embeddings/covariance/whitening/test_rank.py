"""Components, the rank, and directions without variance."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import InvalidParams, NotEnoughData, RankDeficient
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows, warning_codes


def test_n_components_as_a_number_or_a_share_of_the_variance() -> None:
    x = rows(500, 3) @ np.diag([10.0, 3.0, 0.1])
    assert Whitening(n_components=2).fit(x).transform(x).shape == (500, 2)
    assert Whitening(n_components=0.9999).fit(x).transform(x).shape[1] == 2
    rank_two = Whitening(n_components=2, variant="zca", **FULL).fit(x)
    assert rank_two.transform(x).shape == (500, 3)
    assert np.linalg.matrix_rank(rank_two.fitted_["W"], tol=1e-6) == 2


@pytest.mark.parametrize(
    "n_components, variant", [(2, "pca"), (5, "zca"), (0.5, "pca"), (None, "zca")]
)
def test_the_variant_follows_from_the_number_of_components(
    n_components: object, variant: str
) -> None:
    method = Whitening(n_components=n_components).fit(rows())
    assert method.version_.resolved["variant"] == variant


@pytest.mark.parametrize("wrong", [0, 1.0, 1.5, -1, True, "2"])
def test_components_that_cannot_be_are_refused(wrong: object) -> None:
    with pytest.raises(InvalidParams) as caught:
        Whitening(n_components=wrong).fit(rows())
    assert caught.value.path == "params.n_components"


def test_more_components_than_the_rank_are_reduced_or_refused() -> None:
    x = rows(4, 6)
    method = Whitening(n_components=5, **FULL).fit(x)
    assert method.transform(x).shape == (4, 3)
    assert {"components_reduced", "null_directions_dropped"} <= warning_codes(method)
    with pytest.raises(RankDeficient) as caught:
        Whitening(n_components=5, rank_policy="error", **FULL).fit(x)
    assert caught.value.rank == 3
    assert "shrinkage" in caught.value.remedy


def test_one_row_is_told_with_its_dims() -> None:
    with pytest.raises(NotEnoughData, match="there is one row of 200 dims"):
        Whitening().fit(np.arange(200.0))


def test_more_components_than_dims_are_clamped_with_a_warning_or_refused() -> None:
    x = rows(50, 3)
    method = Whitening(n_components=7).fit(x)
    clamped = [
        told for told in method.report_["warnings"] if told["code"] == "n_components_clamped"
    ]
    assert [(told["wanted"], told["dims"], told["kept"]) for told in clamped] == [(7, 3, 3)]
    assert method.report_["n_kept"] == 3
    assert "n_components_clamped" not in warning_codes(Whitening(n_components=3).fit(x))
    with pytest.raises(RankDeficient, match="fewer directions than the 7"):
        Whitening(n_components=7, rank_policy="error").fit(x)


def test_the_cut_acts_on_the_eigenvalues_that_are_inverted() -> None:
    x = rows(4, 6)
    assert Whitening(eps=0.0, shrinkage="none").fit(x).report_["rank"] == 3
    assert Whitening(eps=0.1, shrinkage="none").fit(x).report_["rank"] == 6
    assert Whitening(eps=0.0, shrinkage=0.1).fit(x).report_["n_dropped"] == 0


def test_scikit_learn_29534_null_directions_are_dropped_not_amplified() -> None:
    pairs = rows(15, 2)
    x = np.hstack([pairs, pairs])
    method = Whitening(**FULL).fit(x)
    y = method.transform([[1.0, 0.0, 1.0, 0.0], [0.5, -1.0, 0.3, 0.2]])
    root = np.linalg.pinv(np.cov(x.T), rcond=1e-6, hermitian=True)
    values, vectors = np.linalg.eigh(root)
    expected = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    centred = np.array([[1.0, 0, 1, 0], [0.5, -1, 0.3, 0.2]]) - x.mean(axis=0)
    np.testing.assert_allclose(y, centred @ expected, atol=1e-6)
    assert (method.report_["rank"], method.report_["n_dropped"]) == (2, 2)


@pytest.mark.parametrize("ddof", [0, 1])
def test_scikit_learn_11001_ddof_is_stored_and_holds(ddof: int) -> None:
    x = rows(5, 2)
    method = Whitening(ddof=ddof, **FULL).fit(x)
    np.testing.assert_allclose(method.transform(x).var(axis=0, ddof=ddof), 1.0)
    assert method.report_["params"]["ddof"] == ddof
