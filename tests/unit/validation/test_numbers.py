"""Numbers from whatever a caller may send: strict types, exact places, nothing lost in silence."""

from __future__ import annotations

import array
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from normalizers.errors import DtypeError, InvalidInput, NormalizerError, ShapeError, position_text
from normalizers.validation.numbers import number_array

NAN = float("nan")


def objects(*items: object) -> np.ndarray:
    made = np.empty(len(items), dtype=object)
    made[:] = items
    return made


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def endless() -> list[object]:
    items: list[object] = []
    items.append(items)
    return items


def generated() -> Iterator[float]:
    yield 1.0


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([1, 2.5, None], [1.0, 2.5, NAN]),
        ([NAN, float("inf")], [NAN, float("inf")]),
        (((1, 2), (3, 4)), [[1.0, 2.0], [3.0, 4.0]]),
        ([np.float32(1.5), np.int64(3), 2], [1.5, 3.0, 2.0]),
        ([[np.float64(1), None]], [[1.0, NAN]]),
        ([np.longdouble(1)], [1.0]),
        ([5e-324], [5e-324]),
        ([-0.0], [-0.0]),
        (3, 3.0),
        (np.float64(3), 3.0),
        (nested(5), [[[[[1.0]]]]]),
        (range(3), [0.0, 1.0, 2.0]),
        (array.array("d", [1, 2]), [1.0, 2.0]),
        (np.arange(4).reshape(2, 2).T, [[0.0, 2.0], [1.0, 3.0]]),
        (np.arange(4)[::-2], [3.0, 1.0]),
        ([np.array([1.0, 2.0]), np.array([3.0, 4.0])], [[1.0, 2.0], [3.0, 4.0]]),
        ([[1.0, 2.0], np.array([3.0, 4.0])], [[1.0, 2.0], [3.0, 4.0]]),
        ([[np.array([1.0, 2.0])]], [[[1.0, 2.0]]]),
        ([np.array(1.0), np.array(2.0)], [1.0, 2.0]),
        (objects(1, 2.5, None), [1.0, 2.5, NAN]),
        (objects([1.0, 2.0], [3.0, 4.0]), [[1.0, 2.0], [3.0, 4.0]]),
        (np.array([[1, None], [2, 3]], dtype=object), [[1.0, NAN], [2.0, 3.0]]),
        (pd.Series([1, 2]), [1.0, 2.0]),
        (pd.Series([1, None], dtype="Int64"), [1.0, NAN]),
        (pd.Series([1.5, None], dtype="Float64"), [1.5, NAN]),
        (pd.DataFrame({"a": [1, 2], "b": [3.0, None]}), [[1.0, 3.0], [2.0, NAN]]),
        (pd.DataFrame({"a": pd.Series([1, None], dtype="Int64")}), [[1.0], [NAN]]),
    ],
)
def test_numbers_of_every_origin(value: object, expected: object) -> None:
    found = number_array(value, "fit.x")
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.asarray(expected))


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ([], (0,)),
        ([[]], (1, 0)),
        ([[], []], (2, 0)),
        ([[[]]], (1, 1, 0)),
        (np.zeros((0, 3)), (0, 3)),
        (np.zeros((3, 0)), (3, 0)),
        (pd.DataFrame({"a": []}, dtype=float), (0, 1)),
    ],
)
def test_empty_values_keep_their_shape(value: object, shape: tuple[int, ...]) -> None:
    assert number_array(value, "fit.x").shape == shape


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f2", ">f4", ">f8"])
def test_floats_keep_their_width_in_native_order(dtype: str) -> None:
    found = number_array(np.array([1.5, -2.0], dtype=dtype), "fit.x")
    assert found.dtype == np.dtype(dtype).newbyteorder("=")
    assert found.dtype.isnative
    assert found.tolist() == [1.5, -2.0]


@pytest.mark.parametrize("dtype", ["i1", "u1", ">i2", "i4", "u8", ">i8", np.longdouble])
def test_integers_and_long_doubles_become_float64(dtype: object) -> None:
    found = number_array(np.array([1, 2], dtype=dtype), "fit.x")  # type: ignore[call-overload]
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, 2.0]


LOST = 2**53 + 1


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([1, LOST], "fit.x[1]"),
        ([[1, 2.5], [LOST, 0]], "fit.x[1][0]"),
        ([None, -LOST], "fit.x[1]"),
        (objects(1.0, LOST), "fit.x[1]"),
        (LOST, "fit.x"),
        (np.array([2**60, LOST]), "fit.x[1]"),
        (np.array([[0, -LOST]]), "fit.x[0][1]"),
        (np.array([2**64 - 1], dtype=np.uint64), "fit.x[0]"),
        (np.array([LOST], dtype=">i8"), "fit.x[0]"),
        (np.ma.array([LOST, LOST], mask=[True, False]), "fit.x[1]"),
    ],
)
def test_r5_an_integer_that_float64_does_not_hold_is_refused_by_its_place(
    value: object, place: str
) -> None:
    with pytest.raises(InvalidInput, match="does not hold the integer") as caught:
        number_array(value, "fit.x")
    assert caught.value.path == place


@pytest.mark.parametrize("number", [2**53, 2**60, -(2**60), 2**62 + 2**10, -(2**63), 10**15])
def test_r5_integers_that_float64_holds_pass(number: int) -> None:
    assert number_array([number], "x").tolist() == [float(number)]
    assert number_array(np.array([1, number]), "x").tolist() == [1.0, float(number)]


def test_r5_a_float_in_the_digits_of_other_languages_passes() -> None:
    assert number_array([1152921504606847000, 123456789012345680000], "x").tolist() == [
        2.0**60,
        123456789012345680000.0,
    ]


def test_r5_hidden_integers_are_not_looked_at() -> None:
    hidden = np.ma.array([LOST, 2], mask=[True, False])
    assert np.array_equal(number_array(hidden, "x"), [np.nan, 2.0], equal_nan=True)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (10**400, "fit.x"),
        ([1, 10**400], "fit.x[1]"),
        ([[1, 2], [3, -(10**400)]], "fit.x[1][1]"),
        ([None, 10**400], "fit.x[1]"),
        (objects(1.0, 10**400), "fit.x[1]"),
    ],
)
def test_integers_beyond_float64_are_refused(value: object, place: str) -> None:
    with pytest.raises(InvalidInput, match="too large for float64") as caught:
        number_array(value, "fit.x")
    assert caught.value.path == place


@pytest.mark.skipif(
    np.finfo(np.longdouble).max == np.finfo(float).max, reason="long double is float64 here"
)
def test_long_doubles_beyond_float64_are_refused() -> None:
    huge = np.longdouble("1e4000")
    for value in (np.array([[1, huge]]), [[1.0, huge]]):
        with pytest.raises(InvalidInput, match="too large for float64") as caught:
            number_array(value, "fit.x")
        assert caught.value.path == "fit.x[0][1]"
    assert np.isinf(number_array(np.array([np.longdouble("inf")]), "fit.x")).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8", object])
def test_masked_values_are_missing(dtype: object) -> None:
    masked = np.ma.array([1, 2, 3], mask=[0, 1, 0], dtype=dtype)
    found = number_array(masked, "fit.x")
    np.testing.assert_array_equal(found, [1.0, NAN, 3.0])
    assert found.dtype == ("float32" if dtype == "f4" else "float64")
    assert masked.mask.tolist() == [False, True, False]


def test_masked_rows_in_a_list_are_missing() -> None:
    rows = [np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array([3.0, 4.0])]
    np.testing.assert_array_equal(number_array(rows, "fit.x"), [[1.0, NAN], [3.0, 4.0]])


@pytest.mark.parametrize(
    ("value", "place", "what"),
    [
        ([1.0, True], "fit.x[1]", "not a boolean"),
        ([[1.0, np.True_]], "fit.x[0][1]", "not a boolean"),
        ([["1.5"]], "fit.x[0][0]", "not a string"),
        ([np.str_("1")], "fit.x[0]", "number is expected"),
        ([1, [2]], "fit.x[1]", "not a list"),
        ([{}], "fit.x[0]", "not an object"),
        ([b"1"], "fit.x[0]", "not bytes"),
        ([1j], "fit.x[0]", "not a complex"),
        ([Decimal("1.5")], "fit.x[0]", "not a Decimal"),
        ([Fraction(1, 2)], "fit.x[0]", "not a Fraction"),
        ([np.datetime64("2020-01-01")], "fit.x[0]", "number is expected"),
        (True, "fit.x", "not a boolean"),
        ("abc", "fit.x", "not a string"),
        (b"abc", "fit.x", "not bytes"),
        (memoryview(b"abc"), "fit.x", "not a memoryview"),
        (None, "fit.x", "not null"),
        ({"a": 1}, "fit.x", "not an object"),
        ({1.0, 2.0}, "fit.x", "not a set"),
        (generated(), "fit.x", "not a generator"),
        (object(), "fit.x", "not a object"),
        (np.array([True]), "fit.x", "send 0 and 1"),
        (np.array(["a"]), "fit.x", "no real numbers"),
        (np.array([1j]), "fit.x", "no real numbers"),
        (np.array(["2020"], dtype="datetime64[Y]"), "fit.x", "no real numbers"),
        (np.array([1], dtype="timedelta64[s]"), "fit.x", "no real numbers"),
        (np.zeros(2, dtype=[("a", "f8")]), "fit.x", "no real numbers"),
        (np.ma.array([True, False], mask=[0, 1]), "fit.x", "send 0 and 1"),
        (objects("a", 1.0), "fit.x[0]", "not a string"),
        (pd.DataFrame({"a": ["x"], "b": [1]}), "fit.x[0][0]", "not a string"),
        (pd.DataFrame({"a": [True]}), "fit.x", "send 0 and 1"),
        (pd.Series(["x"], dtype="category"), "fit.x[0]", "not a string"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(value: object, place: str, what: str) -> None:
    with pytest.raises(DtypeError, match=what) as caught:
        number_array(value, "fit.x")
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("value", "place", "what"),
    [
        ([[1, 2], [3]], "fit.x[1]", "ragged: this row has 1 entries, the first one 2"),
        ([[[1], [2]], [[3], [4, 5]]], "fit.x[1][1]", "ragged"),
        ([[], [1]], "fit.x[1]", "ragged"),
        ([[1], 2], "fit.x[1]", "like its neighbours"),
        ([[1], None], "fit.x[1]", "like its neighbours"),
        ([[1], "ab"], "fit.x[1]", "like its neighbours"),
        ([[[1]], [2]], "fit.x[1][0]", "like its neighbours"),
        ([np.array([1.0, 2.0]), np.array([3.0])], "fit.x[1]", "ragged"),
        (objects(np.array([1.0, 2.0]), np.array([3.0])), "fit.x[1]", "ragged"),
        (pd.Series([[1.0, 2.0], [3.0]]), "fit.x[1]", "ragged"),
        (nested(6), "fit.x", "more than 5 levels"),
        (nested(500), "fit.x", "more than 5 levels"),
        (endless(), "fit.x", "more than 5 levels"),
    ],
)
def test_ragged_and_deep_lists_are_refused_with_their_place(
    value: object, place: str, what: str
) -> None:
    with pytest.raises(ShapeError, match=what) as caught:
        number_array(value, "fit.x")
    assert caught.value.path == place


def test_a_message_never_repeats_the_value() -> None:
    with pytest.raises(NormalizerError) as caught:
        number_array([["secret payload"]], "fit.x")
    assert "secret" not in str(caught.value)


def test_the_input_is_not_modified() -> None:
    rows = [[1, None], [2, 3]]
    masked = np.ma.array([1.0, 2.0], mask=[0, 1])
    number_array(rows, "fit.x")
    number_array(masked, "fit.x")[:] = 9.0
    assert rows == [[1, None], [2, 3]]
    assert masked.data.tolist() == [1.0, 2.0]


def test_positions_are_written_as_indices() -> None:
    assert position_text([3, np.int64(1)]) == "[3][1]"
    assert position_text([]) == ""


def test_r5_a_frame_of_integers_and_floats_is_refused_where_floats_do_not_hold_them() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": [0.5, 1.5], "n": [1, 2**53 + 1]})
    with pytest.raises(InvalidInput, match="does not hold the integer") as caught:
        number_array(frame, "fit.x")
    assert caught.value.path == "fit.x[1][1]"
    held = pandas.DataFrame({"x": [0.5, 1.5], "n": [1, 2**60]})
    assert number_array(held, "fit.x").tolist() == [[0.5, 1.0], [1.5, 2.0**60]]


def test_r5_columns_of_a_frame_may_share_a_name() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.5, 2**53 + 1]], columns=["a", "a"])
    frame = frame.astype(object).infer_objects()
    with pytest.raises(InvalidInput, match="does not hold the integer"):
        number_array(frame, "x")
