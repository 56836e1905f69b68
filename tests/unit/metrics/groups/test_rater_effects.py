from __future__ import annotations

import numpy as np
import pytest

from normalizers import RaterEffects
from normalizers.errors import FitError, InvalidInput, InvalidParams

RANDOM = np.random.default_rng(4)
EFFECTS = {"harsh": -10.0, "fair": 1.0, "kind": 9.0}


def _ratings() -> tuple[list[float], list[list[str]]]:
    ratings, labels = [], []
    for item in range(40):
        quality = RANDOM.normal(60, 15) + (20 if item < 20 else 0)
        # The harsh one sees the better half more often: a z-score would take that for kindness.
        for rater in ("harsh", "fair") if item < 20 else ("fair", "kind"):
            ratings.append(quality + EFFECTS[rater])
            labels.append([rater, str(item)])
    return ratings, labels


def test_effects_are_found_although_raters_saw_other_items() -> None:
    ratings, labels = _ratings()
    fitted = RaterEffects().fit(ratings, groups=labels)
    found = {told["keys"][0]: told["effect"] for told in fitted.report_["groups"]}
    assert found == pytest.approx(EFFECTS)
    assert fitted.transform([50.0], groups=["harsh"]).tolist() == pytest.approx([60.0])


def test_the_item_beside_the_rater_is_not_needed() -> None:
    ratings, labels = _ratings()
    fitted = RaterEffects().fit(ratings, groups=labels)
    with_item = fitted.transform([50.0], groups=[["kind", "new"]])
    assert with_item.tolist() == fitted.transform([50.0], groups=["kind"]).tolist()


def test_raters_without_a_common_item_are_refused_by_name() -> None:
    labels = [["a", "1"], ["b", "1"], ["c", "2"], ["d", "2"]]
    with pytest.raises(FitError, match=r"'c' to 'a'.*2 of 4"):
        RaterEffects().fit([1.0, 2.0, 3.0, 4.0], groups=labels)


def test_parts_make_the_whole_fit() -> None:
    ratings, labels = _ratings()
    whole = RaterEffects().fit(ratings, groups=labels)
    parts = RaterEffects().fit(ratings[:30], groups=labels[:30])
    parts.partial_fit(ratings[30:], groups=labels[30:])
    asked = {"groups": ["harsh", "kind"]}
    given = [50.0, 70.0]
    assert np.allclose(parts.transform(given, **asked), whole.transform(given, **asked))


def test_unknown_raters_are_refused_or_passed_and_missing_is_missing() -> None:
    ratings, labels = _ratings()
    fitted = RaterEffects().fit([*ratings, np.nan], groups=[*labels, ["fair", "x"]])
    with pytest.raises(InvalidInput, match="'new'"):
        fitted.transform([50.0], groups=["new"])
    lenient = RaterEffects(unknown_group="pass").fit(ratings, groups=labels)
    answer = lenient.apply_to([50.0, np.nan], groups=["new", "kind"])
    assert answer["y"][0] == 50.0
    assert np.isnan(answer["y"][1])
    assert answer.flags["unknown_group"].tolist() == [0]


def test_a_rating_needs_both_labels_in_a_fit() -> None:
    with pytest.raises(InvalidParams, match="two labels"):
        RaterEffects().fit([1.0, 2.0], groups=["a", "b"])


def test_one_rater_has_no_effect() -> None:
    fitted = RaterEffects().fit([1.0, 5.0], groups=[["a", "1"], ["a", "2"]])
    assert fitted.transform([3.0], groups=["a"]).tolist() == [3.0]
