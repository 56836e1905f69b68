"""Channels that share statistics, as prices and sizes of an order book do."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    ChannelMaxAbs,
    ChannelMinMax,
    DecimalScale,
    PercentileMinMax,
    PowerTransform,
    RobustScaling,
    Standardization,
    errors,
)
from normalizers.normalizer import Normalizer

BOOK = np.random.default_rng(2).normal([100, 5, 101, 8], [1, 3, 2, 2], size=(50, 4))
SIDES = ["price", "size", "price", "size"]


def test_tlob_prices_share_one_mean_and_deviation_and_sizes_another() -> None:
    y = Standardization(channel_groups=SIDES, ddof=1).fit(BOOK).transform(BOOK)
    for place in (0, 1):
        pooled = BOOK[:, place::2]
        expected = (pooled - pooled.mean()) / pooled.std(ddof=1)
        np.testing.assert_allclose(y[:, place::2], expected, rtol=1e-12)


@pytest.mark.parametrize(
    "cls",
    [ChannelMinMax, ChannelMaxAbs, DecimalScale, PercentileMinMax, RobustScaling, Standardization],
)
def test_a_label_is_measured_as_one_column_of_all_its_values(cls: type[Normalizer]) -> None:
    book = BOOK.copy()
    book[3, 0] = np.nan
    shared = cls(channel_groups=SIDES, nan_policy="omit").fit(book)
    alone = cls(nan_policy="omit").fit(book[:, ::2].reshape(-1, 1))
    y, expected = shared.transform(book), alone.transform(book[:, ::2].reshape(-1, 1))
    np.testing.assert_allclose(y[:, ::2].reshape(-1, 1), expected, rtol=1e-12, atol=1e-13)
    back = shared.inverse_transform(y)[:, ::2].reshape(-1, 1)
    np.testing.assert_allclose(back, alone.inverse_transform(expected), rtol=1e-12)


def test_parts_merge_as_without_labels() -> None:
    parts = [ChannelMinMax(channel_groups=SIDES).fit(part) for part in (BOOK[:20], BOOK[20:])]
    merged = parts[0].merge(parts[1])
    assert np.array_equal(
        merged.transform(BOOK), ChannelMinMax(channel_groups=SIDES).fit(BOOK).transform(BOOK)
    )
    plain = ChannelMinMax().fit(BOOK).version_.statistics["extrema"]
    assert np.array_equal(merged.version_.statistics["extrema"].min, plain.min)


def test_weighted_and_grouped_rows_share_too() -> None:
    weights = np.linspace(1, 2, len(BOOK))
    weighted = Standardization(channel_groups=SIDES, weight_kind="reliability")
    weighted.fit(BOOK, sample_weights=weights)
    loc = np.average(BOOK[:, ::2].mean(axis=1), weights=weights)
    assert weighted.version_.fitted["loc"][0] == pytest.approx(loc, rel=1e-12)
    labels = ["a"] * 30 + ["b"] * 20
    grouped = ChannelMinMax(channel_groups=SIDES, scope="group").fit(BOOK, groups=labels)
    y = grouped.transform(BOOK, groups=labels)
    assert y[:30, ::2].max() == y[30:, ::2].max() == 1.0
    request = Standardization(channel_groups=SIDES, scope="request").transform(BOOK)
    assert request[:, ::2].mean() == pytest.approx(0, abs=1e-12)
    assert abs(request[:, 0].mean()) > 0.05


def test_labels_are_as_many_as_columns() -> None:
    with pytest.raises(errors.InvalidParams, match="4 columns and 3 labels") as refused:
        ChannelMinMax(channel_groups=SIDES[:3]).fit(BOOK)
    assert refused.value.path == "params.channel_groups"
    with pytest.raises(errors.FitError, match="'n' too"):
        ChannelMinMax(channel_groups=["a", "a"]).fit_statistics(
            extrema={"min": [0.0, 1.0], "max": [2.0, 3.0]}
        )
    with pytest.raises(errors.InvalidParams, match="channel_groups"):
        PowerTransform(channel_groups=SIDES).fit(BOOK - BOOK.min() + 1)
