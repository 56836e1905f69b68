"""The one door: declared fields and whatever was sent become one validated batch."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.contract.fields import (
    Field,
    Fields,
    boolean,
    floats,
    ids,
    integers,
    labels,
    optional,
    series,
    state,
    text,
)
from normalizers.errors import DtypeError, InvalidInput, NonFiniteError, ShapeError
from normalizers.validation import validate
from normalizers.validation.missing import screen
from tests.unit.validation.admitting import HITS, read

ROWS = Fields(
    x=floats("n d", flat="row"),
    sample_weights=optional(floats("n")),
    groups=optional(labels("n j")),
    ids=optional(ids("n")),
)
EITHER = Fields(
    (("a",), ("b", "c")),
    a=optional(floats("n")),
    b=optional(floats("n")),
    c=optional(floats("n")),
)


@pytest.mark.parametrize(
    ("value", "shape", "squeezed"),
    [
        ([1, 2], (1, 2), (0,)),
        ([[1, 2]], (1, 2), ()),
        (pd.Series([1, 2]), (1, 2), (0,)),
        (pd.DataFrame({"a": [1], "b": [2]}), (1, 2), ()),
        ([], (0, 2), (1,)),
        (np.zeros((0, 2)), (0, 2), ()),
        (np.zeros((0, 0)), (0, 2), ()),
    ],
)
def test_one_flat_list_is_one_row(
    value: object, shape: tuple[int, ...], squeezed: tuple[int, ...]
) -> None:
    batch = read(ROWS, sizes={"d": 2}, x=value)
    assert batch.array("x").shape == shape
    assert batch.form("x").squeezed == squeezed


def test_one_flat_list_is_one_column_where_that_is_declared() -> None:
    batch = read(Fields(x=floats("n c", flat="column")), x=[1, 2, 3])
    assert batch.array("x").tolist() == [[1.0], [2.0], [3.0]]
    assert batch.form("x").squeezed == (1,)
    assert read(Fields(x=floats("n c", flat="column")), x=[]).array("x").shape == (0, 1)


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([[]], "'x' has 0 for d, but the fit has 2"),
        (np.zeros((2, 0)), "'x' has 0 for d, but the fit has 2"),
        (np.zeros((0, 3)), "'x' has 3 for d, but the fit has 2"),
        ([1.0], "'x' has 1 for d, but the fit has 2"),
        ([[1, 2, 3]], "'x' has 3 for d, but the fit has 2"),
        (3.0, r"0 axes, but 2 are expected: \(n, d\)"),
        (np.zeros((1, 1, 2)), r"3 axes, but 2 are expected: \(n, d\)"),
    ],
)
def test_other_sizes_than_the_fit_are_refused(value: object, what: str) -> None:
    with pytest.raises(ShapeError, match=what) as caught:
        read(ROWS, sizes={"d": 2}, x=value)
    assert caught.value.path == "input.x"


@pytest.mark.parametrize(
    ("beside", "what"),
    [
        ({"sample_weights": [1]}, "'sample_weights' has 1 for n, but 'x' has 2"),
        ({"sample_weights": [[1], [2]]}, r"2 axes, but 1 are expected: \(n,\)"),
        ({"sample_weights": 1}, r"0 axes, but 1 are expected: \(n,\)"),
        ({"groups": ["a"]}, "'groups' has 1 for n, but 'x' has 2"),
        ({"ids": ["a", "b", "c"]}, "'ids' has 3 for n, but 'x' has 2"),
    ],
)
def test_fields_beside_each_other_have_the_same_rows(beside: dict[str, object], what: str) -> None:
    with pytest.raises(ShapeError, match=what) as caught:
        read(ROWS, x=[[1, 2], [3, 4]], **beside)
    assert caught.value.path == f"input.{next(iter(beside))}"


def test_labels_of_one_or_several_keys() -> None:
    one = read(ROWS, x=[[1], [2]], groups=["a", 1])
    two = read(ROWS, x=[[1], [2]], groups=[["a", 1], ["b", 2]])
    assert one.array("groups").tolist() == [["a"], ["1"]]
    assert two.array("groups").tolist() == [["a", "1"], ["b", "2"]]
    with pytest.raises(ShapeError, match="has 2 for j, but the fit has 1"):
        read(ROWS, sizes={"j": 1}, x=[[1]], groups=[["a", 1]])


@pytest.mark.parametrize("names", [["a", "b", "a"], [1, "b", "1"]])
def test_an_id_twice_is_refused_at_its_second_place(names: list[object]) -> None:
    with pytest.raises(InvalidInput, match="twice") as caught:
        read(ROWS, x=[[1], [2], [3]], ids=names)
    assert caught.value.path == "input.ids[2]"


def test_mixed_ids_are_read_and_noticed() -> None:
    batch = read(ROWS, x=[[1], [2]], ids=[1, "b"])
    assert batch.array("ids").tolist() == ["1", "b"]
    assert [noted.as_dict()["code"] for noted in batch.notices] == ["mixed_id_types"]
    assert batch.notices[0].as_dict()["path"] == "input.ids"
    assert read(ROWS, x=[[1], [2]], ids=[1, 2]).notices == ()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
def test_native_fields_are_computed_in_the_dtype_of_the_input(dtype: str) -> None:
    native = read(Fields(x=floats("n d", native=True)), x=np.zeros((1, 2), dtype=dtype))
    plain = read(Fields(x=floats("n d")), x=np.zeros((1, 2), dtype=dtype))
    answered = {"f2": "float16", "f4": "float32", "f8": "float64", "i4": "float64"}[dtype]
    computed = "float32" if dtype == "f2" else answered
    assert (str(native.array("x").dtype), native.form("x").dtype) == (computed, answered)
    assert (str(plain.array("x").dtype), plain.form("x").dtype) == ("float64", answered)


def test_the_input_is_not_modified() -> None:
    x = np.array([[1.0, np.inf]])
    groups = ["a"]
    batch = read(ROWS, x=x, groups=groups)
    assert x.tolist() == [[1.0, np.inf]]
    assert x.flags.writeable
    assert groups == ["a"]
    assert batch.array("groups").tolist() == [["a"]]


@pytest.mark.parametrize(
    ("values", "place", "what"),
    [
        ({"vectors": [[1]]}, "input.vectors", "did you mean 'x'"),
        ({"x": [[1]], "group": ["a"]}, "input.group", "did you mean 'groups'"),
        ({"x": [[1]], "sample_weight": [1]}, "input.sample_weight", "did you mean"),
        ({"x": [[1]], "zzz": 1}, "input.zzz", "known: x, sample_weights, groups, ids"),
        ({"x": [[1]], "offsets": [0, 1]}, "input.offsets", "unknown field"),
        ({}, "input.x", "the field 'x' is missing"),
        ({"x": None}, "input.x", "the field 'x' is missing"),
    ],
)
def test_unknown_and_missing_fields(values: dict[str, object], place: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        validate(ROWS, values, path="input")
    assert caught.value.path == place


def test_a_long_unknown_name_is_shortened() -> None:
    with pytest.raises(InvalidInput) as caught:
        read(ROWS, x=[[1]], **{"y" * 5000: 1})
    assert len(str(caught.value)) < 200
    assert len(caught.value.path) < 100


def test_a_missing_field_says_what_it_is() -> None:
    with pytest.raises(InvalidInput, match="'x' is missing: rows are vectors"):
        read(Fields(x=floats("n d", help="rows are vectors")))


@pytest.mark.parametrize("values", [{"a": [1]}, {"b": [1], "c": [2]}, {"a": [1], "b": None}])
def test_one_alternative_is_sent(values: dict[str, object]) -> None:
    assert set(read(EITHER, **values)) == {name for name, value in values.items() if value}


@pytest.mark.parametrize(
    "values", [{}, {"b": [1]}, {"a": [1], "b": [1]}, {"a": [1], "b": [1], "c": [1]}]
)
def test_no_or_two_alternatives_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=r"exactly one of these must be sent: a \| b \+ c"):
        read(EITHER, **values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"ids": ["a", "b"], "scores": [2, 1]}, [["a", "b"]]),
        ({"ids": [["a"], ["b"]], "scores": [[2], [1]]}, [["a"], ["b"]]),
        ({"ids": ["a", "b"], "scores": [2, 1], "offsets": [0, 1, 2]}, [["a"], ["b"]]),
        ({"ids": ["a", "b"], "scores": [2, 1], "lengths": [1, 1]}, [["a"], ["b"]]),
        ({"ids": [["a", "b"]], "scores": np.array([[2, 1]])}, [["a", "b"]]),
        ({"ids": [], "scores": []}, [[]]),
        ({"ids": [], "scores": [], "offsets": [0]}, []),
        ({"ids": ["a"], "scores": [1], "offsets": None}, [["a"]]),
    ],
)
def test_ids_and_scores_in_every_form(values: dict[str, object], expected: list[list[str]]) -> None:
    batch = read(HITS, **values)
    assert [part.tolist() for part in batch.ragged("ids")] == expected
    assert batch.ragged("scores").lengths.tolist() == [len(part) for part in expected]


@pytest.mark.parametrize(
    ("values", "place", "what"),
    [
        ({"ids": ["a", "b"], "scores": [1]}, "input.scores", "lists of the same lengths"),
        ({"ids": [["a"], ["b"]], "scores": [[1, 2], []]}, "input.scores", "same lengths"),
        (
            {"ids": ["a"], "scores": [1], "offsets": [0, 1], "lengths": [1]},
            "input.lengths",
            "offsets or lengths, not both",
        ),
        (
            {"ids": [["a"]], "scores": [1], "offsets": [0, 1]},
            "input.ids",
            "one flat list",
        ),
        ({"ids": ["a"], "scores": [1], "offsets": [0, 2]}, "input.ids", "hold 2 values"),
    ],
)
def test_lists_that_disagree_are_refused(values: dict[str, object], place: str, what: str) -> None:
    with pytest.raises(InvalidInput, match=what) as caught:
        read(HITS, **values)
    assert caught.value.path == place


@pytest.mark.parametrize("value", [[1, 2.0], np.array([1, 2], dtype="i1")])
def test_whole_numbers(value: object) -> None:
    assert read(Fields(k=integers("n")), k=value).array("k").tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [[1.5], [None], [float("nan")], [float("inf")]])
def test_other_numbers_are_no_whole_numbers(value: object) -> None:
    with pytest.raises(DtypeError, match="whole numbers"):
        read(Fields(k=integers("n")), k=value)


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        (state(), [1], "an object is expected"),
        (state(), "abc", "an object is expected"),
        (text(), 3, "a string is expected"),
        (text(), b"a", "a string is expected"),
        (boolean(), 1, "true or false"),
        (boolean(), "true", "true or false"),
    ],
)
def test_single_values_of_another_kind_are_refused(field: Field, value: object, what: str) -> None:
    with pytest.raises(DtypeError, match=what) as caught:
        read(Fields(v=field), v=value)
    assert caught.value.path == "input.v"


def test_single_values() -> None:
    fields = Fields(state=state(), name=text(), up=boolean())
    batch = read(fields, state={"n": 1}, name="a", up=np.True_)
    assert (batch.state(), batch["name"], batch["up"]) == ({"n": 1}, "a", True)
    assert read(fields, name="a", up=False).state() is None


def test_two_fields_of_series_have_the_same_windows() -> None:
    fields = Fields(x=series(), covariates=optional(series("n t k")))
    with pytest.raises(ShapeError, match="'covariates' has 3 for n, but 'x' has 2"):
        read(fields, x=np.zeros((2, 4, 1)), covariates=np.zeros((3, 4, 2)))


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 3, 1, 4), (0, 3, 4), (2, 0, 4)])
def test_k4_leading_axes_are_folded_into_rows(shape: tuple[int, ...]) -> None:
    x = np.arange(float(np.prod(shape))).reshape(shape)
    batch = read(Fields(x=floats("n d", leading=True)), x=x)
    assert batch.array("x").shape == (int(np.prod(shape[:-1])), 4)
    assert batch.form("x").leading == shape[:-1]


def test_k4_a_missing_value_is_told_where_it_was_sent() -> None:
    x = np.zeros((2, 3, 2))
    x[1, 2, 0] = np.nan
    fields = Fields(x=floats("n d", leading=True))
    with pytest.raises(NonFiniteError, match=r"input.x\[1\]\[2\]\[0\]") as caught:
        screen(fields, read(fields, x=x), nan_policy="reject", inf_policy="as_nan", path="input")
    assert caught.value.positions == [(1, 2, 0)]


def test_k4_more_axes_are_refused_where_rows_have_none() -> None:
    with pytest.raises(ShapeError, match="3 axes, but 2 are expected"):
        read(Fields(x=floats("n d")), x=np.zeros((1, 1, 2)))
    with pytest.raises(ShapeError, match="or more in place of the first"):
        read(Fields(x=floats("n d", leading=True)), x=3.0)


def test_k4_rows_with_axes_of_their_own_are_counted_one_by_one() -> None:
    with pytest.raises(ShapeError, match="'groups' has 2 for n, but 'x' has 6"):
        read(
            Fields(x=floats("n d", leading=True), groups=labels("n j")),
            x=np.zeros((2, 3, 4)),
            groups=["a", "b"],
        )


def test_k4_a_value_with_one_axis_less_is_one_item() -> None:
    fields = Fields(x=floats("n h w", flat="item"))
    one, several = read(fields, x=np.zeros((2, 3))), read(fields, x=np.zeros((4, 2, 3)))
    assert one.array("x").shape == (1, 2, 3)
    assert (one.form("x").squeezed, several.form("x").squeezed) == ((0,), ())


@pytest.mark.parametrize(
    ("columns", "shape"), [(None, (3, 1)), (1, (3, 1)), (3, (1, 3))], ids=["fit", "one", "three"]
)
def test_a_flat_list_is_a_row_only_where_it_can_be_no_column(
    columns: int | None, shape: tuple[int, int]
) -> None:
    sizes = {} if columns is None else {"d": columns}
    batch = read(Fields(x=floats("n d", flat="either")), sizes=sizes, x=[1, 2, 3])
    assert batch.array("x").shape == shape
