"""Series in every layout: in, out again, and back with forecasts of another length."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.contract.fields import Field, Fields, mask, optional, series
from normalizers.data.batch import Batch
from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, InvalidParams, ShapeError
from normalizers.runtime.render import render
from normalizers.validation import validate

TAKES = Fields(x=series(), mask=optional(mask("n t c")))
RETURNS = Fields(y=series("n h c"), loc=series("n 1 c"), scale=series("n 1 c"))
QUANTILES = Fields(y=series("n h c q"), loc=series("n 1 c"))
# By layout: a shape of the request, and the canonical one.
SHAPES = {
    "NTC": ((2, 3, 4), (2, 3, 4)),
    "NT": ((2, 3), (2, 3, 1)),
    "T": ((3,), (1, 3, 1)),
    "TC": ((3, 4), (1, 3, 4)),
    "NCT": ((2, 4, 3), (2, 3, 4)),
}


def read(value: object, layout: str | None = None, **beside: object) -> Batch:
    return validate(TAKES, {"x": value, **beside}, path="input", layout=layout)


def returned(layout: str | None, **values: object) -> Batch:
    return validate(RETURNS, values, path="input", layout=layout)


@pytest.mark.parametrize("layout", SHAPES)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_every_layout_goes_in_and_out_again(layout: str, dtype: str) -> None:
    sent, canonical = SHAPES[layout]
    x = np.arange(np.prod(sent), dtype=dtype).reshape(sent)
    batch = read(x, layout)
    assert batch.array("x").shape == canonical
    assert batch.array("x").dtype == np.float64
    written = render(batch["x"], batch.form("x"), main=True)
    assert isinstance(written, np.ndarray)
    np.testing.assert_array_equal(written, x)
    assert written.dtype == x.dtype


def test_channels_before_time_are_transposed_not_reshaped() -> None:
    x = [[[1, 2, 3], [10, 20, 30]]]
    assert read(x, "NCT").array("x").tolist() == [[[1, 10], [2, 20], [3, 30]]]


@pytest.mark.parametrize("layout", SHAPES)
def test_the_same_numbers_in_every_layout(layout: str) -> None:
    canonical = np.arange(3.0)
    sent = {"NTC": (1, 3, 1), "NT": (1, 3), "T": (3,), "TC": (3, 1), "NCT": (1, 1, 3)}[layout]
    batch = read(canonical.reshape(sent).tolist(), layout)
    assert batch.array("x").tolist() == [[[0.0], [1.0], [2.0]]]


@pytest.mark.parametrize(
    ("shape", "canonical"),
    [((3,), (1, 3, 1)), ((2, 3, 4), (2, 3, 4)), ((0,), (1, 0, 1)), ((0, 3, 2), (0, 3, 2))],
)
def test_the_layout_is_known_from_one_or_three_axes(
    shape: tuple[int, ...], canonical: tuple[int, ...]
) -> None:
    assert read(np.zeros(shape)).array("x").shape == canonical


def test_two_axes_need_a_layout() -> None:
    with pytest.raises(ShapeError, match=r"say options\.layout NT or TC") as caught:
        read([[1, 2], [3, 4]])
    assert caught.value.path == "input.x"


@pytest.mark.parametrize(
    ("shape", "layout", "what"),
    [
        ((2, 3), "NTC", "2 axes, but layout NTC has 3"),
        ((2, 3, 4), "NT", "3 axes, but layout NT has 2"),
        ((2, 3), "T", "2 axes, but layout T has 1"),
        ((), "T", "0 axes, but layout T has 1"),
        ((), None, "one to three axes"),
        ((1, 1, 1, 1), None, "one to three axes"),
        ((2, 3, 4), "ragged", "flat list"),
    ],
)
def test_other_axes_than_the_layout_has_are_refused(
    shape: tuple[int, ...], layout: str | None, what: str
) -> None:
    with pytest.raises(ShapeError, match=what) as caught:
        read(np.zeros(shape), layout)
    assert caught.value.path == "input.x"


@pytest.mark.parametrize("layout", ["ntc", "CTN", "", "NTC" * 50])
def test_an_unknown_layout_is_refused_by_name(layout: str) -> None:
    with pytest.raises(InvalidParams, match="one of NTC, NT, T, TC, NCT, ragged") as caught:
        read([1.0], layout)
    assert caught.value.path == "options.layout"
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    "value",
    [
        [[[1], [0], [True]], [[False], [1.0], [1]]],
        np.array([[[1], [0], [1]], [[0], [1], [1]]]),
        np.array([[[1], [0], [1]], [[0], [1], [1]]], dtype=bool),
        np.array([[[True], [False], [True]], [[False], [True], [True]]], dtype=object),
        [np.array([[True], [False], [True]]), [[0], [1], [1]]],
        [[[np.True_], [np.False_], [1]], [[0], [1], [1]]],
        (((1,), (0,), (1,)), ((0,), (1,), (1,))),
        np.array([[[1], [-0.0], [1]], [[0], [1], [1]]], dtype="f2"),
    ],
)
def test_masks_of_zero_one_and_booleans(value: object) -> None:
    found = read(np.zeros((2, 3, 1)), mask=value).array("mask")
    assert found.dtype == bool
    assert found[..., 0].tolist() == [[True, False, True], [False, True, True]]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ([1, 2, 0], "input.mask[1]"),
        ([1, 0.5, 0], "input.mask[1]"),
        ([1, 0, None], "input.mask[2]"),
        (np.array([1.0, np.nan, 0.0]), "input.mask[1]"),
        (np.array([1.0, np.inf, 0.0]), "input.mask[1]"),
        (np.ma.array([1.0, 1.0, 0.0], mask=[0, 1, 0]), "input.mask[1]"),
        (np.ma.array([True, True, False], mask=[0, 1, 0]), "input.mask[1]"),
    ],
)
def test_other_values_of_a_mask_are_refused_with_their_place(value: object, place: str) -> None:
    with pytest.raises(InvalidInput, match="0 and 1") as caught:
        read([1.0, 2.0, 3.0], mask=value)
    assert caught.value.path == place


@pytest.mark.parametrize(
    ("value", "error", "place"),
    [
        (["1", 1, 1], DtypeError, "input.mask[0]"),
        (True, DtypeError, "input.mask"),
        ({}, DtypeError, "input.mask"),
        ([1, 1], ShapeError, "input.mask"),
        ([], ShapeError, "input.mask"),
        ([[[[[[[1]]]]]]], ShapeError, "input.mask[0][0][0][0][0]"),
    ],
)
def test_a_mask_of_another_shape_or_type_is_refused(
    value: object, error: type[InvalidInput], place: str
) -> None:
    with pytest.raises(error) as caught:
        read([1.0, 2.0, 3.0], mask=value)
    assert caught.value.path == place


def test_a_mask_has_the_layout_of_its_series() -> None:
    x = np.zeros((2, 4, 3))
    mask_of_x = np.arange(24).reshape(2, 4, 3) % 2
    found = read(x, "NCT", mask=mask_of_x).array("mask")
    np.testing.assert_array_equal(found, mask_of_x.transpose(0, 2, 1).astype(bool))
    with pytest.raises(ShapeError, match=r"'mask' has \d for [tc], but 'x' has \d"):
        read(x, "NCT", mask=mask_of_x.transpose(0, 2, 1))


def test_a_mask_as_a_series_of_pandas() -> None:
    found = read([1.0, 2.0], mask=pd.Series([True, False])).array("mask")
    assert found.reshape(-1).tolist() == [True, False]


@pytest.mark.parametrize(
    ("values", "style"),
    [
        ({"x": [[1, 2], [3]]}, "nested"),
        ({"x": [1, 2, 3], "offsets": [0, 2, 3]}, "offsets"),
        ({"x": [1, 2, 3], "lengths": [2, 1]}, "offsets"),
        ({"x": Ragged.of([[1, 2], [3]])}, "offsets"),
    ],
)
def test_ragged_series_in_every_form(values: dict[str, object], style: str) -> None:
    batch = validate(TAKES, values, path="input", layout="ragged")
    assert [part.tolist() for part in batch.ragged("x")] == [[1.0, 2.0], [3.0]]
    assert batch.form("x").style == style


@pytest.mark.parametrize(
    ("x", "beside"),
    [
        ([[1, 2], [3]], {"mask": [[1, 0], [True]]}),
        ([1, 2, 3], {"mask": [1, 0, 1], "offsets": [0, 2, 3]}),
        (Ragged.of([[1, 2], [3]]), {"mask": [1, 0, 1]}),
        (Ragged.of([[1, 2], [3]]), {"mask": Ragged.of([[1, 0], [1]], bool)}),
    ],
)
def test_ragged_masks(x: object, beside: dict[str, object]) -> None:
    found = read(x, "ragged", **beside).ragged("mask")
    assert found.values.tolist() == [True, False, True]
    assert found.offsets.tolist() == [0, 2, 3]


def test_a_ragged_mask_of_other_lengths_is_refused() -> None:
    with pytest.raises(ShapeError, match="lists of the same lengths") as caught:
        read([[1, 2], [3]], "ragged", mask=[[1], [1, 0]])
    assert caught.value.path == "input.mask"


def test_ragged_series_without_or_with_another_layout_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"need options\.layout 'ragged'"):
        read([[1, 2], [3]])
    with pytest.raises(ShapeError, match="have layout 'ragged', not 'NT'"):
        read([1, 2, 3], "NT", offsets=[0, 2, 3])


@pytest.mark.parametrize(
    ("layout", "forecast", "loc"),
    [
        ("NTC", (2, 5, 4), (2, 1, 4)),
        ("NT", (2, 5), (2, 1)),
        ("T", (5,), (1,)),
        ("TC", (5, 4), (1, 4)),
        ("NCT", (2, 4, 5), (2, 4, 1)),
        ("NTC", (2, 5, 4), (2, 4)),
        ("NT", (2, 5), (2,)),
        ("T", (5,), ()),
        ("TC", (5, 4), (4,)),
        ("NCT", (2, 4, 5), (2, 4)),
        (None, (2, 5, 4), (2, 4)),
        (None, (5,), ()),
    ],
)
def test_a_forecast_of_another_length_with_loc_and_scale(
    layout: str | None, forecast: tuple[int, ...], loc: tuple[int, ...]
) -> None:
    sent = {"y": np.ones(forecast), "loc": np.full(loc, 2.0), "scale": np.full(loc, 3.0)}
    batch = returned(layout, **sent)
    assert batch.array("loc").shape == batch.array("scale").shape
    assert batch.array("loc").shape[1] == 1
    assert batch.array("y").shape[1] == 5
    for name, value in sent.items():
        written = render(batch[name], batch.form(name), main=False)
        np.testing.assert_array_equal(np.asarray(written), value)


def test_side_outputs_in_the_layout_of_the_input_come_back_in_it() -> None:
    for layout, (shape, _) in SHAPES.items():
        batch = read(np.zeros(shape), layout)
        windows, _, channels = batch.array("x").shape
        loc = np.arange(windows * channels, dtype=float).reshape(windows, 1, channels)
        written = render(loc, batch.form("x"), main=False)
        again = returned(layout, y=np.zeros(shape), loc=written, scale=written)
        np.testing.assert_array_equal(again.array("loc"), loc)


def test_loc_and_scale_of_ragged_series_are_one_number_each() -> None:
    batch = returned("ragged", y=[[1, 2, 3], [4]], loc=[0.5, 1], scale=[1, 2])
    assert batch.array("loc").reshape(-1).tolist() == [0.5, 1.0]
    with pytest.raises(ShapeError, match="one number each") as caught:
        returned("ragged", y=[[1, 2, 3], [4]], loc=[[0.5], [1]], scale=[1, 2])
    assert caught.value.path == "input.loc"
    with pytest.raises(ShapeError, match="'loc' has 3 for n, but 'y' has 2"):
        returned("ragged", y=[[1, 2, 3], [4]], loc=[1, 2, 3], scale=[1, 2, 3])


@pytest.mark.parametrize(
    ("loc", "what"),
    [
        ((2, 1, 2), "'loc' has 2 for c, but 'y' has 3"),
        ((3, 1, 3), "'loc' has 3 for n, but 'y' has 2"),
        ((2, 2, 3), "'loc' has 2 along an axis of length 1"),
    ],
)
def test_loc_of_another_shape_is_refused(loc: tuple[int, ...], what: str) -> None:
    with pytest.raises(ShapeError, match=what) as caught:
        returned(None, y=np.zeros((2, 5, 3)), loc=np.zeros(loc), scale=np.zeros((2, 1, 3)))
    assert caught.value.path == "input.loc"


@pytest.mark.parametrize(
    ("layout", "shape"), [("NTC", (2, 5, 4, 9)), ("NCT", (2, 4, 5, 9)), ("T", (5, 9))]
)
def test_a_quantile_axis_stays_last(layout: str, shape: tuple[int, ...]) -> None:
    forecast = np.arange(np.prod(shape), dtype=float).reshape(shape)
    loc = np.zeros({"NTC": (2, 4), "NCT": (2, 4), "T": ()}[layout])
    batch = validate(QUANTILES, {"y": forecast, "loc": loc}, path="input", layout=layout)
    assert batch.array("y").shape[1::2] == (5, 9)
    written = render(batch["y"], batch.form("y"), main=True)
    np.testing.assert_array_equal(np.asarray(written), forecast)


def test_a_quantile_axis_of_ragged_series_is_refused() -> None:
    with pytest.raises(ShapeError, match="further axis"):
        validate(QUANTILES, {"y": [[1.0], [2.0]], "loc": [1, 2]}, path="input", layout="ragged")


def test_the_field_of_a_window_is_declared_by_its_axes() -> None:
    assert series() == Field("series", ("n", "t", "c"))
    assert series().shape_text == "(n, t, c)"
