"""Links by mean, and by mean and deviation."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import LinkMean, LinkMeanSigma
from normalizers.errors import FitError, IncompatibleStatistics, InvalidInput, NotEnoughData

GROUPS = ["fr"] * 3 + ["si"] * 3
SCORES = [1.0, 2.0, 3.0, 50.0, 60.0, 70.0]
REFERENCE = [0.0, 10.0]


@pytest.mark.parametrize("cls", [LinkMean, LinkMeanSigma])
def test_k15_a_reference_is_a_field_or_a_group_exactly_one(cls: type[LinkMean]) -> None:
    with pytest.raises(InvalidInput, match="'reference' is missing"):
        cls().fit(SCORES, groups=GROUPS)
    with pytest.raises(InvalidInput, match="unknown field 'reference'"):
        cls(reference_group="fr").fit(SCORES, groups=GROUPS, reference=REFERENCE)
    with pytest.raises(FitError, match="no row is of the reference group 'de'"):
        cls(reference_group="de").fit(SCORES, groups=GROUPS)


@pytest.mark.parametrize("cls", [LinkMean, LinkMeanSigma])
def test_k15_parts_share_their_reference_and_refuse_another(cls: type[LinkMean]) -> None:
    whole = cls().fit(SCORES, groups=GROUPS, reference=REFERENCE)
    parts = [
        cls().fit(SCORES[i::2], groups=GROUPS[i::2], reference=REFERENCE)
        if cls is LinkMean
        else cls(on_few="scale_one").fit(SCORES[i::2], groups=GROUPS[i::2], reference=REFERENCE)
        for i in (0, 1)
    ]
    merged = parts[0].merge(parts[1])
    expected = whole.transform(SCORES, groups=GROUPS)
    assert np.allclose(merged.transform(SCORES, groups=GROUPS), expected, rtol=1e-12)
    assert merged.statistics_["moments_reference"].n == 2
    streamed = cls()
    for start in (0, 3):
        rows = slice(start, start + 3)
        streamed.partial_fit(SCORES[rows], groups=GROUPS[rows], reference=REFERENCE)
    assert np.allclose(streamed.transform(SCORES, groups=GROUPS), expected, rtol=1e-12)
    other = cls().fit(SCORES, groups=GROUPS, reference=[0.0, 11.0])
    with pytest.raises(IncompatibleStatistics, match="the references are not the same"):
        whole.merge(other)


@pytest.mark.parametrize("cls", [LinkMean, LinkMeanSigma])
@pytest.mark.parametrize(
    ("name", "other"),
    [("reference_kind", "self"), ("higher_is_better", False), ("metric", "COMET-22")],
)
def test_k15_identity_is_identity(cls: type[LinkMean], name: str, other: object) -> None:
    fits = [
        cls(reference_group="fr", **params).fit(SCORES, groups=GROUPS)
        for params in ({}, {name: other})
    ]
    with pytest.raises(IncompatibleStatistics, match=name):
        fits[0].merge(fits[1])


def test_k15_a_fit_on_the_judged_scores_warns() -> None:
    fitted = LinkMean(reference_group="fr", reference_kind="self").fit(SCORES, groups=GROUPS)
    assert [noted["code"] for noted in fitted.report_["warnings"]] == ["self_alignment"]


def test_the_reference_group_itself_is_unchanged() -> None:
    fitted = LinkMeanSigma(reference_group="fr").fit(SCORES, groups=GROUPS)
    assert fitted.transform(SCORES, groups=GROUPS).tolist() == [1.0, 2.0, 3.0] * 2


def test_the_way_back_is_the_link_the_other_way() -> None:
    fitted = LinkMeanSigma(reference_group="fr").fit(SCORES, groups=GROUPS)
    back = LinkMeanSigma(reference_group="si").fit(SCORES, groups=GROUPS)
    linked = fitted.transform([55.0], groups=["si"])
    assert back.transform(linked, groups=["fr"]).tolist() == [55.0]
    assert fitted.inverse_transform(linked, groups=["si"]).tolist() == [55.0]


def test_the_ratio_of_deviations_depends_on_ddof_where_the_counts_differ() -> None:
    answers = [
        LinkMeanSigma(ddof=ddof).fit(SCORES[:3], groups=["k"] * 3, reference=[0.0, 10.0])
        for ddof in (0, 1)
    ]
    one, other = (fitted.transform([3.0], groups=["k"])[0] for fitted in answers)
    assert one == pytest.approx(5 + 5 / np.sqrt(2 / 3))
    assert other == pytest.approx(5 + np.sqrt(50))


def test_constant_fit_data_have_no_slope_unless_one_is_given() -> None:
    flat = {"x": [5.0, 5.0, 5.0], "groups": ["k"] * 3, "reference": REFERENCE}
    with pytest.raises(FitError, match="no spread, which gives no slope: 'k'") as caught:
        LinkMeanSigma().fit(**flat)
    assert caught.value.path == "params.slope"
    fitted = LinkMeanSigma(slope=2.0).fit(**flat)
    answer = fitted.apply_to([5.0, 6.0], groups=["k", "k"])
    assert answer["y"].tolist() == [5.0, 7.0]
    assert answer.flags["constant"].tolist() == [0, 1]


def test_rounding_noise_of_a_constant_is_no_spread() -> None:
    noise = [0.1 + 0.2, 0.3, 0.3]
    with pytest.raises(FitError, match="no slope"):
        LinkMeanSigma().fit(noise, groups=["k"] * 3, reference=REFERENCE)


def test_a_tiny_but_real_spread_is_one() -> None:
    fitted = LinkMeanSigma().fit([1e-9, 2e-9, 3e-9], groups=["k"] * 3, reference=[1.0, 2.0, 3.0])
    assert np.allclose(fitted.transform([2e-9, 3e-9], groups=["k", "k"]), [2.0, 3.0])


def test_a_reference_without_spread_is_refused_by_the_link_that_needs_one() -> None:
    with pytest.raises(FitError, match="link_mean moves the mean alone"):
        LinkMeanSigma().fit(SCORES, groups=GROUPS, reference=[4.0, 4.0])
    fitted = LinkMean().fit(SCORES, groups=GROUPS, reference=[4.0, 4.0])
    assert fitted.transform([2.0], groups=["fr"]).tolist() == [4.0]


def test_one_anchor_is_too_few_unless_it_is_moved_only() -> None:
    one = {"x": [7.0], "groups": ["k"], "reference": REFERENCE}
    with pytest.raises(NotEnoughData, match="fewer scored anchors"):
        LinkMeanSigma().fit(**one)
    answer = LinkMeanSigma(on_few="scale_one").fit(**one).apply_to([8.0], groups=["k"])
    assert answer["y"].tolist() == [6.0]
    assert answer.flags["insufficient"].tolist() == [0]
    assert LinkMean().fit(**one).transform([8.0], groups=["k"]).tolist() == [6.0]


def test_a_group_whose_scores_are_all_missing_is_refused() -> None:
    for cls in (LinkMean, LinkMeanSigma):
        with pytest.raises(NotEnoughData):
            cls().fit([None, None, 1.0, 2.0], groups=list("aabb"), reference=REFERENCE)


@pytest.mark.parametrize(("rule", "expected"), [("global", 5.0), ("median", 5.0), ("pass", 31.0)])
def test_an_unseen_group(rule: str, expected: float) -> None:
    link = LinkMean(unknown_group=rule).fit(SCORES, groups=GROUPS, reference=REFERENCE)
    answer = link.apply_to([31.0], groups=["xx"])
    assert answer["y"].tolist() == [expected]
    assert answer.flags["unknown_group"].tolist() == [0]
    with pytest.raises(InvalidInput, match="the fit does not know the group 'xx'"):
        LinkMean().fit(SCORES, groups=GROUPS, reference=REFERENCE).transform([1.0], groups=["xx"])


def test_rows_beyond_the_scores_of_their_group_are_flagged_and_mapped() -> None:
    fitted = LinkMean().fit(SCORES, groups=GROUPS, reference=REFERENCE)
    answer = fitted.apply_to([2.0, 9.0], groups=["fr", "fr"])
    assert answer["y"].tolist() == [5.0, 12.0]
    assert answer.flags["out_of_range"].tolist() == [1]
