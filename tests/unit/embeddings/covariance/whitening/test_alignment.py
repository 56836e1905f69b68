"""Refits that are turned onto an earlier version, so that vectors of both can be compared."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import Centering, Whitening, load
from normalizers.errors import FitError, InvalidParams
from normalizers.kernels.row_norms import unit_rows
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows

X = rows(4000, 24, seed=4)
OLD = Whitening(variant="pca", n_components=12, **FULL).fit(X[::2])


def cosines(one: Whitening, other: Whitening) -> np.ndarray:
    pair = (unit_rows(each.transform(X)) for each in (one, other))
    return np.asarray(np.einsum("ij,ij->i", *pair))


def test_a_refit_gives_other_coordinates_and_aligned_the_earlier_ones() -> None:
    apart = Whitening(variant="pca", n_components=12, **FULL).fit(X[1::2])
    turned = Whitening(variant="pca", n_components=12, align_to=OLD, **FULL).fit(X[1::2])
    assert np.mean(cosines(OLD, apart)) < 0.9
    assert np.mean(cosines(OLD, turned)) > 0.98
    y = turned.transform(X)
    # Turned, not changed: cosines among rows are those of the refit.
    np.testing.assert_allclose(y @ y.T, apart.transform(X) @ apart.transform(X).T, atol=1e-9)


def test_the_report_tells_what_is_left_of_the_difference_to_the_earlier_outputs() -> None:
    turned = Whitening(variant="pca", n_components=12, align_to=OLD, **FULL).fit(X[1::2])
    half = X[1::2]
    there = (half - half.mean(axis=0)) @ OLD.fitted_["W"]
    left = turned.transform(half) - there
    residual = turned.report_["alignment"]["residual"]
    assert residual == pytest.approx(np.linalg.norm(left) / np.linalg.norm(there))


def test_a_file_copies_the_matrix_and_names_the_version_by_its_hash(tmp_path: Path) -> None:
    turned = Whitening(variant="pca", n_components=12, align_to=OLD).fit(X)
    turned.save(tmp_path / "turned.safetensors")
    loaded = load(tmp_path / "turned.safetensors")
    np.testing.assert_array_equal(loaded.transform(X), turned.transform(X))
    np.testing.assert_array_equal(loaded.fitted_["aligned_to"], OLD.fitted_["W"])
    hash = OLD.save(tmp_path / "old.safetensors")
    assert loaded.report_["params"]["align_to"] == {"method": "whitening", "hash": hash}
    np.testing.assert_allclose(loaded.inverse_transform(loaded.transform(X[:3])).shape, (3, 24))


def test_aligned_fits_merge() -> None:
    halves = [
        Whitening(variant="pca", n_components=12, align_to=OLD).fit(part)
        for part in (X[:900], X[900:])
    ]
    whole = Whitening(variant="pca", n_components=12, align_to=OLD).fit(X)
    merged = halves[0].merge(halves[1])
    np.testing.assert_allclose(merged.fitted_["W"], whole.fitted_["W"], atol=1e-9)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"align_to": OLD}, "'zca' has coordinates of its own"),
        ({"align_to": OLD, "variant": "pca", "truncate_to": 3}, "truncate_to needs columns"),
        ({"align_to": "centering", "variant": "pca"}, "an earlier version"),
        ({"align_to": Whitening(), "variant": "pca"}, "an earlier version"),
        ({"align_to": Centering().fit(X), "variant": "pca"}, "no one matrix"),
    ],
)
def test_what_cannot_be_aligned_is_refused(params: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParams, match=message) as refused:
        Whitening(**params).fit(X)
    assert refused.value.path.startswith("params.")


def test_another_number_of_columns_is_refused_by_both_numbers() -> None:
    with pytest.raises(FitError, match="24 dims to 5, the version of align_to 24 dims to 12"):
        Whitening(variant="pca", n_components=5, align_to=OLD).fit(X)
