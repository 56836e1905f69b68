"""Robust windows, bent windows, and windows by their mean size or last value."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    LastValue,
    MeanScale,
    WindowRobust,
    WindowRobustArcsinh,
    WindowZScoreArcsinh,
    errors,
)

NAN = float("nan")
ALL = [WindowRobust, WindowRobustArcsinh, WindowZScoreArcsinh, MeanScale, LastValue]
BENT = [WindowRobustArcsinh, WindowZScoreArcsinh]


@pytest.mark.parametrize("cls", ALL)
def test_neuralforecast_299_a_window_without_values_changes_no_other(cls) -> None:
    x = np.random.default_rng(2).normal(size=(4, 6, 2))
    mask = np.ones(x.shape)
    mask[2] = 0
    answer = cls().apply_to(x=x, mask=mask)
    rest = [0, 1, 3]
    assert answer["y"][rest].tobytes() == cls().transform(x[rest]).tobytes()
    assert np.isnan(answer["y"][2]).all()
    assert answer.flags["empty"].tolist() == [[2, 0], [2, 1]]
    assert answer["scale"][2].tolist() == [[1.0, 1.0]]
    assert answer["loc"][2].tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("cls", ALL)
@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e305])
def test_windows_of_any_size(cls, size) -> None:
    x = np.array([1.0, 5.0, 2.0, 8.0, 3.0])
    expected = cls().transform(x) * (size if cls is LastValue else 1.0)
    np.testing.assert_allclose(cls().transform(x * size), expected, rtol=1e-10)


@pytest.mark.parametrize("cls", ALL)
def test_a_constant_and_one_value(cls) -> None:
    expected = 1.0 if cls is MeanScale else 0.0
    for x in ([0.1] * 7, [4.0]):
        answer = cls().apply_to(x=x)
        assert answer["y"].tolist() == [expected] * len(x)
        assert answer.flags["constant"].tolist() == [[0, 0]]


@pytest.mark.parametrize("cls", ALL)
def test_windows_come_back_and_so_do_quantiles(cls) -> None:
    x = np.random.default_rng(5).normal(size=(3, 8, 2))
    x[0, 2, 1] = NAN
    answer = cls().apply_to(x=x)
    scales = {"loc": answer["loc"], "scale": answer["scale"]}
    quantiles = np.stack([answer["y"], answer["y"] + 1], axis=-1)
    back = cls().version_.inverse(
        {"y": answer["y"], "quantiles": quantiles, "levels": [0.1, 0.9], **scales}
    )
    np.testing.assert_allclose(back["x"], x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(back["quantiles"][..., 0], x, rtol=1e-12, atol=1e-12)
    seen = ~np.isnan(x)
    assert (back["quantiles"][..., 1][seen] > x[seen]).all()


@pytest.mark.parametrize("cls", BENT)
def test_deviations_do_not_come_back_through_a_bent_map(cls) -> None:
    with pytest.raises(errors.InvalidInput, match="std"):
        cls().version_.inverse({"std": [1.0], "loc": [0.0], "scale": [1.0]})
    assert "std" not in cls().inverse_takes
    with pytest.raises(errors.InvalidParams, match="way back"):
        cls(on_constant="keep").transform([1.0, 1.0])


@pytest.mark.parametrize("scale", ["iqr", "iqr_half", "mad", "mad_lower_median", "mean_abs_dev"])
@pytest.mark.parametrize("center", ["median", "lower_median", "mean", "none"])
def test_spreads_are_those_of_numpy(scale, center) -> None:
    x = np.random.default_rng(1).normal(size=10)
    answer = WindowRobust(scale=scale, center=center).apply_to(x=x)
    middle = {"mean": x.mean(), "lower_median": np.sort(x)[4]}.get(center, np.median(x))
    far = np.abs(x - middle)
    low, high = np.percentile(x, [25, 75])
    spread = {
        "iqr": high - low,
        "iqr_half": (high - low) / 2,
        "mad": np.median(far),
        "mad_lower_median": np.sort(far)[4],
        "mean_abs_dev": far.mean(),
    }[scale]
    assert answer["scale"][0] == pytest.approx(spread, rel=1e-13)
    assert answer["loc"][0] == pytest.approx(0.0 if center == "none" else middle, rel=1e-13)


def test_pytorch_forecasting_1063_750_a_window_with_one_spike_stays_finite() -> None:
    x = [0.0] * 11 + [1e5]
    answer = WindowRobust(scale="mad").apply_to(x=x)
    assert np.isfinite(answer["y"]).all()
    assert answer["scale"].tolist() == [1.0]
    assert "constant" not in answer.flags
    held = WindowRobust(scale="mad", mad_zero_fallback=0.5).apply_to(x=x)
    assert held["scale"][0] == pytest.approx(0.5 * np.std(x))


def test_neuralforecast_takes_the_lower_of_two_medians() -> None:
    assert WindowRobust(center="lower_median").apply_to(x=[1.0, 2.0, 4.0, 8.0])["loc"][0] == 2.0
    assert WindowRobust().apply_to(x=[1.0, 2.0, 4.0, 8.0])["loc"][0] == 3.0


@pytest.mark.parametrize(
    "params",
    [
        {"quantile_range": [75, 25]},
        {"quantile_range": [0, 101]},
        {"mad_zero_fallback": 0.5},
        {"mad_zero_fallback": 0.0, "scale": "mad"},
        {"scale": "std"},
        {"eps": 1e-6},
    ],
)
def test_parameters_that_are_refused(params) -> None:
    with pytest.raises(errors.InvalidParams):
        WindowRobust(**params).transform([1.0, 2.0])


def test_ragged_windows_are_those_of_each_series() -> None:
    parts = [[1.0, 2.0, 9.0], [4.0], [], [NAN, 3.0, 8.0, 1.0]]
    for cls in ALL:
        answer = cls().apply_to(x=parts, layout="ragged")
        for index, part in enumerate(parts):
            if part:
                assert answer["y"][index].tobytes() == cls().transform(part).tobytes()


def test_gluonts_a_smallest_scale_and_one_for_nothing() -> None:
    method = MeanScale(minimum_scale=0.5, default_scale=3.0)
    answer = method.apply_to(x=[[0.1, 0.1], [NAN, NAN], [0.0, 0.0]], layout="NT")
    assert answer["scale"].tolist() == [[0.5], [3.0], [0.5]]


def test_the_last_value_is_the_last_observed_one() -> None:
    answer = LastValue().apply_to(x=[1.0, 4.0, NAN])
    assert answer["loc"].tolist() == [4.0]
    assert answer["y"].tolist() == pytest.approx([-3.0, 0.0, NAN], nan_ok=True)
    back = LastValue().version_.inverse({"y": [1.0], "std": [2.0], "loc": [4.0], "scale": [1.0]})
    assert (back["x"].tolist(), back["std"].tolist()) == ([5.0], [2.0])
