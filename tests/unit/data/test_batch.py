"""Batches: read-only named values, and the form each was written in."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.data.batch import PLAIN, Batch, InputForm, notice
from normalizers.data.ragged import Ragged

ARRAY = np.ones((2, 3))
RAGGED = Ragged.of([[1.0], []])


def batch() -> Batch:
    return Batch(
        {"x": ARRAY, "scores": RAGGED, "runs": (Batch({}),), "state": {"n": 1}},
        {"x": InputForm(squeezed=(0,))},
        (notice("seen", "a sentence", count=2),),
    )


def test_values_by_kind() -> None:
    found = batch()
    assert found.array("x") is ARRAY
    assert found.ragged("scores") is RAGGED
    assert len(found.records("runs")) == 1
    assert found.state() == {"n": 1}
    assert Batch({}).state() is None
    assert (len(found), list(found)) == (4, ["x", "scores", "runs", "state"])
    assert repr(found) == "Batch(x, scores, runs, state)"


@pytest.mark.parametrize(
    ("read", "what"),
    [
        (lambda found: found.array("scores"), "'scores' is not a dense array"),
        (lambda found: found.ragged("x"), "'x' is not ragged"),
        (lambda found: found.records("x"), "'x' holds no records"),
        (lambda found: found.record("runs"), "'runs' is no record"),
    ],
)
def test_a_value_of_another_kind_is_an_error_of_the_method(read: object, what: str) -> None:
    with pytest.raises(TypeError, match=what):
        read(batch())  # type: ignore[operator]


def test_a_batch_is_read_only_and_replaced() -> None:
    found = batch()
    with pytest.raises(TypeError):
        found["x"] = ARRAY
    other = found.replace(x=ARRAY * 2)
    assert other.array("x")[0, 0] == 2.0
    assert found.array("x")[0, 0] == 1.0
    assert other.form("x") == InputForm(squeezed=(0,))
    assert other.notices == found.notices


def test_a_mapping_that_changes_later_changes_no_batch() -> None:
    values = {"x": ARRAY}
    found = Batch(values)
    values["y"] = ARRAY
    assert list(found) == ["x"]


def test_a_field_without_a_form_is_plain() -> None:
    assert batch().form("scores") is PLAIN
    assert InputForm("plain", (), (), "float64") == PLAIN


def test_a_notice_as_it_stands_in_an_answer() -> None:
    found = notice("few_rows", "fewer rows than dims", rows=2, dims=3).as_dict()
    assert found == {
        "code": "few_rows",
        "message": "fewer rows than dims",
        "rows": 2,
        "dims": 3,
    }


def test_k4_positions_are_told_in_the_axes_that_were_sent() -> None:
    form = InputForm(leading=(2, 3))
    assert form.as_written([4, 1]) == [1, 1, 1]
    assert form.places_as_written(np.array([0, 5])).tolist() == [[0, 0], [1, 2]]
    assert form.places_as_written(np.array([[4, 1]])).tolist() == [[1, 1, 1]]
    assert InputForm().places_as_written(np.array([4])).tolist() == [4]
