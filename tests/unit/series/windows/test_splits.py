from __future__ import annotations

import numpy as np
import pytest

from normalizers import FanSplit, SliceZScore
from normalizers.errors import InvalidInput, InvalidParams, ShapeError

WINDOWS = np.random.default_rng(0).normal(size=(3, 12, 2))


def test_both_parts_of_a_window_add_up_to_it() -> None:
    answer = FanSplit(top_k=2).apply_to(WINDOWS)
    np.testing.assert_allclose(answer["main"] + answer["residual"], WINDOWS, atol=1e-14)
    main = np.fft.rfft(answer["main"], axis=1)
    assert (np.count_nonzero(np.abs(main) > 1e-9, axis=1) == 2).all()


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_windows_of_any_size_are_split_alike(size: float) -> None:
    plain, scaled = (FanSplit(top_k=3).apply_to(WINDOWS * unit) for unit in (1.0, size))
    np.testing.assert_allclose(scaled["residual"], plain["residual"] * size, rtol=1e-9)


def test_a_gap_has_no_frequency() -> None:
    windows = WINDOWS.copy()
    windows[1, 3, 0] = np.nan
    with pytest.raises(InvalidInput):
        FanSplit().transform(windows)


def test_every_slice_has_its_own_mean_and_deviation() -> None:
    answer = SliceZScore(period=4, eps=0.0, ddof=0).apply_to(WINDOWS)
    slices = answer["y"].reshape(3, 3, 4, 2)
    np.testing.assert_allclose(slices.mean(axis=2), 0.0, atol=1e-14)
    np.testing.assert_allclose(slices.std(axis=2), 1.0, atol=1e-12)
    back = SliceZScore(period=4).inverse_transform(
        answer["y"], loc=answer["loc"], scale=answer["scale"]
    )
    np.testing.assert_allclose(back, WINDOWS, atol=1e-12)


def test_windows_of_no_whole_slices_are_refused() -> None:
    with pytest.raises(ShapeError, match="no multiple of the period 5"):
        SliceZScore(period=5).transform(WINDOWS)
    with pytest.raises(InvalidParams, match="period"):
        SliceZScore().transform(WINDOWS)


def test_a_slice_without_spread_is_zero_and_flagged() -> None:
    windows = WINDOWS.copy()
    windows[1, :4, 1] = 7.0
    answer = SliceZScore(period=4).apply_to(windows)
    np.testing.assert_array_equal(answer["y"][1, :4, 1], 0.0)
    assert answer.flags["constant"].tolist() == [[1, 1]]
