"""The statistics of a pipeline: those of its steps, one entry a step."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.errors import IncompatibleStatistics, InvalidInput, ShapeError
from normalizers.statistics import Extrema, Scatter, Statistics
from normalizers.statistics.steps import Steps

ROWS = np.random.default_rng(0).normal(size=(12, 2))
NONE = Statistics({})


def extrema(rows: np.ndarray | None = None) -> Statistics:
    kept = Extrema() if rows is None else Extrema().update(rows)
    return Statistics({"extrema": kept})


def scatter(rows: np.ndarray | None = None) -> Statistics:
    kept = Scatter() if rows is None else Scatter().update(rows)
    return Statistics({"scatter": kept})


def test_empty_steps() -> None:
    steps = Steps([NONE, extrema()])
    assert (steps.n, steps.is_empty, steps.identity()) == (0, True, {"steps": 2})
    assert steps.to_json() == [{}, {"extrema": {}}]
    assert Steps([]).n == 0
    assert steps.to_arrays() == {}


def test_one_fitted_step_merges_in_any_order() -> None:
    whole = Steps([NONE, scatter(ROWS)])
    one, two = Steps([NONE, scatter(ROWS[:5])]), Steps([NONE, scatter(ROWS[5:])])
    for merged in (one.merge(two), two.merge(one)):
        assert merged.n == 12
        np.testing.assert_allclose(
            merged.parts[1]["scatter"].scatter,  # type: ignore[attr-defined]
            whole.parts[1]["scatter"].scatter,  # type: ignore[attr-defined]
            rtol=1e-12,
        )
    empty = Steps([NONE, scatter()])
    assert empty.merge(one) is one
    assert one.merge(empty) is one


def test_what_merged_can_be_subtracted_where_its_step_can() -> None:
    one, two = Steps([NONE, scatter(ROWS[:5])]), Steps([NONE, scatter(ROWS[5:])])
    rest = one.merge(two).minus(one)
    assert rest.n == 7
    assert one.removable
    assert not Steps([extrema(ROWS)]).removable


def test_two_fitted_steps_and_other_steps_do_not_merge() -> None:
    two = Steps([extrema(ROWS), scatter(ROWS)])
    with pytest.raises(IncompatibleStatistics, match="two fitted steps does not merge"):
        two.merge(two)
    with pytest.raises(IncompatibleStatistics, match="two fitted steps does not merge"):
        two.minus(two)
    with pytest.raises(IncompatibleStatistics, match="steps is 1 here and 2 there"):
        Steps([extrema(ROWS)]).merge(two)
    with pytest.raises(IncompatibleStatistics, match="do not merge with"):
        Steps([extrema(ROWS)]).merge(Steps([scatter(ROWS)]))


@pytest.mark.parametrize("steps", [Steps([NONE, scatter(ROWS)]), Steps([extrema(ROWS), NONE])])
def test_the_wire_and_the_file_describe_the_same_value(steps: Steps) -> None:
    empty = Steps([NONE if not part else _emptied(part) for part in steps.parts])
    wire = steps.to_json()
    assert isinstance(wire, list)
    for again in (
        empty.from_wire(wire, "statistics.steps"),
        empty.from_wire({str(i): part for i, part in enumerate(wire)}, "statistics.steps"),
    ):
        assert again.n == steps.n
        np.testing.assert_equal(again.to_json(), wire)


def _emptied(part: Statistics) -> Statistics:
    return scatter() if "scatter" in part else extrema()


@pytest.mark.parametrize(
    ("value", "error", "place", "what"),
    [
        ([{}], ShapeError, "s", "a list of 2 objects is expected, one a step"),
        ([{}, {}, {}], ShapeError, "s", "a list of 2 objects"),
        (None, ShapeError, "s", "a list of 2 objects"),
        ([{}, None], InvalidInput, "s[1]", "an object by name"),
        ([{"extrema": {}}, {}], InvalidInput, "s[0].extrema", "unknown statistic"),
        ([{}, {"extrema": {"min": 1}}], InvalidInput, "s[1].extrema", "'max' is missing"),
        ({"1": {"extrema": 3}}, InvalidInput, "s[1].extrema", "an object"),
        ({"7": {}}, InvalidInput, "s.7", "unknown member '7'; known: 0, 1"),
    ],
)
def test_wrong_values_are_refused_with_their_place(
    value: object, error: type[InvalidInput], place: str, what: str
) -> None:
    with pytest.raises(error, match=what) as caught:
        Steps([NONE, extrema()]).from_wire(value, "s")
    assert caught.value.path == place


def test_the_summary_has_one_entry_a_step() -> None:
    summary = Steps([NONE, extrema(ROWS)]).summary()
    assert [list(part) for part in summary["steps"]] == [[], ["extrema"]]  # type: ignore[attr-defined]
