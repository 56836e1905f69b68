"""Maps of each value: domains, ways back of forecasts, powers that are fitted."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Asinh, BoxCox, Log, Log1p, Logit, Pipeline, Sqrt, WindowZScore, YeoJohnson
from normalizers.errors import FitError, InvalidInput, InvalidParams

MAPS = [Log(), Log1p(), Sqrt(), Asinh(), Logit(upper=200.0), BoxCox(lam=0.4), YeoJohnson(lam=1.3)]
X = np.random.default_rng(0).uniform(0.5, 100.0, size=(2, 5, 3))


@pytest.mark.parametrize("method", MAPS, ids=lambda method: method.name)
def test_a_prefix_of_a_series_gives_the_prefix_of_the_answer(method) -> None:
    y = method.transform(X)
    assert np.array_equal(method.transform(X[:, :3]), y[:, :3])
    np.testing.assert_allclose(method.inverse_transform(y), X, rtol=1e-12)


@pytest.mark.parametrize("method", MAPS, ids=lambda method: method.name)
def test_quantiles_are_led_back_as_they_are(method) -> None:
    y = method.transform(X)
    quantiles = np.stack([y - 0.1, y + 0.1], axis=-1)
    back = method.inverse_to(quantiles=quantiles, levels=[0.1, 0.9])["quantiles"]
    np.testing.assert_array_equal(back[..., 1], method.inverse_transform(y + 0.1))


@pytest.mark.parametrize("method", MAPS, ids=lambda method: method.name)
def test_the_mean_is_that_of_the_forecast_to_second_order(method) -> None:
    y = method.transform(X)
    adjusted = method.with_values({"bias_adjust": "delta"})
    found = adjusted.inverse_transform(y, std=np.full(X.shape, 1e-3))
    step = 1e-2
    up, down = (method.inverse_transform(y + sign * step) for sign in (1, -1))
    curvature = (up - 2 * X + down) / step**2
    np.testing.assert_allclose(found - X, curvature * 1e-6 / 2, rtol=1e-2, atol=1e-10)


def test_values_outside_the_domain_are_missing_and_flagged_with_their_channel() -> None:
    x = X.copy()
    x[1, 2, 0] = -1.0
    for method in (Log(), Sqrt(), Logit(upper=200.0), BoxCox(lam=0.4)):
        answer = method.apply_to(x)
        assert np.argwhere(np.isnan(answer["y"])).tolist() == [[1, 2, 0]]
        assert answer.flags["out_of_range"].tolist() == [[1, 0]]
        assert np.array_equal(answer["y"][0], method.transform(X)[0])
    ragged = Log().apply_to([[1.0, 2.0], [0.0]], layout="ragged")
    assert ragged.flags["out_of_range"].tolist() == [[1, 0]]


def test_sktime_7287_the_mean_of_a_log_scale_forecast() -> None:
    y, std = [1.0], [0.5]
    assert Log().inverse_transform(y).round(5).tolist() == [2.71828]
    assert Log(bias_adjust="lognormal").inverse_transform(y, std=std).round(5).tolist() == [3.08022]
    variance = Log(bias_adjust="lognormal").inverse_transform(y, variance=[0.25])
    assert variance.round(5).tolist() == [3.08022]


def test_pytorch_forecasting_1247_log1p_before_scaling_comes_back() -> None:
    x = [0.1, 0.2, 0.5, 0.9]
    chain = Pipeline(steps=["log1p", "window_z_score"])
    answer = chain.apply_to(x, layout="T")
    back = chain.inverse_to(answer["y"], steps=answer["steps"], layout="T")
    np.testing.assert_allclose(back["x"], x, rtol=1e-12)
    assert isinstance(WindowZScore(), WindowZScore)


def test_spreads_are_used_or_refused_never_dropped() -> None:
    with pytest.raises(InvalidInput, match="bias_adjust") as refused:
        Log().inverse_transform([1.0], std=[0.5])
    assert refused.value.path == "input.std"
    with pytest.raises(InvalidInput, match="needs std or variance"):
        Log(bias_adjust="delta").inverse_transform([1.0])
    with pytest.raises(InvalidParams, match="not lognormal"):
        Sqrt(bias_adjust="lognormal").validated()


def test_powers_are_fitted_by_channel_and_bound_to_them() -> None:
    rng = np.random.default_rng(1)
    x = np.stack([np.exp(rng.normal(size=300)), rng.normal(9.0, 1.0, 300) ** 2], axis=1)
    method = BoxCox().fit(x, layout="TC")
    assert method.fitted_["lam"] == pytest.approx([0.0, 0.5], abs=0.3)
    stated = BoxCox(lam=method.fitted_["lam"].tolist())
    assert np.array_equal(method.transform(x, layout="TC"), stated.transform(x, layout="TC"))
    with pytest.raises(InvalidParams, match="2 powers, but there are 3 channels"):
        stated.transform(X)


def test_what_has_no_likely_power_is_refused() -> None:
    with pytest.raises(FitError, match="channel 0 has values that are not above 0"):
        BoxCox().fit([1.0, -1.0, 2.0])
    with pytest.raises(FitError, match="channel 0 has one value throughout"):
        YeoJohnson().fit([2.0, 2.0])
