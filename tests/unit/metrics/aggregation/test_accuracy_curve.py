from __future__ import annotations

import numpy as np
import pytest

from normalizers import AccuracyCurve
from normalizers.errors import InvalidInput, InvalidParams


def test_mt_thresholds_readme_and_function_units_are_two_fields() -> None:
    """The README shows 0.63989 for what the function returns as 63.99."""
    curve = AccuracyCurve(metric="bleu")
    assert curve.transform([1.0])[0] == pytest.approx(63.988657959214336, rel=1e-12)
    for given in ({"accuracy_percent": [63.988657959214336]}, {"accuracy": [0.63988657959214336]}):
        assert curve.version_.inverse(given).output["deltas"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "metric, delta", [("bleu", 2.34), ("chrf", 1.63), ("comet22", 0.56), ("xcomet-xl", 1.08)]
)
def test_published_differences_are_those_of_eighty_percent(metric: str, delta: float) -> None:
    found = AccuracyCurve(metric=metric).inverse_transform([80.0])[0]
    assert found == pytest.approx(delta, abs=0.006)


def test_what_no_difference_reaches_is_missing_and_flagged() -> None:
    answer = AccuracyCurve(metric="bleu").fit().version_.inverse({"accuracy_percent": [70.0, 95.0]})
    assert np.isnan(answer.output["deltas"]).tolist() == [False, True]
    assert answer.flags["above_curve"].tolist() == [1]


@pytest.mark.parametrize("given, said", [([49.9], "50 to 100"), ([100.1], "50 to 100")])
def test_accuracies_nobody_could_have_are_refused(given: list[float], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        AccuracyCurve(metric="bleu").inverse_transform(given)


def test_a_curve_is_that_of_an_exact_metric_in_both_spellings() -> None:
    spelled = [AccuracyCurve(metric=name).transform([1.0])[0] for name in ("xcomet-xl", "xcometxl")]
    assert spelled[0] == spelled[1]
    with pytest.raises(InvalidParams, match="comet22"):
        AccuracyCurve(metric="comet").transform([1.0])
    with pytest.raises(InvalidParams, match="whose curve"):
        AccuracyCurve().transform([1.0])


def test_no_difference_is_half_the_ceiling_and_missing_is_missing() -> None:
    found = AccuracyCurve(metric="bleu").transform([0.0, np.nan, 1e300, -1e300])
    assert found[[0, 2, 3]].tolist() == [88.33333333333225 / 2, 88.33333333333225, 0.0]
    assert np.isnan(found[1])
