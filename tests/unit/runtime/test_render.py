"""Answers in the form of the request: style, axes, dtype."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.contract.answer import Rendered
from normalizers.data.arrays import Array, string_array
from normalizers.data.batch import InputForm, Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.runtime.render import render

LISTS = Ragged.of([[1.0, 2.0], [3.0]])
EVEN = Ragged.of([[1.0, 2.0], [3.0, 4.0]])


def plain(value: Rendered) -> object:
    if isinstance(value, Ragged):
        return {"values": value.values.tolist(), "offsets": value.offsets.tolist()}
    if isinstance(value, list):
        return [part.tolist() for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        (Ragged.of([[1.0, 2.0]]), InputForm("flat"), [1.0, 2.0]),
        (Ragged.of([[]]), InputForm("flat"), []),
        (LISTS, InputForm("nested"), [[1.0, 2.0], [3.0]]),
        (Ragged.of([]), InputForm("nested"), []),
        (LISTS, InputForm("offsets"), {"values": [1.0, 2.0, 3.0], "offsets": [0, 2, 3]}),
        (EVEN, InputForm("matrix", width=2), [[1.0, 2.0], [3.0, 4.0]]),
        (Ragged.of([[], []]), InputForm("matrix"), [[], []]),
        (LISTS, InputForm("matrix", width=2), {"values": [1.0, 2.0, 3.0], "offsets": [0, 2, 3]}),
        (np.array([[1.0, 2.0]]), InputForm(), [[1.0, 2.0]]),
        (np.array([[1.0, 2.0]]), InputForm(squeezed=(0,)), [1.0, 2.0]),
        (np.array([[1.0], [2.0]]), InputForm(squeezed=(1,)), [1.0, 2.0]),
        (np.array([[1.0, 2.0], [3.0, 4.0]]), InputForm(squeezed=(1,)), [[1.0, 2.0], [3.0, 4.0]]),
        (np.zeros((0, 3)), InputForm(squeezed=(1,)), []),
        (np.array([[1.0], [2.0]]), InputForm(leading=(1, 2)), [[[1.0], [2.0]]]),
        (np.array([1.0, 2.0]), InputForm(leading=(2, 1)), [[1.0], [2.0]]),
        (np.array([3.0]), InputForm(leading=(2, 1)), [3.0]),
        (np.array([1.0, 2.0]), InputForm(squeezed=(1,)), [1.0, 2.0]),
        (np.array([1.0, 2.0]), InputForm("nested"), [1.0, 2.0]),
        (string_array(["a"]), InputForm(), ["a"]),
        ("text", InputForm(), "text"),
        ({"n": 1}, InputForm("nested"), {"n": 1}),
        (True, InputForm(), True),
    ],
)
def test_values_in_their_form(value: Value, form: InputForm, expected: object) -> None:
    assert plain(render(value, form, main=True)) == expected


def test_a_matrix_without_rows_keeps_its_width() -> None:
    found = render(Ragged.of([]), InputForm("matrix", width=3), main=True)
    assert isinstance(found, np.ndarray)
    assert found.shape == (0, 3)


@pytest.mark.parametrize(
    ("form", "shape"),
    [
        (InputForm(order=(0, 1, 2)), (2, 3, 4)),
        (InputForm(order=(0, 2, 1)), (2, 4, 3)),
    ],
)
def test_axes_in_the_order_of_the_request(form: InputForm, shape: tuple[int, ...]) -> None:
    value = np.arange(24.0).reshape(2, 3, 4)
    found = render(value, form, main=True)
    assert isinstance(found, np.ndarray)
    assert found.shape == shape
    np.testing.assert_array_equal(found, value.transpose(form.order))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("value", [np.array([1.5]), LISTS])
def test_the_main_output_has_the_dtype_of_the_input(dtype: str, value: Value) -> None:
    form = InputForm("nested" if isinstance(value, Ragged) else "plain", dtype=dtype)
    main = render(value, form, main=True)
    side = render(value, form, main=False)
    assert (main[0].dtype, side[0].dtype) == (np.dtype(dtype), np.float64)  # type: ignore[index,union-attr]


@pytest.mark.parametrize(
    ("value", "where"), [(np.array([[1.0, 1e6]]), r"\[0, 1\]"), (np.array([-1e6]), r"\[0\]")]
)
def test_a_result_beyond_float16_is_refused(value: Array, where: str) -> None:
    with pytest.raises(InvalidInput, match=f"at {where} is too large for float16; send the input"):
        render(value, InputForm(dtype="float16"), main=True)
    assert render(value, InputForm(dtype="float16"), main=False) is not None
    with pytest.raises(InvalidInput, match="too large for float32"):
        render(np.array([1e300]), InputForm(dtype="float32"), main=True)


def test_missing_results_and_whole_numbers_keep_their_kind() -> None:
    found = render(np.array([np.nan]), InputForm(dtype="float16"), main=True)
    assert isinstance(found, np.ndarray)
    assert np.isnan(found).all()
    ranks = render(np.array([1, 2]), InputForm(dtype="float32"), main=True)
    assert isinstance(ranks, np.ndarray)
    assert ranks.dtype == np.int64
