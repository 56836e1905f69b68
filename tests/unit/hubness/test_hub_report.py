"""What a fit report says of hubs, and how it is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    Csls,
    DynamicInvertedSoftmax,
    GlobalCorrection,
    InvertedSoftmax,
    LocalScaling,
    Sinkhorn,
)
from normalizers.bases.banks import SentBank
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.hubness.base import hub_report
from normalizers.hubness.base.hub_report import best, nearest_counts
from normalizers.pictures.contents import plots_of

RNG = np.random.default_rng(4)
LEANING = RNG.normal(size=40)
BANK = RNG.normal(size=(80, 40)) + LEANING
IDS = [f"item {place}" for place in range(40)]


@pytest.mark.parametrize("method", [Sinkhorn, InvertedSoftmax, Csls])
def test_hubs_are_named_with_their_distance_from_the_median(method) -> None:  # type: ignore[no-untyped-def]
    hub = method().fit(BANK, gallery_ids=IDS)
    found = hub.report_["hubs"]
    bias = hub.fitted_["item_bias"]
    assert [one["item"] for one in found][:3] == [IDS[j] for j in np.argsort(-bias)[:3]]  # type: ignore[attr-defined]
    middle = np.median(bias)
    deviation = 1.4826 * np.median(np.abs(bias - middle))
    assert found[0]["robust_z"] == pytest.approx((bias.max() - middle) / deviation)  # type: ignore[index]


def test_occurrences_are_those_of_the_bank_beside_random_ones() -> None:
    told = Sinkhorn().fit(BANK, gallery_ids=IDS).report_["k_occurrence"]
    near = np.argsort(-BANK, axis=1, kind="stable")[:, :10]
    counts = np.bincount(near.ravel(), minlength=40)
    assert (told["k"], told["rows"]) == (10, 80)  # type: ignore[index]
    assert told["count"][0] == counts.min()  # type: ignore[index]
    assert told["count"][-1] == counts.max()  # type: ignore[index]
    assert told["robin_hood"] > told["robin_hood_random"] + 0.1  # type: ignore[index]
    first = told["hubs"][0]  # type: ignore[index]
    assert (first["item"], first["count"]) == (IDS[int(np.argmax(counts))], counts.max())


def test_counts_that_a_method_keeps_are_reported_after_a_merge_too() -> None:
    parts = [DynamicInvertedSoftmax().fit(part, gallery_ids=IDS) for part in (BANK[:30], BANK[30:])]
    told = parts[0].merge(parts[1]).report_
    whole = DynamicInvertedSoftmax().fit(BANK, gallery_ids=IDS).report_
    assert told["k_occurrence"] == whole["k_occurrence"]
    assert told["k_occurrence"]["rows"] == 80  # type: ignore[index]
    assert told["active_share"] == whole["active_share"]


def test_hubs_are_told_of_merged_banks_and_not_of_what_has_no_bias() -> None:
    parts = [Csls().fit(part, gallery_ids=IDS) for part in (BANK[:30], BANK[30:])]
    assert parts[0].merge(parts[1]).report_["hubs"]
    assert "hubs" not in GlobalCorrection().fit(BANK).report_
    assert "hubs" not in LocalScaling().fit(BANK + 20).report_
    assert "k_occurrence" not in Csls().fit(BANK[:, :12]).report_


@pytest.mark.parametrize("scale", [1.0, 1e-25])
def test_a_large_bank_is_looked_at_in_part(monkeypatch: pytest.MonkeyPatch, scale: float) -> None:
    monkeypatch.setattr(hub_report, "PAIRS", 40 * 20)
    queries = RNG.normal(size=(80, 8)).astype(np.float32)
    items = (scale * RNG.normal(size=(40, 8))).astype(np.float32)
    counts, rows = nearest_counts(EmbeddedBank(queries, items))  # type: ignore[misc]
    unit = items.astype(float) / np.linalg.norm(items.astype(float), axis=1, keepdims=True)
    assert rows == 20
    expected = nearest_counts(SentBank(queries[::4].astype(float) @ unit.T))
    assert counts.tolist() == expected[0].tolist()  # type: ignore[index]


@pytest.mark.parametrize("size", [3, 2048, 2049, 9000])
@pytest.mark.parametrize("k", [1, 10, 200])
def test_the_best_are_the_first_of_a_stable_order(size: int, k: int) -> None:
    for scores in (RNG.normal(size=size), RNG.integers(0, 9, size).astype(float), np.zeros(size)):
        missing = scores.copy()
        missing[[0, size - 1]] = np.nan
        for values in (scores, missing):
            order = np.argsort(-values, kind="stable")
            assert best(values, k).tolist() == order[~np.isnan(values[order])][:k].tolist()


def test_a_report_draws_occurrences_and_biases() -> None:
    pytest.importorskip("matplotlib")
    for method in (Sinkhorn(), DynamicInvertedSoftmax()):
        hub = method.fit(BANK)
        titles = [plot.title for plot in plots_of(hub.report_, hub.fitted_)]
        assert titles == ["how often items are near", "bias of items"]
        assert len(hub.report_.plot().axes) == 2


def test_a_merge_draws_what_its_sums_tell() -> None:
    parts = [Csls().fit(part, gallery_ids=IDS) for part in (BANK[:30], BANK[30:])]
    merged = parts[0].merge(parts[1])
    (drawn,) = plots_of(merged.report_, merged.fitted_)
    assert drawn.title == "bias of items"
