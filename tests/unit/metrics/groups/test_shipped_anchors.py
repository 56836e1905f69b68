"""Fits on statistics that come with the package."""

from __future__ import annotations

from importlib.resources import files

import pytest

from normalizers import GroupZScore, load
from normalizers.errors import IncompatibleStatistics, InvalidParams
from normalizers.metrics.base.anchor_sets import xqmeval

SCORES, GROUPS = [80.36, 89.30], ["en-fr", "en-si"]


def _fitted(metric: str = "wmt22-comet-da", **params: object) -> GroupZScore:
    return GroupZScore(metric=metric, **params).fit(preset="xqmeval-v1")


def test_k17_a_fit_by_name_needs_no_data_and_tells_whose_numbers_it_is(tmp_path) -> None:
    """Unbabel/COMET#110: equal quality in French and Sinhala, nine points apart."""
    fitted = _fitted()
    assert fitted.transform(SCORES, groups=GROUPS).round(2).tolist() == [0.61, 0.64]
    report = fitted.report_
    assert report["anchor_set"] == "xqmeval-v1"
    assert "CC BY-SA 4.0" in report["attribution"]
    assert report["reference_kind"] == "anchors"
    assert report["group_by"] == ["group"]
    assert [len(report["groups"]), report["groups"][0]["n"]] == [9, [5]]
    fitted.save(tmp_path / "z.safetensors")
    again = load(tmp_path / "z.safetensors")
    assert again.report_["attribution"] == report["attribution"]
    assert (
        again.transform(SCORES, groups=GROUPS).tolist()
        == fitted.transform(SCORES, groups=GROUPS).tolist()
    )


def test_k17_the_metric_is_the_exact_model() -> None:
    for metric in ("MetricX-23-XL", "MetricX-24-Hybrid-XL", "comet"):
        with pytest.raises(InvalidParams, match="has scores of spBLEU, chrF") as caught:
            _fitted(metric)
        assert caught.value.path == "params.metric"
    with pytest.raises(InvalidParams, match="name the metric"):
        GroupZScore().fit(preset="xqmeval-v1")
    assert (
        _fitted("COMET-22").transform(SCORES, groups=GROUPS).tolist()
        == _fitted().transform(SCORES, groups=GROUPS).tolist()
    )


def test_k17_parameters_that_contradict_the_statistics_are_refused() -> None:
    with pytest.raises(InvalidParams, match="of higher_is_better False") as caught:
        _fitted("MetricX-23-large-v2p0", higher_is_better=True)
    assert caught.value.path == "params.higher_is_better"
    with pytest.raises(InvalidParams, match="of anchors 'level_means'"):
        _fitted(anchors="scores")
    assert _fitted("MetricX-23-large-v2p0").version_.resolved["higher_is_better"] is False


def test_k17_unknown_names_are_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidParams, match="it has 'xqmeval-v1'") as caught:
        GroupZScore(metric="chrF++").fit(preset="xqmeval")
    assert caught.value.path == "fit.preset"


def test_k17_anchors_of_another_set_do_not_merge() -> None:
    own = GroupZScore(metric="chrF++", anchors="level_means").fit(
        [50.0, 40.0], groups=["en-de"] * 2, qualities=[-5.0, -10.0]
    )
    with pytest.raises(IncompatibleStatistics, match="anchor_set"):
        own.merge(_fitted("chrF++"))


def test_k17_the_licence_lies_beside_the_numbers() -> None:
    folder = files("normalizers.metrics.base.anchor_sets")
    licence = folder.joinpath("LICENSE-xqmeval_v1.txt").read_text()
    assert "CC BY-SA 4.0" in licence
    assert "arXiv 2604.14934" in licence
    assert xqmeval.level_means("chrF++", "").means.shape == (9, 5)
