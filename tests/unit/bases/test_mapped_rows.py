"""What the report of a fit says of rows and their images (K16)."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import ShapeError
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows


def test_k16_the_report_sees_rows_and_solution() -> None:
    x = rows(300, 5, offset=4.0)
    report = Whitening(**FULL).fit(x).report_
    assert report["outputs"]["n"] == 300
    assert report["outputs"]["mean_norm"] < 1e-10
    assert report["outputs"]["smallest_variance"] == pytest.approx(1.0)
    assert report["outputs"]["largest_variance"] == pytest.approx(1.0)
    assert report["average_cosine"] > 0.5
    assert abs(report["outputs"]["average_cosine"]) < 0.01


def test_k16_validation_rows_show_directions_that_were_fitted_to_chance() -> None:
    few, other = rows(24, 20), rows(400, 20, seed=1)
    mixing = np.random.default_rng(5).normal(size=(20, 20))
    chance = Whitening(variant="pca", **FULL).fit(few @ mixing, validation=other @ mixing)
    found = chance.report_["validation"]
    assert found["n"] == 400
    assert found["overfit_directions"] > 3
    assert found["largest_variance_ratio"] > 5
    sound = Whitening(variant="pca", **FULL).fit(other[:300], validation=other[300:])
    assert sound.report_["validation"]["overfit_directions"] == 0


def test_k16_validation_rows_are_no_part_of_the_fit() -> None:
    x = rows(50, 4)
    with_others, alone = Whitening().fit(x, validation=rows(9, 4, seed=3)), Whitening().fit(x)
    assert with_others.version_.n == 50
    assert (with_others.fitted_["W"] == alone.fitted_["W"]).all()
    with pytest.raises(ShapeError):
        Whitening().fit(x, validation=rows(9, 3))


def test_a_long_fit_is_told_by_a_sample_of_its_rows() -> None:
    report = Whitening().fit(rows(9000, 3)).report_
    assert report["outputs"]["n"] == 3000
