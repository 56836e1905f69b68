"""Links of whole distributions: by quantiles, and by percentile ranks of whole scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from normalizers import LinkEquipercentile, QuantileMap
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NotEnoughData,
)
from normalizers.kernels.equipercentile import GridCounts, percentile_ranks, scores_of_ranks

SOURCE = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0]
REFERENCE = [10.0, 20.0, 20.0, 30.0, 40.0, 50.0]
K = ["k"] * 8
LINKS = [QuantileMap, LinkEquipercentile]


def test_mid_ranks_and_steps_differ_by_half_a_count() -> None:
    steps = QuantileMap().fit(SOURCE, groups=K, reference=REFERENCE)
    ranks = QuantileMap(variant="mid_rank").fit(SOURCE, groups=K, reference=REFERENCE)
    assert steps.transform([9.0, 1.0], groups=["k"] * 2).tolist() == [50.0, 12.5]
    expected = np.quantile(REFERENCE, [7.5 / 8, 1.0 / 8])
    assert np.allclose(ranks.transform([9.0, 1.0], groups=["k"] * 2), expected)


def test_a_group_mapped_onto_itself_is_unchanged() -> None:
    fitted = QuantileMap(reference_group="k").fit(SOURCE, groups=K)
    assert np.allclose(fitted.transform(SOURCE, groups=K), SOURCE)
    whole = LinkEquipercentile(reference_group="k").fit(SOURCE, groups=K)
    assert np.allclose(whole.transform(SOURCE, groups=K), SOURCE)


@pytest.mark.parametrize("cls", LINKS)
def test_equal_references_are_kept_once_and_others_refused(cls) -> None:  # type: ignore[no-untyped-def]
    whole = cls().fit(SOURCE, groups=K, reference=REFERENCE)
    parts = cls().fit(SOURCE[:5], groups=K[:5], reference=REFERENCE)
    parts.partial_fit(SOURCE[5:], groups=K[5:], reference=REFERENCE)
    asked = {"groups": K}
    assert np.array_equal(parts.transform(SOURCE, **asked), whole.transform(SOURCE, **asked))
    with pytest.raises(IncompatibleStatistics):
        parts.partial_fit([7.0], groups=["k"], reference=[1.0])


@pytest.mark.parametrize("cls", LINKS)
def test_what_no_scores_can_be_mapped_to_is_refused(cls) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FitError, match="reference"):
        cls().fit(SOURCE, groups=K, reference=[np.nan])
    with pytest.raises(FitError, match="'z'"):
        cls(reference_group="z").fit(SOURCE, groups=K)
    with pytest.raises(NotEnoughData):
        cls().fit([np.nan], groups=["k"], reference=REFERENCE)
    with pytest.raises(InvalidInput, match="'z'"):
        cls().fit(SOURCE, groups=K, reference=REFERENCE).transform([1.0], groups=["z"])


@pytest.mark.parametrize("cls", LINKS)
def test_all_groups_together_stand_in_for_an_unknown_one(cls) -> None:  # type: ignore[no-untyped-def]
    groups = ["a"] * 4 + ["b"] * 4
    lenient = cls(unknown_group="global").fit(SOURCE, groups=groups, reference=REFERENCE)
    together = cls().fit(SOURCE, groups=K, reference=REFERENCE)
    answer = lenient.apply_to(SOURCE, groups=["z"] * 8)
    assert np.array_equal(answer["y"], together.transform(SOURCE, groups=K))
    assert len(answer.flags["unknown_group"]) == 8


@pytest.mark.parametrize("cls", LINKS)
def test_missing_is_missing_and_beyond_the_scores_is_flagged(cls) -> None:  # type: ignore[no-untyped-def]
    fitted = cls(unknown_group="global").fit(SOURCE, groups=K, reference=REFERENCE)
    answer = fitted.apply_to([np.nan, 1e3, -1e3, 2.0], groups=["k"] * 4)
    assert np.isnan(answer["y"]).tolist() == [True, False, False, False]
    assert answer.flags["out_of_range"].tolist() == [1, 2]


def test_parts_of_a_whole_score_are_no_scores_of_a_grid() -> None:
    with pytest.raises(InvalidInput, match="whole numbers") as refusal:
        LinkEquipercentile().fit([1.0, 1.5], groups=["k"] * 2, reference=REFERENCE)
    assert refusal.value.path == "fit.x[1]"
    with pytest.raises(FitError, match="beyond the grid"):
        LinkEquipercentile(upper=5).fit(SOURCE, groups=K, reference=REFERENCE)
    with pytest.raises(InvalidParams, match="lower to upper"):
        LinkEquipercentile(lower=5, upper=4).fit(SOURCE, groups=K, reference=REFERENCE)
    with pytest.raises(FitError, match="grid has at most"):
        LinkEquipercentile().fit([0.0, 1e9], groups=["k"] * 2, reference=REFERENCE)


GRIDS = st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any)


@given(GRIDS, st.integers(-5, 5))
def test_ranks_of_whole_numbers_come_back_where_they_occur(counts: list[int], lower: int) -> None:
    grid = GridCounts(lower, np.array(counts, dtype=np.int64))
    numbers = np.flatnonzero(grid.counts) + float(lower)
    assert np.allclose(scores_of_ranks(grid, percentile_ranks(grid, numbers)), numbers, atol=1e-12)


@given(GRIDS, GRIDS)
def test_the_link_never_falls_nor_leaves_the_grid(first: list[int], second: list[int]) -> None:
    source, target = (GridCounts(0, np.array(counts, dtype=np.int64)) for counts in (first, second))
    x = np.linspace(-1, len(first), 50)
    y = scores_of_ranks(target, percentile_ranks(source, x))
    assert (np.diff(y) >= -1e-12).all()
    assert y.min() >= -0.5
    assert y.max() <= len(second) - 0.5
