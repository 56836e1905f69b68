"""Group z-score: statistics by group, fallbacks, degenerate groups, public reports of failures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers.catalogue import Catalogue
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NonFiniteError,
    NotEnoughData,
    ShapeError,
)
from normalizers.metrics import GroupZScore
from normalizers.version_file import read

SCORES = [1.0, 2.0, 4.0, 10.0, 30.0]
GROUPS = ["a", "a", "a", "b", "b"]


def report_of(method: GroupZScore, *key: str) -> dict[str, object]:
    return next(told for told in method.report_["groups"] if told["keys"] == list(key))


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


def test_scikit_learn_19726_small_spread_is_real() -> None:
    x = [1e-9, 2e-9, 3e-9, 4e-9]
    method = GroupZScore(ddof=0).fit(x, groups=["a"] * 4)
    y = method.transform(x, groups=["a"] * 4)
    np.testing.assert_allclose(y, [-1.34164079, -0.4472136, 0.4472136, 1.34164079])
    assert report_of(method, "a")["degenerate"] == [False]


def test_a_large_offset_does_not_eat_the_spread() -> None:
    x = 1e9 + np.array([0.0, 1.0, 2.0, 3.0])
    y = GroupZScore(ddof=0).fit(x, groups=["a"] * 4).transform(x, groups=["a"] * 4)
    np.testing.assert_allclose(y, (np.arange(4) - 1.5) / np.std(np.arange(4)), rtol=1e-9)


@pytest.mark.parametrize("value, n", [(3.5, 4), (0.1, 7), (14.62, 1000)])
def test_scikit_learn_17794_a_constant_keeps_its_centring(value: float, n: int) -> None:
    method = GroupZScore().fit([value] * n, groups=["k"] * n)
    answer = method.apply_to(x=[value, value + 0.5], groups=["k", "k"])
    np.testing.assert_allclose(answer.output["y"], [0.0, 0.5])
    assert answer.output["y"][0] == 0.0
    assert answer.flags["constant"].tolist() == [0, 1]
    assert report_of(method, "k")["degenerate"] == [True]
    moments = method.statistics_.to_members()["moments"]
    stored = GroupZScore().fit_statistics(moments=moments)
    assert report_of(stored, "k")["degenerate"] == [True]


@pytest.mark.parametrize(
    "params, expected",
    [
        ({"on_constant": "zero"}, [0.0, 0.0]),
        ({"on_constant": "half"}, [0.5, 0.5]),
        ({"constant_value": 7.0}, [7.0, 7.0]),
        ({"on_constant": "value"}, [0.0, 0.0]),
        ({"on_constant": "keep"}, [3.5, 4.0]),
        ({"eps": 0.5, "eps_mode": "add_std"}, [0.0, 1.0]),
        ({"scale": "none"}, [0.0, 0.5]),
    ],
)
def test_what_a_constant_group_gives(params: dict[str, object], expected: list[float]) -> None:
    method = GroupZScore(**params).fit([3.5, 3.5, 1.0, 2.0], groups=["k", "k", "o", "o"])
    y = method.transform([3.5, 4.0], groups=["k", "k"])
    np.testing.assert_allclose(y, expected)
    back = method.inverse_transform(y, groups=["k", "k"])
    fixed = {"on_constant", "constant_value"} & params.keys() and params != {"on_constant": "keep"}
    np.testing.assert_allclose(back, [3.5, 3.5] if fixed else [3.5, 4.0])


def test_a_constant_can_be_refused() -> None:
    with pytest.raises(FitError, match="'k'"):
        GroupZScore(on_constant="error").fit([3.5, 3.5], groups=["k", "k"])
    with pytest.raises(InvalidParams):
        GroupZScore(on_constant="keep", constant_value=1.0).fit(SCORES, groups=GROUPS)


def test_pytorch_forecasting_1321_a_group_of_one_row() -> None:
    x, groups = [1.0, 2.0, 4.0, 7.0], ["a", "a", "a", "b"]
    with pytest.raises(NotEnoughData, match="'b'"):
        GroupZScore().fit(x, groups=groups)
    method = GroupZScore(on_few="scale_one").fit(x, groups=groups)
    answer = method.apply_to(x=[7.0, 9.0, 1.0], groups=["b", "b", "a"])
    np.testing.assert_allclose(answer.output["y"][:2], [0.0, 2.0])
    assert answer.flags["insufficient"].tolist() == [0, 1]
    assert "constant" not in answer.flags
    assert report_of(method, "b")["std"] == [None]
    zero = GroupZScore(on_few="zero").fit(x, groups=groups)
    assert zero.transform([9.0, np.nan], groups=["b", "b"])[0] == 0.0
    same = GroupZScore(on_few="identity").fit(x, groups=groups)
    assert same.transform([9.0], groups=["b"]).tolist() == [9.0]
    assert same.inverse_transform([9.0], groups=["b"]).tolist() == [9.0]


def test_a_group_without_any_score_cannot_be_centred() -> None:
    with pytest.raises(NotEnoughData):
        GroupZScore(on_few="scale_one").fit([1.0, 2.0, None], groups=["a", "a", "b"])
    method = GroupZScore(on_few="identity").fit([1.0, 2.0, None], groups=["a", "a", "b"])
    assert method.transform([3.0], groups=["b"]).tolist() == [3.0]
    assert report_of(method, "b")["mean"] == [None]


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
    moments = method.statistics_.to_members()["moments"]
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


def test_level_means_count_every_level_once() -> None:
    x = [10.0, 12.0, 20.0, 33.0, 33.0, 33.0, 1.0, 2.0]
    groups = ["a"] * 6 + ["b"] * 2
    qualities = [1, 1, 2, 3, 3, 3, 1, 2]
    method = GroupZScore(anchors="level_means").fit(x, groups=groups, qualities=qualities)
    means = np.array([11.0, 20.0, 33.0])
    assert method.fitted_["mean"][0, 0] == pytest.approx(means.mean())
    assert method.fitted_["std"][0, 0] == pytest.approx(means.std(ddof=1))
    assert report_of(method, "a")["n"] == [3]
    members = method.statistics_.to_members()["moments"]
    assert members["group_by"].tolist() == ["group", "level"]
    assert members["keys"].tolist() == [
        ["a", "1"], ["a", "2"], ["a", "3"], ["b", "1"], ["b", "2"]
    ]  # fmt: skip
    posted = GroupZScore(anchors="level_means").fit_statistics(moments=members)
    np.testing.assert_array_equal(posted.fitted_["loc"], method.fitted_["loc"])
    halves = [
        GroupZScore(anchors="level_means", on_few="scale_one").fit(
            x[part], groups=groups[part], qualities=qualities[part]
        )
        for part in (slice(0, 4), slice(4, 8))
    ]
    np.testing.assert_allclose(halves[0].merge(*halves[1:]).fitted_["std"], method.fitted_["std"])
    assert report_of(method, "a")["max"] == [33.0]


def test_level_means_need_levels() -> None:
    with pytest.raises(InvalidInput) as caught:
        GroupZScore(anchors="level_means").fit(SCORES, groups=GROUPS)
    assert caught.value.path == "fit.qualities"
    with pytest.raises(InvalidParams):
        GroupZScore(anchors="level_means", group_by=["level"]).fit(
            SCORES, groups=GROUPS, qualities=[1.0] * 5
        )
    unrated = GroupZScore(anchors="level_means").fit(
        [1.0, 2.0, 99.0], groups=["a"] * 3, qualities=[1.0, 2.0, None]
    )
    assert unrated.fitted_["mean"].tolist() == [[1.5]]


def test_stored_statistics_by_label() -> None:
    method = GroupZScore().fit_statistics(
        moments={
            "de": {"n": 5, "mean": 70.0, "std": 10.0, "ddof": 1},
            "ja": {"n": 9, "mean": 80.0, "std": 5.0, "ddof": 1},
        }
    )
    np.testing.assert_allclose(method.transform([80.0, 75.0], groups=["de", "ja"]), [1.0, -1.0])
    assert GroupZScore(ddof=0).fit_statistics(
        moments={"de": {"n": 5, "mean": 70.0, "std": 10.0, "ddof": 1}}
    ).fitted_["std"][0, 0] == pytest.approx(10.0 * np.sqrt(4 / 5))


def test_mean_and_std_alone_fit_but_do_not_merge() -> None:
    method = GroupZScore().fit_statistics(moments={"de": {"mean": 70.0, "std": 10.0}})
    assert method.transform([80.0], groups=["de"]).tolist() == [1.0]
    assert report_of(method, "de")["n"] is None
    with pytest.raises(IncompatibleStatistics):
        method.merge(GroupZScore().fit([1.0, 2.0], groups=["de", "de"]))
    with pytest.raises(FitError):
        GroupZScore(ddof=0).fit_statistics(moments={"de": {"mean": 70.0, "std": 10.0, "ddof": 1}})


def test_groups_without_any_statistics_are_no_fit() -> None:
    members = {"group_by": ["group", "level"], "keys": [["a", "1"]], "n": [[0]]}
    zeros = {"mean": [[0.0]], "m2": [[0.0]]}
    with pytest.raises(NotEnoughData):
        GroupZScore().fit_statistics(moments={"a": {}})
    with pytest.raises(NotEnoughData):
        GroupZScore(anchors="level_means").fit_statistics(moments={**members, **zeros})


def test_names_of_the_labels_come_with_the_statistics() -> None:
    method = GroupZScore(group_by=["lp", "annotator"]).fit([1.0, 2.0], groups=[["de", "1"]] * 2)
    posted = GroupZScore().fit_statistics(**method.statistics_.to_members())
    assert posted.version_.resolved["group_by"] == ["lp", "annotator"]
    assert posted.transform([1.5], groups=[["de", "1"]]).tolist() == [0.0]


def test_an_epsilon_needs_its_mode() -> None:
    with pytest.raises(InvalidParams) as caught:
        GroupZScore(eps=1e-5).fit(SCORES, groups=GROUPS)
    assert caught.value.path == "params.eps"
    y = GroupZScore(eps=0.5, eps_mode="add_std").fit(SCORES, groups=GROUPS)
    assert y.fitted_["scale"][1, 0] == pytest.approx(np.std([10.0, 30.0], ddof=1) + 0.5)


def test_inputs_stay_as_they_are() -> None:
    x = np.array(SCORES)
    x.flags.writeable = False
    groups = np.array(GROUPS)
    groups.flags.writeable = False
    GroupZScore().fit(x, groups=groups).transform(x, groups=groups)


def test_explain_gives_the_statistics_used() -> None:
    method = GroupZScore().fit(SCORES, groups=GROUPS)
    parts = method.apply_to(x=[1.0], groups=["b"], explain=True).explain
    assert [told["keys"] for told in parts["groups"]] == [["b"]]
    assert parts["groups"][0]["loc"] == [20.0]


def test_a_stored_version_serves_the_same_numbers(tmp_path: Path) -> None:
    method = GroupZScore(unknown_group="median").fit(SCORES, groups=GROUPS)
    path = tmp_path / "groups.safetensors"
    method.save(path)
    loaded = read(path, Catalogue([GroupZScore]))
    given = {"x": [1.0, 5.0], "groups": ["a", "new"]}
    np.testing.assert_array_equal(
        loaded.transform(given).output["y"], method.apply_to(**given).output["y"]
    )
    assert loaded.report["groups"] == method.report_["groups"]
