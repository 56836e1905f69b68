"""Chunks of any size, columns and blocks give the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import RollingZScore
from tests.unit.series.causal.rolling_z_score.samples import STREAM, chunked


@pytest.mark.parametrize("sizes", [[12], [3, 1, 6, 2], [1] * 12, [0, 5, 0, 7], [11, 1]])
@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("window", [1, 2, 4, 5, 30])
def test_any_chunks_give_the_same_bits(window: int, current: bool, sizes: list[int]) -> None:
    method = RollingZScore(window=window, min_periods=1, ddof=0, include_current=current)
    assert chunked(method, STREAM, sizes) == method.transform(STREAM).tobytes()


def test_chunks_of_several_windows_and_channels() -> None:
    x = np.random.default_rng(2).normal(size=(3, 20, 2)) * [1.0, 1e9]
    method = RollingZScore(window=6, min_periods=3)
    whole = np.ascontiguousarray(method.transform(x)).tobytes()
    assert chunked(method, x, [4, 1, 9, 6]) == whole


def test_ts_library_819_a_prefix_is_the_prefix_of_the_whole() -> None:
    method = RollingZScore(window=5, min_periods=2, include_current=False)
    whole = method.transform(STREAM)
    for stop in range(1, len(STREAM)):
        assert method.transform(STREAM[:stop]).tobytes() == whole[:stop].tobytes()


def test_a_column_depends_on_nothing_but_itself() -> None:
    x = np.random.default_rng(4).normal(size=(3, 15, 2))
    method = RollingZScore(window=4)
    together = method.transform(x)
    for window in range(3):
        for channel in range(2):
            alone = method.transform(x[window, :, channel])
            assert alone.tobytes() == together[window, :, channel].tobytes()


def test_blocks_of_columns_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(6).normal(size=(4, 9, 3))
    whole = RollingZScore(window=3).apply_to(x=x)
    monkeypatch.setattr("normalizers.kernels.windows.CACHED", 8)
    blocks = RollingZScore(window=3).apply_to(x=x)
    for name in ("y", "loc", "scale"):
        assert blocks[name].tobytes() == whole[name].tobytes()
