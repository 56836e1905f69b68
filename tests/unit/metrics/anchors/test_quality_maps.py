"""What all maps to the quality of anchors do alike."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import AnchorIsotonic, AnchorLinear, AnchorPiecewiseLinear
from normalizers.errors import FitError, InvalidInput, NotEnoughData, UnsupportedOperation

RANDOM = np.random.default_rng(7)
QUALITIES = np.repeat([-20.0, -15.0, -10.0, -5.0], 10)
SCORES = 90 + 0.8 * QUALITIES + RANDOM.normal(size=40)
GROUPS = (["de", "fr"] * 20)[:40]
CURVES = [AnchorIsotonic, AnchorPiecewiseLinear]
MAPS = [*CURVES, AnchorLinear]


@pytest.mark.parametrize("cls", MAPS)
def test_parts_of_the_anchors_make_the_whole_fit(cls) -> None:  # type: ignore[no-untyped-def]
    whole = cls().fit(SCORES, groups=GROUPS, qualities=QUALITIES)
    parts = cls()
    for part in (slice(0, 13), slice(13, 40)):
        parts.partial_fit(SCORES[part], groups=GROUPS[part], qualities=QUALITIES[part])
    x = np.linspace(60, 100, 9)
    asked = {"groups": ["de"] * 9}
    assert np.allclose(parts.transform(x, **asked), whole.transform(x, **asked), rtol=1e-12)


@pytest.mark.parametrize("cls", MAPS)
def test_the_direction_of_the_scores_only_mirrors_them(cls) -> None:  # type: ignore[no-untyped-def]
    up = cls().fit(SCORES, groups=GROUPS, qualities=QUALITIES)
    down = cls(higher_is_better=False).fit(-SCORES, groups=GROUPS, qualities=QUALITIES)
    x = np.linspace(60, 100, 9)
    asked = {"groups": ["fr"] * 9}
    assert np.allclose(up.transform(x, **asked), down.transform(-x, **asked), atol=1e-9)


@pytest.mark.parametrize("cls", MAPS)
def test_missing_scores_and_qualities_are_left_out_of_the_fit(cls) -> None:  # type: ignore[no-untyped-def]
    x = np.concatenate([SCORES, [np.nan, 1e6]])
    qualities = np.concatenate([QUALITIES, [3.0, np.nan]])
    with_missing = cls().fit(x, groups=[*GROUPS, "de", "fr"], qualities=qualities)
    without = cls().fit(SCORES, groups=GROUPS, qualities=QUALITIES)
    asked = {"groups": ["de", "fr", "de"]}
    given = [80.0, 85.0, np.nan]
    assert np.array_equal(
        with_missing.transform(given, **asked), without.transform(given, **asked), equal_nan=True
    )
    with pytest.raises(NotEnoughData):
        cls().fit([np.nan, 1.0], groups=["de"] * 2, qualities=[1.0, np.nan])


@pytest.mark.parametrize("cls", MAPS)
def test_unknown_groups_are_refused_or_take_the_map_of_all(cls) -> None:  # type: ignore[no-untyped-def]
    fitted = cls().fit(SCORES, groups=GROUPS, qualities=QUALITIES)
    with pytest.raises(InvalidInput, match="'si'"):
        fitted.transform([80.0], groups=["si"])
    lenient = cls(unknown_group="global").fit(SCORES, groups=GROUPS, qualities=QUALITIES)
    answer = lenient.apply_to([80.0, 81.0], groups=["de", "si"])
    together = cls().fit(SCORES, groups=["all"] * 40, qualities=QUALITIES)
    assert answer.flags["unknown_group"].tolist() == [1]
    assert answer["y"][1] == together.transform([81.0], groups=["all"])[0]


@pytest.mark.parametrize("cls", CURVES)
def test_scores_beyond_the_anchors_are_flagged_and_follow_the_rule(cls) -> None:  # type: ignore[no-untyped-def]
    x, qualities = [60.0, 70.0, 80.0], [-20.0, -10.0, -5.0]
    asked = {"groups": ["de"] * 2}
    made = {
        rule: cls(out_of_bounds=rule).fit(x, groups=["de"] * 3, qualities=qualities)
        for rule in ("clip", "linear", "missing", "error")
    }
    clipped = made["clip"].apply_to([50.0, 90.0], **asked)
    assert clipped["y"].tolist() == [-20.0, -5.0]
    assert clipped.flags["clipped"].tolist() == clipped.flags["out_of_range"].tolist() == [0, 1]
    assert [told.code for told in clipped.warnings] == ["beyond_anchors"]
    assert made["linear"].transform([50.0, 90.0], **asked).tolist() == [-30.0, 0.0]
    assert np.isnan(made["missing"].transform([50.0, 90.0], **asked)).all()
    with pytest.raises(InvalidInput, match="beyond the anchors"):
        made["error"].transform([50.0], groups=["de"])


@pytest.mark.parametrize("cls", CURVES)
def test_one_anchor_gives_its_quality(cls) -> None:  # type: ignore[no-untyped-def]
    fitted = cls().fit([70.0], groups=["de"], qualities=[-5.0])
    assert fitted.transform([70.0, 10.0], groups=["de", "de"]).tolist() == [-5.0, -5.0]
    assert [told["code"] for told in fitted.report_["warnings"]] == ["few_anchors"]


def test_levels_against_the_direction_are_pooled_and_told_or_refused() -> None:
    x, qualities = [60.0, 80.0, 70.0], [-15.0, -10.0, -5.0]
    fitted = AnchorPiecewiseLinear().fit(x, groups=["de"] * 3, qualities=qualities)
    assert fitted.report_["groups"][0]["violations"] == [[-10.0, -5.0]]
    assert fitted.transform([75.0], groups=["de"]).tolist() == [-7.5]
    with pytest.raises(FitError, match=r"-10\.0, -5\.0"):
        AnchorPiecewiseLinear(monotone="refuse").fit(x, groups=["de"] * 3, qualities=qualities)


def test_equal_mean_scores_of_two_levels_are_one_knot() -> None:
    fitted = AnchorPiecewiseLinear().fit(
        [70.0, 70.0, 80.0], groups=["de"] * 3, qualities=[-10.0, -5.0, 0.0]
    )
    assert fitted.transform([70.0, 75.0], groups=["de"] * 2).tolist() == [-7.5, -3.75]


def test_a_line_needs_scores_with_a_spread_or_a_prior() -> None:
    x, groups = [70.0, 70.0, 60.0, 80.0], ["de", "de", "fr", "fr"]
    qualities = [-5.0, -15.0, -20.0, 0.0]
    with pytest.raises(FitError, match=r"'de'.*slope_prior"):
        AnchorLinear().fit(x, groups=groups, qualities=qualities)
    pooled = AnchorLinear(slope_prior="pooled").fit(x, groups=groups, qualities=qualities)
    assert pooled.transform([71.0, 71.0], groups=["de", "fr"]).tolist() == [-9.0, -9.0]


@pytest.mark.parametrize("size", [1e-100, 1e-9, 1.0, 1e100])
def test_small_but_real_spread_is_scaled_and_rounding_noise_is_none(size: float) -> None:
    x = size * np.array([1.0, 2.0, 3.0])
    fitted = AnchorLinear().fit(x, groups=["de"] * 3, qualities=[0.0, 1.0, 2.0])
    assert np.allclose(fitted.transform(x, groups=["de"] * 3), [0.0, 1.0, 2.0])
    noise = size * (1.0 + np.array([0.0, 1.0, 0.0]) * np.finfo(float).eps)
    with pytest.raises(FitError, match="no spread"):
        AnchorLinear().fit(noise, groups=["de"] * 3, qualities=[0.0, 1.0, 2.0])


def test_scores_far_from_zero_keep_their_digits() -> None:
    x = 1e12 + np.array([0.0, 1.0, 2.0])
    fitted = AnchorLinear().fit(x, groups=["de"] * 3, qualities=[5.0, 6.0, 7.0])
    assert fitted.transform(x, groups=["de"] * 3).tolist() == [5.0, 6.0, 7.0]


def test_both_regressions_agree_on_a_line_and_differ_beside_noise() -> None:
    inverted = AnchorLinear(regression="score_on_quality_inverted")
    inverted.fit(SCORES, groups=["de"] * 40, qualities=QUALITIES)
    direct = AnchorLinear().fit(SCORES, groups=["de"] * 40, qualities=QUALITIES)
    slopes = [fit.report_["groups"][0]["slope"] for fit in (direct, inverted)]
    correlation = np.corrcoef(SCORES, QUALITIES)[0, 1]
    assert slopes[0] / slopes[1] == pytest.approx(correlation**2)
    with pytest.raises(FitError, match="slope 0"):
        AnchorLinear(regression="score_on_quality_inverted").fit(
            [1.0, 2.0], groups=["de"] * 2, qualities=[3.0, 3.0]
        )


def test_level_means_count_every_level_once() -> None:
    x, qualities = [10.0, 12.0, 14.0, 30.0], [1.0, 1.0, 1.0, 2.0]
    fitted = AnchorLinear(fit_on="level_means").fit(x, groups=["de"] * 4, qualities=qualities)
    assert fitted.transform([12.0, 30.0], groups=["de"] * 2).tolist() == [1.0, 2.0]


def test_a_level_line_has_no_way_back() -> None:
    fitted = AnchorLinear().fit([1.0, 2.0], groups=["de"] * 2, qualities=[3.0, 3.0])
    assert fitted.transform([7.0], groups=["de"]).tolist() == [3.0]
    with pytest.raises(UnsupportedOperation, match="'de'"):
        fitted.inverse_transform([3.0], groups=["de"])


def test_weights_count_as_repeated_anchors() -> None:
    often = np.arange(40) % 3
    weighted = AnchorLinear(weight_kind="frequency")
    weighted.fit(SCORES, groups=GROUPS, qualities=QUALITIES, sample_weights=often)
    repeated = AnchorLinear().fit(
        np.repeat(SCORES, often),
        groups=np.repeat(GROUPS, often).tolist(),
        qualities=np.repeat(QUALITIES, often),
    )
    x = [80.0, 90.0]
    asked = {"groups": ["de", "fr"]}
    assert np.allclose(weighted.transform(x, **asked), repeated.transform(x, **asked), rtol=1e-12)
