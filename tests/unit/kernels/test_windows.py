import numpy as np
import pytest

from normalizers.kernels.windows import carried, rolling


@pytest.fixture
def series():
    rng = np.random.default_rng(6)
    x = rng.normal(loc=[[0.0], [1e6]], size=(2, 60))
    x[rng.random(x.shape) < 0.15] = np.nan
    return x


def brute_force(x, window, step, include_current):
    stop = step + 1 if include_current else step
    part = x[max(0, stop - window) : stop]
    return part[~np.isnan(part)]


@pytest.mark.parametrize("window", [1, 2, 3, 7, 8, 61, 200])
@pytest.mark.parametrize("include_current", [True, False])
def test_windows_agree_with_slices(series, window, include_current):
    result = rolling(series, window, include_current=include_current)
    std = result.std(ddof=1)
    for step in range(series.shape[1]):
        for row in range(2):
            part = brute_force(series[row], window, step, include_current)
            assert result.n[row, step] == len(part)
            assert result.constant[row, step] == (len(set(part.tolist())) == 1)
            if len(part):
                assert result.mean[row, step] == pytest.approx(part.mean(), rel=1e-13, abs=1e-13)
            if len(part) > 1:
                assert std[row, step] == pytest.approx(part.std(ddof=1), rel=1e-8)


@pytest.mark.parametrize("window", [1, 5, 6, 50])
@pytest.mark.parametrize("include_current", [True, False])
@pytest.mark.parametrize("size", [1.0, 1e-300, 1e300])
def test_chunks_give_the_same_bits(series, window, include_current, size):
    series = series / 1e6 * size
    series[:, 20] *= 1e7
    whole = rolling(series, window, include_current=include_current)
    state = None
    for start, stop in ((0, 1), (1, 1), (1, 4), (4, 30), (30, 60)):
        chunk = series[:, start:stop]
        part = rolling(chunk, window, state, start=start, include_current=include_current)
        state = carried(chunk, window, state, include_current=include_current)
        for mine, theirs in zip(part, whole, strict=True):
            np.testing.assert_array_equal(mine, theirs[:, start:stop])


def test_pieces_in_time_and_of_series_change_no_bit(series, monkeypatch):
    whole = rolling(series, 5)
    monkeypatch.setattr("normalizers.kernels.windows.CACHED", 8)
    for mine, theirs in zip(rolling(series, 5), whole, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_spike_leaves_no_trace():
    x = np.array([1.2e3, 1.3e17, 1.5e17, 1.995e3, 1.990e3, 1.8e3, 2.5e3])[None]
    std = rolling(x, 2).std(ddof=1)[0, -3:]
    np.testing.assert_allclose(std, np.array([5.0, 190.0, 700.0]) / np.sqrt(2), rtol=1e-14)


@pytest.mark.parametrize("size", [1e-300, 1e-150, 1e150, 1e300])
def test_sizes_whose_squares_leave_the_range(size):
    x = np.array([1.0, 2.0, 4.0, 8.0])[None]
    scaled, plain = rolling(x * size, 3), rolling(x, 3)
    np.testing.assert_allclose(scaled.std(0) / size, plain.std(0), rtol=1e-13)
    np.testing.assert_allclose(scaled.mean / size, plain.mean, rtol=1e-14)


def test_small_values_beside_a_large_one_come_back_exactly():
    x = np.array([1e-300, 1e300, 2e-300, 4e-300])[None]
    result = rolling(x, 2)
    assert result.std(ddof=0)[0, -1] == pytest.approx(1e-300, rel=1e-14)
    assert result.mean[0, 2] == pytest.approx(5e299)


def test_constants_are_exact():
    result = rolling(np.array([0.1, 0.1, 0.1, np.nan, 0.1])[None], 3)
    assert result.constant.all()
    assert not result.m2.any()
    assert set(result.mean[0].tolist()) == {0.1}


def test_the_carried_steps_keep_missing_ones():
    x = np.array([[1.0, np.nan, 3.0]])
    assert np.isnan(carried(x, 3)[0, 0])
    assert carried(x, 1).shape == (1, 0)
    assert carried(x, 1, include_current=False).tolist() == [[3.0]]


@pytest.mark.parametrize("current", [True, False])
@pytest.mark.parametrize("window", [1, 2, 5, 20])
def test_one_step_at_a_time_gives_the_bits_of_the_whole(window: int, current: bool) -> None:
    rng = np.random.default_rng(window)
    series = rng.normal(size=(2, 45)) * 10.0 ** rng.integers(-3, 4, size=(2, 45))
    series[0, 11:14], series[1, 20:30], series[0, 30], series[1, 5] = np.nan, 0.1, -0.0, 1e120
    whole = rolling(series, window, include_current=current)
    previous = np.empty((2, 0))
    for step in range(series.shape[1]):
        one = series[:, step : step + 1]
        found = rolling(one, window, previous, start=step, include_current=current)
        for part, expected in zip(found, whole, strict=True):
            np.testing.assert_array_equal(part[:, 0], expected[:, step], str(step))
        previous = carried(one, window, previous, include_current=current)
