"""Maps of stored channels: ends, ranges, channels without spread, pages of a sequence."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ChannelMaxAbs, ChannelMinMax, DecimalScale, PercentileMinMax
from normalizers.errors import FitError, InvalidParams, NonFiniteError

X = np.random.default_rng(2).normal(2.0, 3.0, size=(40, 3))


def test_the_ends_of_the_fit_become_the_ends_of_the_range() -> None:
    y = ChannelMinMax(range=[-1.0, 3.0]).fit(X).transform(X)
    np.testing.assert_allclose(y.min(axis=0), -1.0, atol=1e-15)
    np.testing.assert_allclose(y.max(axis=0), 3.0, rtol=1e-15)
    assert ChannelMinMax().fit(X).transform(X).max() == 1.0


def test_values_beyond_the_ends_are_flagged_and_clipped_where_asked() -> None:
    beyond = np.concatenate([X, [[99.0, 0.0, 0.0]]])
    answer = ChannelMinMax().fit(X).apply_to(beyond)
    assert answer.flags["out_of_range"].tolist() == [40]
    assert answer.output["y"].max() > 1
    clipped = ChannelMinMax(clip=True).fit(X)
    assert clipped.transform(beyond).max() == 1.0
    back = clipped.inverse_to(clipped.transform(beyond))
    assert 40 in back.flags["clipped"]


@pytest.mark.parametrize(("range_", "lower"), [(None, 0.0), ([-1.0, 1.0], -1.0)])
def test_a_channel_without_spread_gives_the_lower_end(
    range_: list[float] | None, lower: float
) -> None:
    method = ChannelMinMax(range=range_).fit([[5.0], [5.0]])
    assert method.transform([[5.0], [7.0]]).tolist() == [[lower], [lower + 2.0]]
    assert method.apply_to([[5.0]]).flags["constant"].tolist() == [0]


def test_a_distance_beyond_the_largest_float_is_refused() -> None:
    with pytest.raises(FitError, match="rescale the data"):
        ChannelMinMax().fit([[-1.7e308], [1.7e308]])


def test_gaps_are_ordinary_unless_they_are_refused() -> None:
    gappy = X.copy()
    gappy[3, 1] = np.nan
    answer = ChannelMaxAbs().fit(gappy).apply_to(gappy)
    assert answer.flags["missing"].tolist() == [[3, 1]]
    with pytest.raises(NonFiniteError):
        ChannelMaxAbs(nan_policy="reject").fit(gappy)
    with pytest.raises(NonFiniteError, match="an infinity"):
        ChannelMaxAbs().fit([[np.inf], [1.0]])


def test_a_constant_channel_has_a_size() -> None:
    assert ChannelMaxAbs().fit([[-4.0], [-4.0]]).transform([[2.0]]).tolist() == [[0.5]]
    assert ChannelMaxAbs().fit([[0.0], [0.0]]).transform([[2.0]]).tolist() == [[2.0]]


@pytest.mark.parametrize(
    ("largest", "exponent"),
    [(1.0, 1), (0.1, 0), (999.9, 3), (1000.0, 4), (0.099, -1), (0.0, 0), (1e-7, -6), (1e15, 16)],
)
def test_the_smallest_power_of_ten_above_the_largest_size(largest: float, exponent: int) -> None:
    method = DecimalScale().fit([[-largest], [0.0]])
    assert method.fitted_["exponent"].tolist() == [exponent]
    assert abs(method.transform([[largest]])[0, 0]) < 1


def test_what_is_served_page_by_page_is_the_whole() -> None:
    method = PercentileMinMax(invert=True).fit(X)
    pages = [method.transform(X[start : start + 8]) for start in range(0, 40, 8)]
    np.testing.assert_array_equal(np.concatenate(pages), method.transform(X))
    assert method.transform(X).min() == 0.0
    assert method.transform(X).max() == 1.0


def test_stored_percentiles_are_enough() -> None:
    method = PercentileMinMax(quantile_range=[1, 99])
    method.fit_statistics(quantiles={"p": [0.01, 0.99], "v": [[-2.0, 0.0], [2.0, 10.0]]})
    assert method.transform([[0.0, 5.0]]).tolist() == [[0.5, 0.5]]


def test_windows_of_channels_keep_their_axes() -> None:
    windows = X.reshape(8, 5, 3)
    for method in (ChannelMinMax(), ChannelMaxAbs(), DecimalScale(), PercentileMinMax()):
        y = method.fit(windows).transform(windows)
        np.testing.assert_array_equal(y.reshape(40, 3), method.transform(X))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (ChannelMinMax(range=[1.0, 0.0]), "params.range"),
        (PercentileMinMax(quantile_range=[95, 5]), "params.quantile_range"),
    ],
)
def test_ends_that_do_not_ascend_are_refused(method: ChannelMinMax, path: str) -> None:
    with pytest.raises(InvalidParams, match="two ascending numbers") as caught:
        method.fit(X)
    assert caught.value.path == path
