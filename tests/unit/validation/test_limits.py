"""What a call may hold is counted at the door: before a field is read, and once it is."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.fields import Fields, floats, id_lists, lists, records
from normalizers.data.ragged import Ragged
from normalizers.validation import validate
from normalizers.validation.limits import Limits, TooMany

SCORES = Fields(scores=lists())
RUNS = Fields(runs=records(ids=id_lists()))
ROWS = Fields(x=floats("n d", flat="row"))
LIMITS = Limits(lists=2, rows=3, ids=4, values=10, dims=5)


@pytest.mark.parametrize(
    "sent",
    [[[1.0], [2.0], ["no number"]], np.zeros((3, 1)), Ragged.of([[1.0], [2.0], [3.0]])],
    ids=["lists", "an array", "ragged"],
)
def test_lists_are_counted_before_they_are_read(sent: object) -> None:
    with pytest.raises(TooMany, match="3 lists are too many") as error:
        validate(SCORES, {"scores": sent}, path="input", limits=LIMITS)
    assert (error.value.limit, error.value.name, error.value.path) == (2, "lists", "input.scores")


def test_offsets_are_one_more_than_the_lists_they_count() -> None:
    assert validate(SCORES, {"scores": [1.0], "offsets": [0, 1, 1]}, path="input", limits=LIMITS)
    with pytest.raises(TooMany) as error:
        validate(SCORES, {"scores": [1.0], "offsets": [0, 1, 1, 1]}, path="input", limits=LIMITS)
    assert error.value.path == "input.offsets"


def test_steps_that_hold_nothing_count_as_rows() -> None:
    with pytest.raises(TooMany, match="4 rows are too many"):
        validate(ROWS, {"x": np.empty((4, 0))}, path="fit", limits=LIMITS)
    with pytest.raises(TooMany, match="4 rows are too many"):
        validate(ROWS, {"x": [[], [], [], []]}, path="fit", limits=LIMITS)


def test_a_record_is_counted_with_its_place() -> None:
    with pytest.raises(TooMany) as error:
        validate(
            RUNS, {"runs": [{"ids": ["a"]}, {"ids": list("abcde")}]}, path="input", limits=LIMITS
        )
    assert (error.value.name, error.value.path) == ("ids", "input.runs[1].ids")
    with pytest.raises(TooMany, match="3 lists are too many"):
        validate(RUNS, {"runs": [{}, {}, {}]}, path="input", limits=LIMITS)


def test_rows_dims_and_what_the_answer_would_hold_are_counted() -> None:
    for rows, name in ((4, "rows"), (1, "dims")):
        with pytest.raises(TooMany) as error:
            validate(ROWS, {"x": np.zeros((rows, 6))}, path="fit", limits=LIMITS)
        assert error.value.name == name
    with pytest.raises(TooMany, match="2 x 6 values"):
        validate(ROWS, {"x": np.zeros((2, 3))}, path="input", sizes={"d": 3, "k": 6}, limits=LIMITS)


def test_without_limits_nothing_is_counted() -> None:
    assert len(validate(ROWS, {"x": np.zeros((9, 9))}, path="fit").array("x")) == 9
