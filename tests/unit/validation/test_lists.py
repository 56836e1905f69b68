"""Ragged lists: four ways to write them, one meaning, and lengths that cannot lie."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, NormalizerError, ShapeError
from normalizers.runtime.render import render
from normalizers.validation.lists import id_lists, number_lists, read_lengths, read_offsets

NAN = float("nan")


def objects(*items: object) -> np.ndarray:
    made = np.empty(len(items), dtype=object)
    made[:] = items
    return made


def parts(value: object, offsets: object = None) -> tuple[list[list[float]], str]:
    read = None if offsets is None else read_offsets(offsets, "input.offsets")
    ragged, form = number_lists(value, read, "input.scores")
    assert ragged.values.dtype == np.float64
    return [part.tolist() for part in ragged], form.style


@pytest.mark.parametrize(
    ("value", "expected", "style"),
    [
        ([1, 2], [[1.0, 2.0]], "flat"),
        ([], [[]], "flat"),
        (np.array([1, 2], dtype="i4"), [[1.0, 2.0]], "flat"),
        (pd.Series([1.0, 2.0]), [[1.0, 2.0]], "flat"),
        ([[1], [2, 3]], [[1.0], [2.0, 3.0]], "nested"),
        ([[]], [[]], "nested"),
        ([[], [1], []], [[], [1.0], []], "nested"),
        (((1, 2), (3,)), [[1.0, 2.0], [3.0]], "nested"),
        ([np.array([1.0, 2.0]), [3]], [[1.0, 2.0], [3.0]], "nested"),
        (objects([1.0, 2.0], [3.0]), [[1.0, 2.0], [3.0]], "nested"),
        (objects((1.0, 2.0), (3.0,)), [[1.0, 2.0], [3.0]], "nested"),
        (objects(np.array([1.0, 2.0]), np.array([3.0])), [[1.0, 2.0], [3.0]], "nested"),
        (pd.Series([[1.0, 2.0], [3.0]]), [[1.0, 2.0], [3.0]], "nested"),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), [[1.0, 2.0], [3.0, 4.0]], "matrix"),
        (pd.DataFrame({"a": [1, 3], "b": [2, 4]}), [[1.0, 2.0], [3.0, 4.0]], "matrix"),
        (np.arange(4.0).reshape(2, 2).T, [[0.0, 2.0], [1.0, 3.0]], "matrix"),
        (np.zeros((3, 0)), [[], [], []], "matrix"),
        (np.zeros((0, 3)), [], "matrix"),
        (Ragged.of([[1.0], [2.0, 3.0]]), [[1.0], [2.0, 3.0]], "offsets"),
        (Ragged(np.array([1, 2]), np.array([0, 2])), [[1.0, 2.0]], "offsets"),
    ],
)
def test_every_form_of_lists(value: object, expected: list[list[float]], style: str) -> None:
    assert parts(value) == (expected, style)


def test_missing_scores_in_every_form() -> None:
    expected = [[1.0, NAN]]
    matrix = np.array([[1.0, NAN]])
    for value in ([1, None], [[1, None]], matrix, np.ma.array([[1.0, 5.0]], mask=[[0, 1]])):
        np.testing.assert_array_equal(parts(value)[0], expected)


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ([0, 1, 3], [[1.0], [2.0, 3.0]]),
        ([0, 0, 3, 3], [[], [1.0, 2.0, 3.0], []]),
        ([0.0, 3.0], [[1.0, 2.0, 3.0]]),
        (np.array([0, 3], dtype=np.uint64), [[1.0, 2.0, 3.0]]),
        (np.array([0, 3], dtype=np.float16), [[1.0, 2.0, 3.0]]),
    ],
)
def test_offsets_part_a_flat_list(offsets: object, expected: list[list[float]]) -> None:
    assert parts([1, 2, 3], offsets) == (expected, "offsets")


def test_offsets_of_no_list_and_of_empty_lists() -> None:
    assert parts([], [0]) == ([], "offsets")
    assert parts([], [0, 0, 0]) == ([[], []], "offsets")
    assert read_lengths([], "input.lengths").tolist() == [0]
    assert read_lengths([3, 0, 1.0], "input.lengths").tolist() == [0, 3, 3, 4]


@pytest.mark.parametrize(
    ("offsets", "what", "place"),
    [
        ([], "one entry more", "input.offsets"),
        ([[0, 3]], "one entry more", "input.offsets"),
        (3, "one entry more", "input.offsets"),
        ([1, 3], "start at 0", "input.offsets"),
        ([-1, 3], "start at 0", "input.offsets"),
        ([0, 2, 1, 3], "never fall", "input.offsets"),
        ([0, 1.5, 3], "whole numbers", "input.offsets"),
        ([0, NAN], "whole numbers", "input.offsets"),
        ([0, None], "whole numbers", "input.offsets"),
        ([0, float("inf")], "whole numbers", "input.offsets"),
        ([0, 2**63], "no list is that long", "input.offsets"),
        ([0, 10**300], "no list is that long", "input.offsets"),
        ([0, 10**400], "too large", "input.offsets[1]"),
        ([False, 3], "not a boolean", "input.offsets[0]"),
        (["0", "3"], "not a string", "input.offsets[0]"),
        ({}, "not an object", "input.offsets"),
        ([0, 2], "hold 2 values together, but 3", "input.scores"),
        ([0, 4], "hold 4 values together, but 3", "input.scores"),
    ],
)
def test_offsets_that_lie_are_refused(offsets: object, what: str, place: str) -> None:
    with pytest.raises(NormalizerError, match=what) as caught:
        parts([1, 2, 3], offsets)
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("lengths", "what"),
    [
        ([-1, 4], "at least 0"),
        ([1.5], "whole numbers"),
        ([NAN], "whole numbers"),
        ([[3]], "flat list"),
        (3, "flat list"),
        ([2**62, 2**62], "no list is that long"),
        ([True], "not a boolean"),
    ],
)
def test_lengths_that_lie_are_refused(lengths: object, what: str) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        read_lengths(lengths, "input.lengths")
    assert caught.value.path.startswith("input.lengths")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (Ragged(np.ones(3), np.array([0, 2])), "hold 2 values together, but 3"),
        (Ragged(np.ones(3), np.array([0, 2, 1, 3])), "never fall"),
        (Ragged(np.ones(3), np.array([1, 3])), "start at 0"),
        (Ragged(np.ones((1, 3)), np.array([0, 3])), "flat list"),
    ],
)
def test_ragged_values_that_lie_are_refused(value: Ragged, what: str) -> None:
    with pytest.raises(InvalidInput, match=what):
        number_lists(value, None, "input.scores")


def test_ragged_values_beside_other_offsets_are_refused() -> None:
    ragged = Ragged.of([[1.0], [2.0, 3.0]])
    assert parts(ragged, [0, 1, 3])[0] == [[1.0], [2.0, 3.0]]
    with pytest.raises(ShapeError, match="other offsets"):
        parts(ragged, [0, 3])


@pytest.mark.parametrize("value", [[[1], [2, 3]], np.ones((1, 3))])
def test_nested_lists_beside_offsets_are_refused(value: object) -> None:
    with pytest.raises(ShapeError, match="one flat list"):
        parts(value, [0, 3])


@pytest.mark.parametrize(
    ("value", "error", "place"),
    [
        ([[1], 2], ShapeError, "input.scores[1]"),
        ([1, [2]], ShapeError, "input.scores[0]"),
        ([[1], None], ShapeError, "input.scores[1]"),
        ([[1], "ab"], ShapeError, "input.scores[1]"),
        ([[1], [[2]]], ShapeError, "input.scores[1]"),
        ([np.ones((2, 2))], ShapeError, "input.scores[0]"),
        ([np.array(1.0)], ShapeError, "input.scores[0]"),
        (np.ones((1, 2, 3)), ShapeError, "input.scores"),
        (3.0, ShapeError, "input.scores"),
        ([[1], [True]], DtypeError, "input.scores[1][0]"),
        ([["a"]], DtypeError, "input.scores[0][0]"),
        (np.array([["a"]]), DtypeError, "input.scores"),
        (np.array([[True]]), DtypeError, "input.scores"),
        ({"a": 1}, DtypeError, "input.scores"),
        ("abc", DtypeError, "input.scores"),
        (None, DtypeError, "input.scores"),
        ([[1], [10**400]], InvalidInput, "input.scores[1][0]"),
    ],
)
def test_wrong_lists_are_refused_with_their_place(
    value: object, error: type[InvalidInput], place: str
) -> None:
    with pytest.raises(error) as caught:
        parts(value)
    assert caught.value.path == place
    assert type(caught.value) is error


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f4"])
def test_the_answer_has_the_form_and_dtype_of_the_request(dtype: str) -> None:
    flat = np.array([1.5, 2.5, 3.5], dtype=dtype)
    forms = {
        "flat": (flat, None),
        "nested": ([flat[:1], flat[1:]], None),
        "matrix": (flat.reshape(1, 3), None),
        "offsets": (flat, np.array([0, 1, 3])),
    }
    for style, (value, offsets) in forms.items():
        ragged, form = number_lists(value, offsets, "input.scores")
        written = render(ragged, form, main=True)
        arrays = written if isinstance(written, list) else [written]
        numbers = [part.values if isinstance(part, Ragged) else part for part in arrays]
        assert form.style == style
        assert {part.dtype for part in numbers} == {np.dtype(dtype).newbyteorder("=")}
        assert np.concatenate([part.reshape(-1) for part in numbers]).tolist() == [1.5, 2.5, 3.5]


def test_lists_of_mixed_dtypes_answer_in_float64() -> None:
    ragged, form = number_lists(
        [np.ones(1, dtype="f4"), np.ones(1, dtype="f8")], None, "input.scores"
    )
    assert form.dtype == "float64"
    assert number_lists([np.ones(1, dtype="f4"), [1.0]], None, "input.scores")[1].dtype == "float64"
    assert ragged.values.tolist() == [1.0, 1.0]


def test_a_matrix_without_rows_keeps_its_width() -> None:
    ragged, form = number_lists(np.zeros((0, 3), dtype="f4"), None, "input.scores")
    written = render(ragged, form, main=True)
    assert isinstance(written, np.ndarray)
    assert written.shape == (0, 3)


@pytest.mark.parametrize(
    ("value", "expected", "style"),
    [
        (["a", "b"], [["a", "b"]], "flat"),
        ([["a"], ["b", "c"]], [["a"], ["b", "c"]], "nested"),
        ([1, 2], [["1", "2"]], "flat"),
        ([], [[]], "flat"),
        ([[]], [[]], "nested"),
        (np.array([["a", "b"]]), [["a", "b"]], "matrix"),
        (np.array(["a", "b"], dtype=object), [["a", "b"]], "flat"),
        (pd.Series(["a"]), [["a"]], "flat"),
    ],
)
def test_ids_in_every_form(value: object, expected: list[list[str]], style: str) -> None:
    ragged, form = id_lists(value, None, "input.ids")
    assert ([part.tolist() for part in ragged], form.style) == (expected, style)
    assert len(form.ids) <= 1


def test_mixed_ids_are_noticed_within_and_across_lists() -> None:
    assert id_lists([["a", 1]], None, "input.ids")[1].ids == {str, int}
    assert id_lists([["a"], [1]], None, "input.ids")[1].ids == {str, int}
    assert id_lists([["a"], ["b"]], None, "input.ids")[1].ids == {str}


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([["a"], ["b", ""]], "input.ids[1][1]"),
        ([["a"], [None]], "input.ids[1][0]"),
        ([["a"], ["\ud800"]], "input.ids[1][0]"),
        ([[["a"]]], "input.ids[0][0]"),
        ([["a"], "b"], "input.ids[1]"),
        ("abc", "input.ids"),
    ],
)
def test_wrong_ids_are_refused_with_their_place(value: object, place: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        id_lists(value, None, "input.ids")
    assert caught.value.path == place
