"""How strongly small directions are held back: epsilons and shrinkage."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Whitening
from normalizers.errors import FitError, IncompatibleStatistics
from tests.unit.embeddings.covariance.whitening.samples import FULL, rows


def test_eps_rel_is_in_units_of_the_mean_variance() -> None:
    x = rows()
    mean_variance = np.trace(np.cov(x.T)) / 5
    relative = Whitening(eps_rel=2.0, shrinkage="none").fit(x)
    absolute = Whitening(eps=2.0 * mean_variance, shrinkage="none").fit(x)
    np.testing.assert_allclose(relative.fitted_["W"], absolute.fitted_["W"], rtol=1e-12)
    assert relative.report_["softening"]["eps"] == pytest.approx(2.0 * mean_variance)


def test_without_a_named_strength_whitening_is_soft_and_the_report_says_so() -> None:
    x = rows()
    default = Whitening().fit(x)
    np.testing.assert_array_equal(default.fitted_["W"], Whitening(eps_rel=3.0).fit(x).fitted_["W"])
    softening = default.report_["softening"]
    assert softening["eps_rel"] == pytest.approx(3.0)
    assert softening["strength"] == 1.0
    assert "eps_rel is 3" in softening["note"]
    assert default.version_.resolved["eps_rel"] == 3.0


@pytest.mark.parametrize("named", [{"strength": 1.0}, {"shrinkage": "none"}, {"eps": 0.0}])
def test_naming_any_strength_switches_the_soft_default_off(named: dict[str, object]) -> None:
    assert Whitening(**named).fit(rows()).report_["softening"]["eps"] == 0.0


def test_strength_zero_only_centres() -> None:
    x = rows(offset=4.0)
    y = Whitening(strength=0.0, shrinkage="none").fit(x).transform(x)
    np.testing.assert_allclose(y, x - x.mean(axis=0), atol=1e-10)


def test_a_number_as_shrinkage_equals_eps_up_to_one_factor() -> None:
    x = rows()
    weight = 0.4
    shrunk = Whitening(shrinkage=weight).fit(x).fitted_["W"]
    soft = Whitening(eps_rel=weight / (1 - weight), shrinkage="none").fit(x).fitted_["W"]
    np.testing.assert_allclose(shrunk, soft / np.sqrt(1 - weight), rtol=1e-10)


@pytest.mark.parametrize("n, estimator", [(49, "oas"), (50, "none")])
def test_auto_shrinks_below_ten_rows_a_dim(n: int, estimator: str) -> None:
    assert Whitening(eps=0.0).fit(rows(n)).report_["softening"]["shrinkage"] == estimator


def test_oas_acts_on_the_biased_covariance_and_is_scaled_back() -> None:
    from sklearn.covariance import oas

    x = rows(20)
    covariance, weight = oas(x)
    method = Whitening(eps=0.0, shrinkage="oas").fit(x)
    assert method.report_["softening"]["shrinkage_weight"] == pytest.approx(weight, rel=1e-12)
    values, vectors = np.linalg.eigh(covariance * 20 / 19)
    np.testing.assert_allclose(method.fitted_["W"], vectors / np.sqrt(values) @ vectors.T, 1e-9)


def test_statistics_without_n_fit_without_shrinkage_and_do_not_merge() -> None:
    x = rows(20)
    posted = {"mean": x.mean(axis=0), "cov": np.cov(x.T), "ddof": 1}
    method = Whitening(eps=0.0).fit_statistics(scatter=posted)
    assert method.report_["softening"]["shrinkage"] == "none"
    assert method.report_["n_over_d"] is None
    np.testing.assert_allclose(method.fitted_["W"], Whitening(**FULL).fit(x).fitted_["W"], 1e-9)
    with pytest.raises(IncompatibleStatistics):
        method.merge(Whitening(eps=0.0).fit(x))
    with pytest.raises(FitError, match="number of rows"):
        Whitening(shrinkage="oas").fit_statistics(scatter=posted)
