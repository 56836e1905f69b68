"""Options of a fit: read like those of a transform, honoured where they are declared."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from normalizers import MomentMatching
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    notice,
    series,
)
from normalizers.contract.fit_options import FitOptions
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.statistics import Moments

WINDOWS = np.arange(24.0).reshape(2, 3, 4)


class ChannelMeans(Normalizer):
    """Subtract the mean of each channel."""

    name = "channel_means"
    family = "series"
    kinds = ("fitted",)
    fits = Fields(x=series(help="windows"))
    takes = Fields(x=series(help="windows"))
    gives = Fields(y=series(help="centred windows"))
    keeps = {"moments": Moments()}
    traits = replace(Normalizer.traits, fit_options=frozenset({"layout", "recommend"}))
    example = Example(fit={"x": WINDOWS.tolist()}, input={"x": WINDOWS.tolist()})

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        x = batch.array("x")
        moments = cast(Moments, statistics["moments"])
        return statistics.replace(moments=moments.update(x.reshape(-1, x.shape[-1])))

    def solve(self, statistics: Statistics) -> Fitted:
        moments = cast(Moments, statistics["moments"])
        few = (notice("k_clamped", "fewer rows than asked for"),) if moments.n < 3 else ()
        return Fitted({"mean": moments.mean}, {"c": len(moments.mean)}, warnings=few)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        return Answer({"y": batch.array("x") - fitted["mean"]})

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        return {"recommended": "centring"} if batch.asked.get("recommend") else {}


def test_k3_a_fit_reads_its_layout() -> None:
    plain = ChannelMeans().fit(WINDOWS)
    moved = ChannelMeans().fit(WINDOWS.transpose(0, 2, 1), layout="NCT")
    np.testing.assert_array_equal(moved.fitted_["mean"], plain.fitted_["mean"])
    streamed = ChannelMeans().partial_fit(WINDOWS.transpose(0, 2, 1), layout="NCT")
    np.testing.assert_array_equal(streamed.fitted_["mean"], plain.fitted_["mean"])


def test_k3_recommend_advises_in_the_report_only_when_asked() -> None:
    assert "recommended" not in ChannelMeans().fit(WINDOWS).report_
    assert ChannelMeans().fit(WINDOWS, recommend=True).report_["recommended"] == "centring"


def test_k3_strict_refuses_a_fit_with_a_clamped_size() -> None:
    small = WINDOWS[:1, :2]
    assert ChannelMeans().fit(small).report_["warnings"]
    with pytest.raises(InvalidInput, match="k_clamped") as refused:
        ChannelMeans().fit(small, strict=True)
    assert refused.value.path == "options.strict"
    assert ChannelMeans().fit(WINDOWS, strict=True).is_fitted


def test_k3_what_a_method_does_not_declare_is_refused_by_name() -> None:
    with pytest.raises(InvalidParams, match="'recommend' has no meaning for a fit of") as refused:
        MomentMatching().fit([[1.0], [2.0]], reference=[[1.0], [3.0]], recommend=True)
    assert refused.value.path == "options.recommend"
    assert MomentMatching().fit([[1.0], [2.0]], reference=[[1.0], [3.0]], strict=True).is_fitted


def test_k3_options_are_read_strictly() -> None:
    with pytest.raises(InvalidParams, match="strict"):
        FitOptions.read({"strikt": True})
    with pytest.raises(InvalidParams) as refused:
        FitOptions.read({"strict": 1})
    assert refused.value.path == "options.strict"
    shared = FitOptions.shared(Options(strict=True, layout="NCT", explain=True), frozenset())
    assert shared.given == {"strict": True}
