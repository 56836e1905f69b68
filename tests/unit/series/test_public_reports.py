"""What users of other libraries reported of series, each with the answer it should have."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from normalizers import (
    EwmZScore,
    GroupZScore,
    Log,
    RollingZScore,
    Standardization,
    WindowMinMax,
    WindowRobust,
    WindowZScore,
    errors,
)

NAN = float("nan")


def test_pandas_54518_a_spike_leaves_no_residue() -> None:
    x = [1.2e3, 1.3e17, 1.5e17, 1.995e3, 1.990e3, 1.8e3, 2.5e3]
    scale = RollingZScore(window=2, ddof=1).apply_to(x=x)["scale"]
    assert scale[-3:].tolist() == pytest.approx([3.5355339, 134.350288, 494.974747], rel=1e-8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scikit_learn_17794_autogluon_5013_a_constant_that_rounds_is_exactly_zero(dtype) -> None:
    answer = WindowZScore().apply_to(x=np.full(7, 0.1, dtype=dtype))
    assert answer["y"].tolist() == [0.0] * 7
    assert answer["scale"].tolist() == [1.0]
    assert answer.flags["constant"].tolist() == [[0, 0]]


def test_tslearn_314_52_a_zero_range_is_the_lower_bound() -> None:
    answer = WindowMinMax(range=[-1, 1]).apply_to(x=[[0.0] * 4, [NAN] * 4], layout="NT")
    assert answer["y"][0].tolist() == [-1.0] * 4
    assert np.isnan(answer["y"][1]).all()


def test_pytorch_forecasting_1321_a_group_of_one_row_has_no_nan() -> None:
    method = GroupZScore(ddof=1, on_few="scale_one")
    method.fit([1.0, 2.0, 4.0, 7.0], groups=["a", "a", "a", "b"])
    answer = method.apply_to([7.0], groups=["b"])
    assert np.ravel(answer["y"]).tolist() == [0.0]


@pytest.mark.parametrize(
    ("x", "scale"), [([0.0] * 11 + [1e5], 1e5 * np.sqrt(11) / 12), ([5.0] * 4 + [5.0000001], 4e-8)]
)
def test_pytorch_forecasting_1063_750_almost_no_spread_is_a_true_z_score(x, scale) -> None:
    answer = WindowZScore().apply_to(x=x)
    assert answer["scale"][0] == pytest.approx(scale, rel=1e-6)
    assert answer["y"][-1] == pytest.approx(np.sqrt(len(x) - 1), rel=1e-6)
    assert answer["y"][0] == pytest.approx(-1 / np.sqrt(len(x) - 1), rel=1e-6)


def test_pytorch_forecasting_1247_what_is_mapped_first_is_undone_last() -> None:
    x = np.array([0.1, 0.2, 0.5, 0.9])
    first = np.log1p(x)
    answer = WindowZScore().apply_to(x=first)
    back = WindowZScore().inverse_transform(answer["y"], loc=answer["loc"], scale=answer["scale"])
    np.testing.assert_allclose(np.expm1(back), x, rtol=1e-12)


def test_darts_1288_as_many_series_come_back_as_were_sent() -> None:
    answer = WindowZScore().apply_to(x=[[1.0, 2.0], [], [5.0]], layout="ragged")
    assert len(answer["y"]) == 3
    method = GroupZScore().fit([1.0, 2.0, 3.0, 5.0], groups=["a", "a", "b", "b"])
    with pytest.raises(errors.NormalizerError, match="c"):
        method.transform([1.0, 2.0, 3.0], groups=["a", "b", "c"])


def test_sktime_366_tslearn_466_512_the_statistics_come_back_for_the_inverse() -> None:
    x = [[1.0, 2.0, 3.0], [10.0, 20.0, 40.0]]
    answer = WindowZScore().apply_to(x=x, layout="NT")
    loc, scale = answer["loc"][::-1], answer["scale"][::-1]
    back = WindowZScore().inverse_transform(answer["y"][::-1], loc=loc, scale=scale, layout="NT")
    np.testing.assert_allclose(back, x[::-1], rtol=1e-12)
    with pytest.raises(errors.InvalidInput, match="loc"):
        WindowZScore().inverse_transform(answer["y"], layout="NT")


@pytest.mark.parametrize("cls", [WindowZScore, WindowRobust])
def test_neuralforecast_299_a_masked_window_changes_no_other(cls) -> None:
    x = np.random.default_rng(0).normal(size=(4, 6))
    mask = np.ones(x.shape)
    mask[1] = 0
    answer = cls().apply_to(x=x, mask=mask, layout="NT")
    assert answer["scale"][1].tolist() == [1.0]
    assert answer.flags["empty"].tolist() == [[1, 0]]
    assert answer["y"][[0, 2, 3]].tobytes() == cls().transform(x[[0, 2, 3]], layout="NT").tobytes()


def test_chronos_193_single_precision_in_statistics_in_double() -> None:
    x = (1e9 + np.array([0.0, 64.0, 128.0, 192.0])).astype(np.float32)
    expected = np.array([-3.0, -1.0, 1.0, 3.0]) / np.sqrt(5)
    np.testing.assert_allclose(WindowZScore().transform(x), expected, rtol=1e-6)


def test_polars_4301_river_981_no_variance_is_negative() -> None:
    x = 1e6 + np.sin(np.arange(200.0))
    scale = RollingZScore(window=20).apply_to(x=x)["scale"]
    expected = [x[stop - 20 : stop].std() for stop in range(20, 201)]
    np.testing.assert_allclose(scale[19:], expected, rtol=1e-7)
    ewm = EwmZScore(alpha=0.3, adjust=False, bias=True).apply_to(x=1e8 + np.arange(4.0))
    # v <- 0.7 (v + 0.3 d^2) with d = 1, 1.7, 2.19.
    variance = 0.21 * (0.7**2 * 1.0**2 + 0.7 * 1.7**2 + 2.19**2)
    assert ewm["scale"][-1] == pytest.approx(np.sqrt(variance), rel=1e-7)


def test_n_beats_3_time_series_library_819_armd_5_the_past_does_not_see_the_future() -> None:
    x = np.random.default_rng(3).normal(size=100)
    for method in (RollingZScore(window=10, min_periods=2), EwmZScore(alpha=0.2)):
        assert method.transform(x[:60]).tobytes() == method.transform(x)[:60].tobytes()


def test_n_beats_3_a_fit_on_the_past_alone_is_what_later_rows_are_told_from() -> None:
    x = np.random.default_rng(5).normal(size=(100, 2)).cumsum(axis=0)
    method = Standardization().fit(x[:80])
    past = x[:80]
    for row in (10, 90):
        expected = (x[row] - past.mean(axis=0)) / past.std(axis=0)
        np.testing.assert_allclose(method.transform(x[row : row + 1])[0], expected, rtol=1e-12)


@pytest.mark.parametrize("std", [0.5, 1.5])
def test_sktime_7287_scikit_learn_15881_the_mean_behind_a_logarithm_is_no_median(std) -> None:
    back = Log(bias_adjust="lognormal").inverse_to([1.0], std=[std], quantiles=[[0.0, 2.0]])
    assert back["x"].tolist() == pytest.approx([np.exp(1 + std**2 / 2)], rel=1e-12)
    assert back["quantiles"].tolist() == [pytest.approx([1.0, np.exp(2.0)])]
    assert Log().inverse_transform([1.0]).tolist() == pytest.approx([np.e])


def test_scikit_learn_3722_a_constant_column_of_a_fit_is_exactly_zero() -> None:
    x = np.full((13, 1), np.log(1e-5))
    answer = Standardization().fit(x).apply_to(x)
    assert answer["y"].ravel().tolist() == [0.0] * 13
    assert answer.flags["constant"].tolist() == [0]


def test_river_learn_many_an_offset_costs_a_merge_no_digit() -> None:
    x = 1e9 + np.arange(4.0)[:, None]
    parts = [Standardization().fit(part) for part in (x[:2], x[2:])]
    merged = parts[0].merge(parts[1])
    assert merged.fitted_["scale"].tolist() == pytest.approx([np.sqrt(1.25)], rel=1e-12)


def test_chronos_193_the_mean_of_many_values_of_single_precision() -> None:
    # In single precision the sum stands still at 2^28: half of these would be lost.
    x = np.full(20_000_000, 16.0, dtype=np.float32)
    x[::2] += 1.0
    assert WindowZScore().apply_to(x=x)["loc"].tolist() == pytest.approx([16.5], rel=1e-6)


def test_darts_232_a_channel_is_not_inverted_with_the_numbers_of_another() -> None:
    x = np.array([[1.0, 10.0, 100.0], [3.0, 30.0, 300.0], [5.0, 20.0, 500.0]])
    method = Standardization().fit(x)
    with pytest.raises(errors.NormalizerError):
        method.inverse_transform(np.zeros((2, 2)))
    named = pandas.DataFrame(x, columns=["a", "b", "c"])
    back = Standardization().fit(named).inverse_transform(np.array([[0.0], [1.0]]), columns=["b"])
    np.testing.assert_allclose(back, [[20.0], [20.0 + x[:, 1].std()]])
