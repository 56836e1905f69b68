from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import InvalidInput, InvalidParams
from normalizers.evaluation.evaluate import evaluate
from normalizers.evaluation.result import Result

LANGUAGES = ["de", "de", "ja", "ja"]


def one(measure: str, **sent: object) -> Result:
    return evaluate([measure], **sent).results[0]


def test_bias_is_in_units_of_quality_and_told_by_group() -> None:
    found = one("group_bias", scores=[1.0, 2.0, 4.0, 5.0], qualities=[1, 2, 1, 2], groups=LANGUAGES)
    assert found.value == 3.0
    assert found.details["groups"] == ["de", "ja"]
    assert found.details["bias"].tolist() == [-1.5, 1.5]
    assert found.details["n"].tolist() == [2, 2]
    assert found.details["ranges"].tolist() == [3.0, 3.0]


def test_groups_without_a_shared_level_have_no_bias() -> None:
    found = one("group_bias", scores=[1.0, 2.0], qualities=[1, 2], groups=["de", "ja"])
    assert found.value is None or np.isnan(found.value)
    assert found.reason


def test_many_qualities_are_taken_in_tenths() -> None:
    random = np.random.default_rng(3)
    quality = random.normal(size=4000)
    groups = ["de", "ja"] * 2000
    shift = np.array([0.0, 0.5] * 2000)
    found = one("group_bias", scores=quality + shift, qualities=quality, groups=groups)
    assert len(found.details["levels"]) == 10
    assert np.diff(found.details["bias"])[0] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("offset", [0.0, 1e9])
def test_a_large_offset_takes_no_digits(offset: float) -> None:
    scores = np.array([1.0, 2.0, 4.0, 5.0]) + offset
    found = one("group_bias", scores=scores, qualities=[1, 2, 1, 2], groups=LANGUAGES)
    assert found.value == pytest.approx(3.0, rel=1e-9)


def test_bias_needs_groups_and_averages_need_systems() -> None:
    with pytest.raises(InvalidParams, match="send groups"):
        one("group_bias", scores=[1.0, 2.0], qualities=[1, 2])
    with pytest.raises(InvalidInput, match="systems and groups"):
        one("system_pair_accuracy", scores=[1.0, 2.0], qualities=[1, 2])


SYSTEMS = {
    "systems": ["A", "A", "B", "B", "C"],
    "groups": ["de", "ja", "de", "ja", "ja"],
    "qualities": [80.0, 60.0, 70.0, 50.0, 55.0],
}


def test_flips_are_listed_and_coverage_stands_beside_them() -> None:
    raw = one("system_pair_accuracy", scores=[0.8, 0.5, 0.7, 0.4, 0.45], **SYSTEMS)
    assert raw.details["systems"] == ["A", "B", "C"]
    assert raw.details["coverage"].tolist() == [2, 2, 1]
    assert raw.details["same_groups"] is False
    assert raw.details["flips"] == 0
    other = one("system_pair_accuracy", scores=[0.8, 0.1, 0.7, 0.4, 0.9], **SYSTEMS)
    assert other.details["flipped"] == [["A", "B"], ["A", "C"], ["B", "C"]]
    assert other.value == 0.0


def test_a_missing_score_takes_its_cell_out_of_both_averages() -> None:
    found = one("system_pair_accuracy", scores=[0.8, None, 0.7, 0.4, 0.45], **SYSTEMS)
    assert found.details["qualities"].tolist()[0] == 80.0


def test_a_gain_has_an_interval_by_groups() -> None:
    result = evaluate(
        ["system_pair_accuracy"],
        scores=[0.8, 0.5, 0.7, 0.4, 0.45],
        baseline={"scores": [0.8, 0.1, 0.7, 0.4, 0.9]},
        bootstrap={"samples": 50, "seed": 1},
        **SYSTEMS,
    )
    compared = result.results[0].comparison
    assert compared is not None
    assert compared.difference == 1.0
