"""One mean a system over its groups."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import GroupAverage, Pipeline
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import InvalidParams

SYSTEMS, GROUPS = ["A", "A", "B", "C", "C", "C"], ["de", "ja", "de", "de", "ja", "zh"]
SCORES = [1.0, -1.0, 0.5, 0.0, 2.0, 4.0]


def _average(scores: object = SCORES, **params: object):
    return GroupAverage(**params).apply_to(scores, systems=SYSTEMS, groups=GROUPS)


def test_an_average_says_what_it_rests_on() -> None:
    answer = _average()
    assert answer["mean"].tolist() == [0.0, 0.5, 2.0]
    assert answer["coverage"].tolist() == [2, 1, 3]
    assert answer["covered"].tolist() == [[1, 1, 0], [1, 0, 0], [1, 1, 1]]
    assert answer.report == {"n_groups": 3, "groups": ["de", "ja", "zh"]}
    assert [noted.code for noted in answer.warnings] == ["different_groups"]


def test_a_system_without_every_group_has_no_average_where_that_is_asked() -> None:
    answer = _average(missing="null")
    assert np.isnan(answer["mean"][:2]).all()
    assert answer["mean"][2] == 2.0
    assert answer.flags["missing"].tolist() == [0, 1]


def test_common_groups_are_those_that_all_have() -> None:
    answer = _average(missing="common")
    assert answer["mean"].tolist() == [1.0, 0.5, 0.0]
    assert answer["coverage"].tolist() == [1, 1, 1]
    assert "the groups that all have" in answer.warnings[0].message


def test_a_missing_score_is_no_coverage_and_systems_with_the_same_groups_need_no_warning() -> None:
    answer = _average([1.0, None, 0.5, 0.0, 2.0, 4.0])
    assert answer["mean"].tolist() == [1.0, 0.5, 2.0]
    assert answer["coverage"].tolist() == [1, 1, 3]
    same = GroupAverage().apply_to([1.0, 2.0], systems=["A", "B"], groups=["de", "de"])
    assert same.warnings == ()
    lost = GroupAverage().apply_to([None], systems=["A"], groups=["de"])
    assert np.isnan(lost["mean"]).all()
    assert lost["coverage"].tolist() == [0]


def test_several_rows_of_one_system_and_group_are_their_mean() -> None:
    answer = GroupAverage().apply_to([1.0, 3.0, 10.0], systems=["A"] * 3, groups=["de", "de", "ja"])
    assert answer["mean"].tolist() == [6.0]


def test_weights_go_by_the_name_of_the_group() -> None:
    weighted = _average(weights={"ja": 3.0, "de": 1.0, "zh": 0.0})
    assert weighted["mean"].tolist() == [-0.5, 0.5, 1.5]
    assert weighted["coverage"].tolist() == [2, 1, 2]
    for weights, said in (
        ({"de": 1.0}, "the group 'ja' has no weight"),
        ({"de": -1.0}, "the weight of 'de' is below 0"),
        ({"de": 0.0}, "every weight is 0"),
    ):
        with pytest.raises(InvalidParams, match=said) as caught:
            _average(weights=weights)
        assert caught.value.path == "params.weights"


def test_clusters_give_an_interval_that_is_the_same_again() -> None:
    random = np.random.default_rng(3)
    scores, clusters = random.normal(size=60), np.repeat(np.arange(20), 3)
    fields = {"systems": ["A"] * 60, "groups": ["de", "ja"] * 30, "clusters": clusters}
    one = GroupAverage(samples=200).apply_to(scores, **fields)
    again = GroupAverage(samples=200).apply_to(scores, **fields)
    assert one["lower"].tolist() == again["lower"].tolist()
    assert one["lower"][0] < one["mean"][0] < one["upper"][0]
    wide = GroupAverage(samples=200, confidence=0.99).apply_to(scores, **fields)
    assert wide["upper"][0] - wide["lower"][0] > one["upper"][0] - one["lower"][0]
    assert "lower" not in _average().output


def test_offsets_larger_than_differences_are_averaged_to_the_last_digit() -> None:
    answer = GroupAverage().apply_to(
        [1e9 + 0.1, 1e9 + 0.2, 1e9 + 0.3], systems=["A"] * 3, groups=["de"] * 3
    )
    assert abs(answer["mean"][0] - (1e9 + 0.2)) < 2e-7


def test_k5_main_fields_of_numbers_have_columns() -> None:
    """A row of one number is a table of one column, which pipelines, files and checks need."""
    for name in CATALOGUE:
        method = CATALOGUE.create(name, {})
        for fields in (method.takes, method.gives):
            main = fields[fields.main] if fields else None
            # One number a list is no row of one number.
            if main and main.kind == "floats" and main.shape != ("q",):
                assert len(main.shape) > 1, (method.name, fields.main)


def test_k5_scores_are_aligned_and_averaged_in_one_pipeline() -> None:
    steps = Pipeline(steps=["group_z_score", "group_average"])
    fitted = steps.fit([1.0, 2.0, 3.0, 50.0, 60.0, 70.0], groups=list("aaabbb"))
    answer = fitted.apply_to(
        [1.0, None, 3.0, 60.0, 80.0], groups=list("aaabb"), systems=list("stuts")
    )
    # A flat list stays a flat list.
    assert answer["mean"].tolist() == [0.5, 0.0, 1.0]
    sides = answer["steps"]["1"]
    assert sides["coverage"].tolist() == [2, 1, 1]


def test_k5_flags_stand_by_step_where_rows_change() -> None:
    steps = Pipeline(steps=["group_z_score", "group_average"])
    fitted = steps.fit([1.0, 2.0, 3.0], groups=list("aaa"))
    answer = fitted.apply_to([1.0, 9.0, None], groups=list("aaa"), systems=list("ssu"))
    assert answer.flags["steps.0.out_of_range"].tolist() == [1]
    # The mean of the second system is missing; the third row was.
    assert answer.flags["missing"].tolist() == [1]
