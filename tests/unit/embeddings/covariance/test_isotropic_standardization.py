"""Dims of equal variance by a rotation and one number."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import IsotropicStandardization
from normalizers.errors import FitError, RankDeficient
from tests.unit.embeddings.covariance.whitening.samples import rows


def test_isotropic_dims_have_unit_variance_and_distances_one_ratio() -> None:
    x = rows(300, 12, offset=5.0)
    method = IsotropicStandardization().fit(x)
    y = method.transform(x)
    np.testing.assert_allclose(y.var(axis=0, ddof=1), 1.0, rtol=1e-9)
    ratios = np.linalg.norm(y[1:] - y[0], axis=1) / np.linalg.norm(x[1:] - x[0], axis=1)
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-9)
    np.testing.assert_allclose(method.inverse_transform(y), x, rtol=1e-9)
    again = IsotropicStandardization().fit(x)
    assert (again.fitted_["W"] == method.fitted_["W"]).all()


def test_dims_without_a_hadamard_matrix_are_refused_or_warned_about() -> None:
    x = rows(60, 6)
    with pytest.raises(FitError, match="'fallback'"):
        IsotropicStandardization().fit(x)
    method = IsotropicStandardization(inexact="fallback").fit(x)
    assert "inexact_rotation" in {noted["code"] for noted in method.report_["warnings"]}


def test_constant_rows_are_refused() -> None:
    with pytest.raises(RankDeficient):
        IsotropicStandardization().fit(np.ones((5, 4)))
