"""Scores of unknown groups, missing, infinite and beyond the anchors."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.errors import InvalidInput, NonFiniteError
from tests.unit.metrics.groups.group_z_score.samples import GROUPS, SCORES, report_of


def test_darts_1288_an_unknown_group_and_its_place_are_named() -> None:
    method = GroupZScore().fit(SCORES, groups=GROUPS)
    with pytest.raises(InvalidInput, match="does not know the group 'c'") as caught:
        method.transform([1.0, 2.0, 3.0], groups=["a", "b", "c"])
    assert caught.value.path == "input.groups[2]"


def test_fallbacks_for_unknown_groups() -> None:
    given = {"x": [5.0, 1.0], "groups": ["zz", "a"]}
    x = np.array(SCORES)
    pooled = GroupZScore(unknown_group="global").fit(x, groups=GROUPS).apply_to(**given)
    assert pooled.output["y"][0] == pytest.approx((5.0 - x.mean()) / x.std(ddof=1))
    assert pooled.flags["unknown_group"].tolist() == [0]
    median = GroupZScore(unknown_group="median").fit(x, groups=GROUPS).apply_to(**given)
    loc = (x[:3].mean() + x[3:].mean()) / 2
    scale = (x[:3].std(ddof=1) + x[3:].std(ddof=1)) / 2
    assert median.output["y"][0] == pytest.approx((5.0 - loc) / scale)
    passed = GroupZScore(unknown_group="pass").fit(x, groups=GROUPS).apply_to(**given)
    assert passed.output["y"][0] == 5.0
    assert passed.flags["unknown_group"].tolist() == [0]


def test_missing_scores() -> None:
    x = [1.0, 2.0, None, 4.0]
    groups = ["k"] * 4
    method = GroupZScore(ddof=0).fit(x, groups=groups)
    answer = method.apply_to(x=x, groups=groups)
    np.testing.assert_allclose(answer.output["y"], [-1.06904497, -0.26726124, np.nan, 1.33630621])
    assert answer.flags["missing"].tolist() == [2]
    assert method.report_["missing"] == [{"keys": ["k"], "missing": [1]}]
    assert report_of(method, "k")["n"] == [3]
    back = method.inverse_transform(answer.output["y"], groups=groups)
    np.testing.assert_allclose(back, [1.0, 2.0, np.nan, 4.0])
    with pytest.raises(NonFiniteError):
        GroupZScore(nan_policy="reject").fit(x, groups=groups)


def test_infinities_are_refused_with_their_position() -> None:
    with pytest.raises(NonFiniteError) as caught:
        GroupZScore().fit([1.0, np.inf], groups=["a", "a"])
    assert caught.value.path.startswith("fit.x[1]")
    method = GroupZScore(inf_policy="as_nan").fit([1.0, 2.0, np.inf], groups=["a"] * 3)
    assert report_of(method, "a")["n"] == [2]


def test_rows_beyond_the_anchors_are_flagged() -> None:
    method = GroupZScore().fit(SCORES, groups=GROUPS)
    answer = method.apply_to(x=[1.0, 0.9, 4.1, 20.0], groups=["a", "a", "a", "b"])
    assert answer.flags["out_of_range"].tolist() == [1, 2]
    assert report_of(method, "a")["min"] == [1.0]
    moments = method.statistics_.to_arrays()["moments"]
    without = GroupZScore().fit_statistics(moments=moments).apply_to(x=[99.0], groups=["a"])
    assert "out_of_range" not in without.flags


def test_the_sign_turns_only_on_request() -> None:
    plain = GroupZScore().fit(SCORES, groups=GROUPS).transform(SCORES, groups=GROUPS)
    told = GroupZScore(higher_is_better=False).fit(SCORES, groups=GROUPS)
    np.testing.assert_array_equal(told.transform(SCORES, groups=GROUPS), plain)
    flipped = GroupZScore(higher_is_better=False, flip=True).fit(SCORES, groups=GROUPS)
    y = flipped.transform(SCORES, groups=GROUPS)
    np.testing.assert_array_equal(y, -plain)
    np.testing.assert_allclose(flipped.inverse_transform(y, groups=GROUPS), SCORES)
    straight = GroupZScore(flip=True).fit(SCORES, groups=GROUPS)
    np.testing.assert_array_equal(straight.transform(SCORES, groups=GROUPS), plain)
