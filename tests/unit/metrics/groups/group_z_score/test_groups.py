"""Statistics by group: formulas, shards, and what the grouping aligns."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.errors import IncompatibleStatistics, InvalidParams, ShapeError
from tests.unit.metrics.groups.group_z_score.samples import GROUPS, SCORES, report_of


@pytest.mark.parametrize("ddof", [0, 1])
def test_every_group_gets_its_own_mean_and_deviation(ddof: int) -> None:
    y = GroupZScore(ddof=ddof).fit(SCORES, groups=GROUPS).transform(SCORES, groups=GROUPS)
    x = np.array(SCORES)
    for part in (slice(0, 3), slice(3, 5)):
        np.testing.assert_allclose(y[part], (x[part] - x[part].mean()) / x[part].std(ddof=ddof))


def test_rows_in_any_order_and_several_columns() -> None:
    generator = np.random.default_rng(3)
    x, groups = generator.normal(size=(60, 3)), generator.choice(["x", "y", "z"], size=60)
    method = GroupZScore().fit(x, groups=groups)
    y = method.transform(x, groups=groups)
    for label in "xyz":
        mine = x[groups == label]
        np.testing.assert_allclose(
            y[groups == label], (mine - mine.mean(axis=0)) / mine.std(axis=0, ddof=1), atol=1e-12
        )
    np.testing.assert_array_equal(method.transform(x[::-1], groups=groups[::-1]), y[::-1])
    np.testing.assert_array_equal(method.transform(x[4:5], groups=groups[4:5])[0], y[4])


def test_the_answer_has_the_form_of_the_request() -> None:
    method = GroupZScore().fit(SCORES, groups=GROUPS)
    assert method.transform(np.float32(SCORES), groups=GROUPS).dtype == np.float32
    assert method.transform([[1.0]], groups=["a"]).shape == (1, 1)
    assert method.transform([], groups=[]).shape == (0,)
    with pytest.raises(ShapeError):
        method.transform([1.0, 2.0], groups=["a"])


def test_center_and_scale_can_be_left_out() -> None:
    x = np.array(SCORES)
    centred = GroupZScore(scale="none").fit(x, groups=GROUPS).transform(x, groups=GROUPS)
    np.testing.assert_allclose(centred[3:], [-10.0, 10.0])
    scaled = GroupZScore(center="none").fit(x, groups=GROUPS).transform(x, groups=GROUPS)
    np.testing.assert_allclose(scaled[3:], x[3:] / x[3:].std(ddof=1))
    one = GroupZScore(scale="none").fit([7.0], groups=["a"])
    assert one.transform([9.0], groups=["a"]).tolist() == [2.0]


def test_inverse_round_trip() -> None:
    method = GroupZScore().fit(SCORES, groups=GROUPS)
    y = method.transform(SCORES, groups=GROUPS)
    np.testing.assert_allclose(method.inverse_transform(y, groups=GROUPS), SCORES)


def test_integer_labels_are_their_decimal_text() -> None:
    method = GroupZScore().fit([1.0, 3.0], groups=[7, 7])
    assert method.transform([2.0], groups=["7"]).tolist() == [0.0]


def test_shards_merge_and_streams_add_up() -> None:
    generator = np.random.default_rng(5)
    x, groups = generator.normal(size=40), generator.choice(["x", "y"], size=40)
    whole = GroupZScore().fit(x, groups=groups)
    first = GroupZScore().fit(x[:25], groups=groups[:25])
    second = GroupZScore().fit(x[25:], groups=groups[25:])
    np.testing.assert_allclose(first.merge(second).fitted_["std"], whole.fitted_["std"], 1e-12)
    stream = GroupZScore()
    for start in range(0, 40, 7):
        stream.partial_fit(x[start : start + 7], groups=groups[start : start + 7])
    np.testing.assert_allclose(stream.fitted_["mean"], whole.fitted_["mean"], atol=1e-13)
    assert first.merge(stream).report_["n"] == 65


def test_groups_of_one_row_parts_become_a_group_when_merged() -> None:
    rows = GroupZScore(on_few="scale_one").fit([1.0], groups=["a"])
    more = GroupZScore(on_few="scale_one").fit([3.0, 5.0], groups=["a", "b"])
    merged = rows.merge(more)
    assert report_of(merged, "a")["mean"] == [2.0]
    assert merged.fitted_["insufficient"].tolist() == [[0], [1]]


def test_comet_110_equal_quality_is_aligned_between_languages() -> None:
    x = [86.49, 80.36, 74.45, 69.70, 64.79, 92.51, 89.30, 85.92, 82.84, 79.64]
    groups = ["fr"] * 5 + ["si"] * 5
    method = GroupZScore().fit(x, groups=groups)
    answer = method.apply_to(x=[80.36, 89.30], groups=["fr", "si"])
    np.testing.assert_allclose(answer.output["y"], [0.61, 0.64], atol=0.005)
    assert answer.effective_params["reference_kind"] == "anchors"
    assert (
        GroupZScore(reference_kind="self")
        .fit(x, groups=groups)
        .report_["groups"][0]["reference_kind"]
        == "self"
    )


def test_comet_238_the_grouping_key_is_stated() -> None:
    x, labels = [39.0, 41.0, 79.0, 81.0], [["de", "1"], ["de", "1"], ["de", "2"], ["de", "2"]]
    both = GroupZScore(group_by=["lp", "annotator"]).fit(x, groups=labels)
    assert both.report_["group_by"] == ["lp", "annotator"]
    assert [told["n"] for told in both.report_["groups"]] == [[2], [2]]
    assert both.report_["groups"][0]["ddof"] == 1
    y = both.transform(x, groups=labels)
    np.testing.assert_allclose([y[:2].mean(), y[2:].mean()], 0.0, atol=1e-12)
    pair = GroupZScore(group_by=["lp"]).fit(x, groups=["de"] * 4)
    assert pair.transform(x, groups=["de"] * 4)[:2].mean() < -0.5
    with pytest.raises(InvalidParams) as caught:
        GroupZScore().fit(x, groups=labels)
    assert caught.value.path == "params.group_by"
    with pytest.raises(ShapeError):
        both.transform(x, groups=["de"] * 4)
    with pytest.raises(InvalidParams):
        GroupZScore(group_by=["lp", "lp"]).fit(x, groups=labels)
    with pytest.raises(IncompatibleStatistics):
        both.merge(GroupZScore(group_by=["lp", "system"]).fit(x, groups=labels))
