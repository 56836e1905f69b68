"""Fits, parts of fits, merges, and fits from statistics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from normalizers import InvertedSoftmax, MinMax, Whitening
from normalizers.errors import IncompatibleStatistics, InvalidInput, InvalidParams
from tests.unit.normalizer.samples import FRAME, ROWS


def test_a_fit_forgets_an_earlier_one() -> None:
    whitening = Whitening().fit(ROWS)
    assert whitening.fit(ROWS[:10]) is whitening
    assert whitening.version_.n == 10
    assert Whitening().partial_fit(ROWS).fit(ROWS[:10]).version_.n == 10


def test_partial_fit_begins_and_goes_on() -> None:
    whole = Whitening().fit(ROWS)
    for begun in (Whitening().partial_fit(ROWS[:10]), Whitening().fit(ROWS[:10])):
        before = begun.version_
        begun.partial_fit(ROWS[10:])
        np.testing.assert_allclose(begun.transform(ROWS), whole.transform(ROWS), rtol=1e-9)
        assert (before.n, begun.version_.n) == (10, 30)
        assert begun.statistics_.n == 30


def test_partial_fit_keeps_what_the_first_fit_settled() -> None:
    bank = np.abs(ROWS)
    begun = InvertedSoftmax().fit(bank)
    beta = begun.version_.resolved["beta"]
    assert begun.partial_fit(bank).version_.resolved["beta"] == beta
    with pytest.raises(InvalidParams, match="fit once with auto"):
        InvertedSoftmax().partial_fit(bank)


def test_parameters_that_affect_the_solution_may_change_between_parts() -> None:
    begun = Whitening().partial_fit(ROWS[:10]).set_params(n_components=1).partial_fit(ROWS[10:])
    assert begun.transform(ROWS).shape == (30, 1)
    assert Whitening().fit(ROWS).set_params(n_components=1).transform(ROWS).shape == (30, 3)


@pytest.mark.parametrize(
    "begin",
    [
        lambda: Whitening().fit(ROWS),
        lambda: Whitening().partial_fit(ROWS),
        lambda: Whitening().fit(ROWS).partial_fit(ROWS),
    ],
)
def test_parameters_that_affect_the_statistics_may_not(begin: Callable[[], Whitening]) -> None:
    begun = begin().set_params(pre="l2")
    with pytest.raises(IncompatibleStatistics, match="'pre' is None here and 'l2' there"):
        begun.partial_fit(ROWS)
    pending = Whitening().partial_fit(ROWS).set_params(pre="l2")
    with pytest.raises(IncompatibleStatistics, match="'pre'"):
        pending.transform(ROWS)
    assert begun.fit(ROWS).version_.resolved["pre"] == "l2"


def test_a_part_of_another_width_is_refused_and_changes_nothing() -> None:
    begun = Whitening().fit(ROWS)
    with pytest.raises(IncompatibleStatistics, match="d is 3 here and 4 there"):
        begun.partial_fit(np.ones((2, 4)))
    assert begun.version_.n == 30


@pytest.mark.parametrize(
    "wrong", [[[1.0, 2.0], [3.0]], pd.DataFrame([["x", "y"]], columns=["p", "q"]), [[np.nan] * 3]]
)
def test_a_failed_fit_changes_nothing(wrong: object) -> None:
    whitening = Whitening().fit(FRAME)
    expected = whitening.transform(ROWS)
    with pytest.raises(InvalidInput):
        whitening.fit(wrong)
    np.testing.assert_array_equal(whitening.transform(ROWS), expected)
    assert whitening.feature_names_in_.tolist() == ["a", "b", "c"]


def test_a_fit_from_stored_statistics() -> None:
    fitted = Whitening().fit(ROWS)
    again = Whitening().fit_statistics(**fitted.statistics_.to_arrays())
    np.testing.assert_array_equal(again.transform(ROWS), fitted.transform(ROWS))
    ends = MinMax().fit_statistics(extrema={"n": 5, "min": 0.0, "max": 10.0})
    assert ends.transform([5.0]).tolist() == [0.5]
    with pytest.raises(InvalidInput, match="unknown statistic") as caught:
        Whitening().fit_statistics(moments={})
    assert caught.value.path == "statistics.moments"


def test_a_merge_is_a_fit_on_everything() -> None:
    parts = [Whitening().fit(ROWS[i : i + 10]) for i in range(0, 30, 10)]
    merged = parts[0].merge(*parts[1:])
    np.testing.assert_allclose(
        merged.transform(ROWS), Whitening().fit(ROWS).transform(ROWS), rtol=1e-9
    )
    assert [part.version_.n for part in parts] == [10, 10, 10]
    assert parts[0].merge().version_.n == 10


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (Whitening().fit(ROWS), MinMax().fit([1.0, 2.0])),
        (Whitening().fit(ROWS), Whitening(pre="l2").fit(ROWS)),
        (Whitening().fit(ROWS), Whitening().fit(ROWS[:, :2])),
        (Whitening().fit(FRAME), Whitening().fit(FRAME.rename(columns={"a": "z"}))),
        (MinMax().fit([1.0]), MinMax(bounds="percentile").fit([1.0])),
        (InvertedSoftmax(beta=1.0).fit(ROWS), InvertedSoftmax(beta=2.0).fit(ROWS)),
    ],
)
def test_what_does_not_merge_is_refused(mine: Whitening, theirs: Whitening) -> None:
    with pytest.raises(IncompatibleStatistics):
        mine.merge(theirs)
