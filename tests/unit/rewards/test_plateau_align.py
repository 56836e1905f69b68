"""Quality that grows with size up to a plateau."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import PlateauAlign
from normalizers.errors import FitError, InvalidInput, InvalidParams
from normalizers.kernels.broken_line import broken_line
from normalizers.testing.compare import assert_close

SIZES = [2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 24.0]
SCORES = [5.0, 9.0, 13.0, 17.0, 22.0, 22.0, 22.0, 22.0]
GROUPS = ["a"] * 8


def test_the_worked_example() -> None:
    fitted = PlateauAlign().fit(SCORES, groups=GROUPS, sizes=SIZES)
    told = fitted.report_["groups"][0]  # type: ignore[index]
    assert told["critical_size"] == pytest.approx(10.5)
    assert told["lower_critical_size_by_convention"] == pytest.approx(5.25)
    assert (told["intercept"], told["slope_below"]) == (pytest.approx(1), pytest.approx(2))
    assert told["slope_above"] == pytest.approx(0, abs=1e-12)
    assert (told["n_below"], told["n_above"]) == (4, 4)
    assert fitted.transform([11.0], groups=["a"])[0] == pytest.approx(0.5)
    assert fitted.inverse_transform([0.5], groups=["a"])[0] == pytest.approx(11.0)


def test_no_break_of_a_grid_is_better_in_noise() -> None:
    random = np.random.default_rng(3)
    size = np.sort(random.integers(1, 60, size=80)).astype(float)
    score = 3 + 0.8 * np.minimum(size, 25) + random.normal(scale=0.8, size=80)
    u, codes = np.unique(size, return_inverse=True)
    weight = np.bincount(codes).astype(float)
    mean = np.bincount(codes, score) / weight
    line = broken_line(u, mean, weight)
    assert line is not None

    def residual(at: float) -> float:
        columns = np.column_stack([np.ones_like(u), np.minimum(u, at), np.maximum(u - at, 0)])
        root = np.sqrt(weight)
        found = np.linalg.lstsq(columns * root[:, None], mean * root, rcond=None)[0]
        return float(weight @ (mean - columns @ found) ** 2)

    grid = [residual(at) for at in np.arange(u[1], u[-2], 0.05)]
    assert line.residual <= min(grid) * (1 + 1e-9)


def test_groups_without_a_plateau_are_refused_or_take_their_largest_fitted_value() -> None:
    for sizes, scores in (
        ([5.0] * 8, SCORES),
        ([1.0, 2.0, 3.0] * 2 + [1.0, 2.0], SCORES),
        (SIZES, SIZES),
        (SIZES, [-v for v in SCORES]),
    ):
        with pytest.raises(FitError, match="no plateau: 'a'"):
            PlateauAlign().fit(scores, groups=GROUPS, sizes=sizes)
    fitted = PlateauAlign(no_plateau="max").fit(SIZES, groups=GROUPS, sizes=SIZES)
    answer = fitted.apply_to([12.0], groups=["a"])
    assert answer.output["y"] == pytest.approx([0.5])
    assert answer.flags["degenerate"].tolist() == [0]


def test_parts_merge_exactly_and_weights_count() -> None:
    whole = PlateauAlign().fit(SCORES * 2, groups=GROUPS * 2, sizes=SIZES * 2)
    parts = [
        PlateauAlign(no_plateau="max").fit(
            SCORES[a:b] * 2, groups=GROUPS[a:b] * 2, sizes=SIZES[a:b] * 2
        )
        for a, b in ((0, 3), (3, 8))
    ]
    merged = parts[0].merge(parts[1])
    assert_close(merged.statistics_.to_arrays(), whole.statistics_.to_arrays(), 1e-12)
    weighted = PlateauAlign(weight_kind="frequency").fit(
        SCORES, groups=GROUPS, sizes=SIZES, sample_weights=[2.0] * 8
    )
    assert weighted.fitted_["plateau"] == pytest.approx(whole.fitted_["plateau"])


def test_a_difference_keeps_units_and_a_ratio_needs_a_positive_plateau() -> None:
    low = [score - 30 for score in SCORES]
    with pytest.raises(FitError, match="not above 0"):
        PlateauAlign().fit(low, groups=GROUPS, sizes=SIZES)
    fitted = PlateauAlign(variant="difference", target="mean_plateau").fit(
        low + SCORES, groups=GROUPS + ["b"] * 8, sizes=SIZES * 2
    )
    found = fitted.transform([-8.0, 22.0], groups=["a", "b"])
    np.testing.assert_allclose(found, [7.0, 7.0])


def test_an_unseen_group_and_impossible_sizes_are_refused() -> None:
    fitted = PlateauAlign().fit(SCORES, groups=GROUPS, sizes=SIZES)
    with pytest.raises(InvalidInput, match="'z'"):
        fitted.transform([1.0], groups=["z"])
    passed = PlateauAlign(unknown_group="pass").fit(SCORES, groups=GROUPS, sizes=SIZES)
    assert passed.transform([3.0], groups=["z"]).tolist() == [3.0]
    with pytest.raises(InvalidInput) as refused:
        PlateauAlign().fit(SCORES, groups=GROUPS, sizes=[0.0, *SIZES[1:]])
    assert refused.value.path == "fit.sizes[0]"
    with pytest.raises(InvalidParams):
        PlateauAlign(target=0.0).fit(SCORES, groups=GROUPS, sizes=SIZES)
