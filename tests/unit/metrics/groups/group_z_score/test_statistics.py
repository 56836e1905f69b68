"""Level means, stored statistics, and stored versions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from normalizers import GroupZScore
from normalizers.catalogue.catalogue import Catalogue
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NotEnoughData,
)
from normalizers.versions.file import read
from tests.unit.metrics.groups.group_z_score.samples import GROUPS, SCORES, report_of


def test_level_means_count_every_level_once() -> None:
    x = [10.0, 12.0, 20.0, 33.0, 33.0, 33.0, 1.0, 2.0]
    groups = ["a"] * 6 + ["b"] * 2
    qualities = [1, 1, 2, 3, 3, 3, 1, 2]
    method = GroupZScore(anchors="level_means").fit(x, groups=groups, qualities=qualities)
    means = np.array([11.0, 20.0, 33.0])
    assert method.fitted_["mean"][0, 0] == pytest.approx(means.mean())
    assert method.fitted_["std"][0, 0] == pytest.approx(means.std(ddof=1))
    assert report_of(method, "a")["n"] == [3]
    members = method.statistics_.to_arrays()["moments"]
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
    posted = GroupZScore().fit_statistics(**method.statistics_.to_arrays())
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
