"""Rolling z-scores: the window before each step, spikes, magnitudes, constants."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import RollingZScore, errors
from tests.unit.series.causal.rolling_z_score.samples import NAN, STREAM, one_by_one


@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("window", [2, 3, 4, 7, 12, 40])
def test_formula(window: int, ddof: int, current: bool) -> None:
    method = RollingZScore(window=window, min_periods=2, ddof=ddof, include_current=current)
    expected = one_by_one(STREAM, window, ddof, 2, current=current)
    assert method.transform(STREAM) == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_min_periods_is_the_window_unless_it_is_given() -> None:
    x = [1.0, 2.0, 4.0, 8.0]
    assert np.isnan(RollingZScore(window=3).transform(x)).tolist() == [True, True, False, False]
    loose = RollingZScore(window=3, min_periods=1).apply_to(x=x)
    assert np.isnan(loose["y"]).tolist() == [False] * 4
    assert loose["y"][0] == 0.0


def test_pandas_54518_a_spike_leaves_no_trace() -> None:
    x = [1.2e3, 1.3e17, 1.5e17, 1.995e3, 1.990e3, 1.8e3, 2.5e3]
    answer = RollingZScore(window=2, ddof=1).apply_to(x=x)
    assert answer["scale"][-3:] == pytest.approx([3.5355339, 134.3502884, 494.9747468], rel=1e-8)
    assert answer["y"][1:] == pytest.approx(np.array([1, 1, -1, -1, -1, 1]) / 2**0.5, rel=1e-12)
    alone = RollingZScore(window=2, ddof=1).transform(x[-2:])
    assert answer["y"][-1:].tobytes() == alone[-1:].tobytes()


def test_polars_4301_a_large_offset_keeps_its_digits() -> None:
    x = 1e6 + np.sin(np.arange(200.0))
    expected = one_by_one(x, 20, 0, 20, current=True)
    y = RollingZScore(window=20).transform(x)
    assert y == pytest.approx(expected, rel=1e-7, nan_ok=True)


@pytest.mark.parametrize("factor", [1e-300, 1e-200, 1e250, 1e300])
def test_any_magnitude(factor: float) -> None:
    plain = RollingZScore(window=4, min_periods=2).transform(STREAM)
    scaled = RollingZScore(window=4, min_periods=2).transform(STREAM * factor)
    assert scaled == pytest.approx(plain, rel=1e-9, abs=1e-12, nan_ok=True)


def test_windows_without_spread() -> None:
    x = [3.0, 3.0, 3.0, 4.0]
    answer = RollingZScore(window=2).apply_to(x=x)
    assert answer["y"].tolist() == pytest.approx([NAN, 0.0, 0.0, 1.0], nan_ok=True)
    assert answer.flags["constant"].tolist() == [[0, 0]]
    prior = RollingZScore(window=2, include_current=False).transform(x)
    assert prior.tolist() == pytest.approx([NAN, NAN, 0.0, 1.0], nan_ok=True)
    kept = RollingZScore(window=2, on_constant="keep").transform(x)
    assert kept.tolist() == pytest.approx([NAN, 3.0, 3.0, 1.0], nan_ok=True)
    half = RollingZScore(window=2, on_constant="half").transform(x)
    assert half.tolist() == pytest.approx([NAN, 0.5, 0.5, 1.0], nan_ok=True)
    with pytest.raises(errors.InvalidParams, match="error"):
        RollingZScore(window=2, on_constant="error").transform(x)


def test_a_named_constant_value_covers_steps_without_statistics() -> None:
    answer = RollingZScore(window=2, constant_value=-9.0).apply_to(x=[3.0, 3.0, NAN, 4.0])
    assert answer["y"].tolist() == pytest.approx([-9.0, -9.0, NAN, -9.0], nan_ok=True)
    assert answer.flags["insufficient"].tolist() == [[0, 0]]
    assert np.isnan(answer["loc"]).tolist() == [True, False, True, True]


def test_seven_times_a_tenth_is_exactly_zero() -> None:
    y = RollingZScore(window=3).transform([0.1] * 7)
    assert y[2:].tolist() == [0.0] * 5


def test_flags_name_window_and_channel() -> None:
    x = np.array([[[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]]])
    for layout, sent in (("NTC", x), ("NCT", x.transpose(0, 2, 1))):
        answer = RollingZScore(window=2).apply_to(x=sent, layout=layout)
        assert answer["y"].shape == answer["loc"].shape == sent.shape
        assert answer.flags["constant"].tolist() == [[0, 1]]
        assert answer.flags["insufficient"].tolist() == [[0, 0], [0, 1]]
        assert answer.flags["missing"].tolist() == [[0, 0], [0, 1]]


def test_infinities_are_refused() -> None:
    with pytest.raises(errors.NonFiniteError) as caught:
        RollingZScore(window=2).transform([1.0, np.inf])
    assert caught.value.path == "input.x[1]"


def test_uncentred() -> None:
    x = [3.0, 5.0]
    assert RollingZScore(window=2, center="none").transform(x)[1] == 5.0
