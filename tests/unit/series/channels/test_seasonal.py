"""Seasons: means of phases, stored and led back."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import Seasonal, errors

NAN = float("nan")


def test_windows_begin_at_their_phases() -> None:
    method = Seasonal(period=3).fit([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], layout="NT",
                                    phases=[0, 2])  # fmt: skip
    # Phases of the second window: 2, 0, 1, 2.
    means = [(1 + 4 + 6) / 3, (2 + 7) / 2, (3 + 5 + 8) / 3]
    np.testing.assert_allclose(method.version_.fitted["means"][:, 0], means)
    y = method.apply_to(x=[[0.0, 0.0], [0.0, 0.0]], layout="NT", phases=[1, 2])["y"]
    np.testing.assert_allclose(-y, [[means[1], means[2]], [means[2], means[0]]])


def test_fits_of_parts_merge_to_that_of_the_whole() -> None:
    x = np.random.default_rng(0).normal(size=(4, 9, 2))
    whole = Seasonal(period=4).fit(x)
    parts = Seasonal(period=4).fit(x[:1]).merge(Seasonal(period=4).fit(x[1:]))
    np.testing.assert_allclose(
        parts.version_.fitted["means"], whole.version_.fitted["means"], rtol=1e-12
    )


def test_rows_come_back_from_any_phase() -> None:
    x = np.random.default_rng(1).random((2, 10, 3)) + 1
    for variant in ("difference", "ratio"):
        method = Seasonal(period=4, variant=variant).fit(x)
        answer = method.apply_to(x=x, phases=[3, 1])
        back = method.version_.inverse({"y": answer["y"], "phases": [3, 1]})
        np.testing.assert_allclose(back["x"], x, rtol=1e-12)


def test_missing_values_are_left_out_and_stay_missing() -> None:
    method = Seasonal(period=2).fit([1.0, 10.0, NAN, 14.0])
    assert method.transform([NAN, 12.0]).tolist() == pytest.approx([NAN, 0.0], nan_ok=True)


def test_a_phase_without_a_value_is_refused() -> None:
    with pytest.raises(errors.NotEnoughData, match="phase 2"):
        Seasonal(period=3).fit([1.0, 2.0])
    with pytest.raises(errors.InvalidParams, match="period"):
        Seasonal().fit([1.0, 2.0])


def test_over_a_mean_of_zero_there_is_no_ratio() -> None:
    method = Seasonal(period=2, variant="ratio").fit([1.0, 0.0, -1.0, 3.0])
    answer = method.apply_to(x=[2.0, 3.0])
    assert answer["y"].tolist() == pytest.approx([NAN, 2.0], nan_ok=True)
    assert answer.flags["zero_denominator"].tolist() == [[0, 0]]


def test_past_a_step_is_told_from_the_seasons_before_it() -> None:
    x = np.array([1.0, 10.0, 3.0, 14.0, 8.0, NAN, 6.0, 0.0])
    answer = Seasonal(period=2, scope="past").apply_to(x=x)
    expected = [NAN, NAN, 3 - 1, 14 - 10, 8 - 2, NAN, 6 - 4, 0 - 12]
    assert answer["y"].tolist() == pytest.approx(expected, nan_ok=True)
    assert answer.flags["insufficient"].tolist() == [[0, 0]]


def test_past_a_forecast_of_several_seasons_goes_on_from_the_state() -> None:
    x = np.random.default_rng(4).random((2, 23, 3)) + 1
    for variant in ("difference", "ratio"):
        method = Seasonal(period=5, scope="past", variant=variant)
        before = method.apply_to(x=x[:, :9])
        then = method.apply_to(x=x[:, 9:], state=before["state"], start_step=9)
        back = method.version_.inverse({"y": then["y"], "state": before["state"]})
        np.testing.assert_allclose(back["x"], x[:, 9:], rtol=1e-12)
    with pytest.raises(errors.InvalidInput, match="state"):
        method.inverse_transform([1.0])


def test_past_over_a_mean_of_zero_there_is_no_ratio() -> None:
    answer = Seasonal(period=1, scope="past", variant="ratio").apply_to(x=[0.0, 3.0, 6.0])
    assert answer["y"].tolist() == pytest.approx([NAN, NAN, 4.0], nan_ok=True)
    assert answer.flags["zero_denominator"].tolist() == [[0, 0]]


def test_past_a_fit_and_a_state_of_another_period_are_refused() -> None:
    with pytest.raises(errors.UnsupportedOperation):
        Seasonal(period=2, scope="past").partial_fit([1.0, 2.0])
    state = Seasonal(period=2, scope="past").apply_to(x=[1.0, 2.0, 3.0])["state"]
    with pytest.raises(errors.IncompatibleState, match="period"):
        Seasonal(period=3, scope="past").apply_to(x=[1.0], state=state)
