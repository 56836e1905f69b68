"""Robust scaling: medians, distances of quantiles, columns without spread."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import median_abs_deviation, norm
from sklearn.preprocessing import RobustScaler

from normalizers import RobustScaling
from normalizers.errors import FitError, InvalidParams

X = np.random.default_rng(3).normal(3.0, 2.0, size=(40, 3))


@pytest.mark.parametrize("unit_variance", [False, True])
@pytest.mark.parametrize("quantiles", [(25.0, 75.0), (5.0, 90.0)])
def test_it_equals_the_scaler_of_scikit_learn(
    unit_variance: bool, quantiles: tuple[float, float]
) -> None:
    peer = RobustScaler(quantile_range=quantiles, unit_variance=unit_variance).fit(X)
    method = RobustScaling(quantile_range=list(quantiles), unit_variance=unit_variance).fit(X)
    np.testing.assert_allclose(method.transform(X), peer.transform(X), rtol=1e-12, atol=1e-14)


def test_other_centres_and_scales() -> None:
    x = X[:39]
    mad = RobustScaling(scale="mad").fit(x)
    np.testing.assert_allclose(mad.fitted_["scale"], median_abs_deviation(x, axis=0), rtol=1e-12)
    half = RobustScaling(scale="iqr_half", center="none").fit(x)
    quarters = np.percentile(x, [25, 75], axis=0)
    np.testing.assert_allclose(half.fitted_["scale"], (quarters[1] - quarters[0]) / 2, rtol=1e-12)
    assert half.fitted_["loc"].tolist() == [0.0, 0.0, 0.0]
    lower = RobustScaling(center="lower_median").fit(X).fitted_["loc"]
    np.testing.assert_array_equal(lower, np.sort(X, axis=0)[19])
    assert RobustScaling(scale="none").fit(x).fitted_["scale"].tolist() == [1.0, 1.0, 1.0]


def test_a_column_of_mostly_equal_values_is_scaled_by_one() -> None:
    x = np.array([[0.0], [0.0], [0.0], [0.0], [8.0]])
    answer = RobustScaling().fit(x).apply_to([[8.0]])
    assert answer.output["y"].tolist() == [[8.0]]
    assert not answer.flags
    with pytest.raises(FitError, match="on_constant is 'error': column 0"):
        RobustScaling(on_constant="error").fit(x)
    assert RobustScaling().fit(np.full((5, 1), 2.0)).apply_to([[3.0]]).flags["constant"] == [0]


def test_stored_quantiles_are_enough_for_medians_and_their_distance() -> None:
    p = [0.25, 0.5, 0.75]
    method = RobustScaling().fit_statistics(quantiles={"p": p, "v": norm.ppf(p).tolist()})
    np.testing.assert_allclose(method.fitted_["scale"], np.ptp(norm.ppf(p)), rtol=1e-12)
    with pytest.raises(FitError, match="do not tell the mad"):
        RobustScaling(scale="mad").fit_statistics(quantiles={"p": p, "v": [0.0, 1.0, 2.0]})


@pytest.mark.parametrize(
    ("params", "what"),
    [
        ({"quantile_range": [75, 25]}, "two ascending percentiles"),
        ({"quantile_range": [0, 75], "unit_variance": True}, "a normal distribution has no ends"),
        ({"scale": "mad", "unit_variance": True}, "belongs to the scales"),
    ],
)
def test_what_does_not_go_together_is_refused(params: dict[str, object], what: str) -> None:
    with pytest.raises(InvalidParams, match=what):
        RobustScaling(**params).fit(X)
