"""Ids and labels: strings, integers in decimal, tables of several keys."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.errors import DtypeError, InvalidInput, ShapeError
from normalizers.validation.labels import label_codes, label_list


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        ((), []),
        ([], []),
        ([1, -2, 10**30], ["1", "-2", str(10**30)]),
        ([np.int64(3), np.str_("x")], ["3", "x"]),
        (["a\0", "b\0\0"], ["a\0", "b\0\0"]),
        (["\U0001f600", "é", "é"], ["\U0001f600", "é", "é"]),
        ([" a", "a "], [" a", "a "]),
        (np.array(["a", "b"]), ["a", "b"]),
        (np.array([1, 2], dtype="u1"), ["1", "2"]),
        (np.array(["a", 1], dtype=object), ["a", "1"]),
        (pd.Series(["a", "b"]), ["a", "b"]),
        (pd.Series(["a", "b"], dtype="string"), ["a", "b"]),
        (pd.Series(["a", "b"], dtype="category"), ["a", "b"]),
        (pd.Index(["a"]), ["a"]),
        (range(2), ["0", "1"]),
    ],
)
def test_labels_of_every_origin(value: object, expected: list[str]) -> None:
    found, _ = label_list(value, "fit.groups")
    assert found.dtype == object
    assert found.tolist() == expected
    assert all(type(label) is str for label in found)


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ([], set()),
        (["a", np.str_("b")], {str}),
        ([1, np.int32(2)], {int}),
        ([1, "1"], {int, str}),
    ],
)
def test_how_labels_were_written(value: object, kinds: set[type]) -> None:
    assert label_list(value, "fit.groups")[1] == kinds


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (["a", True], "fit.groups[1]"),
        ([np.True_], "fit.groups[0]"),
        (["a", 1.0], "fit.groups[1]"),
        (["a", None], "fit.groups[1]"),
        ([b"a"], "fit.groups[0]"),
        ([["a"]], "fit.groups[0]"),
        ([{}], "fit.groups[0]"),
        (np.array([1.5]), "fit.groups[0]"),
        (np.array([["a"]]), "fit.groups[0]"),
        (np.ma.array([1, 2], mask=[0, 1]), "fit.groups[1]"),
        (pd.Series(["a", None], dtype="string"), "fit.groups[1]"),
        ("abc", "fit.groups"),
        (b"abc", "fit.groups"),
        (None, "fit.groups"),
        (3, "fit.groups"),
        ({"a": 1}, "fit.groups"),
        ({"a"}, "fit.groups"),
    ],
)
def test_what_is_no_label_is_refused_with_its_place(value: object, place: str) -> None:
    with pytest.raises(DtypeError, match="expected here") as caught:
        label_list(value, "fit.groups")
    assert caught.value.path == place


def test_an_empty_label_is_a_label_but_no_id() -> None:
    assert label_list(["", "a"], "fit.groups")[0].tolist() == ["", "a"]
    with pytest.raises(InvalidInput, match="cannot be empty") as caught:
        label_list(["a", ""], "input.ids", allow_empty=False)
    assert caught.value.path == "input.ids[1]"


def test_a_lone_surrogate_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidInput, match="lone surrogate") as caught:
        label_list(["a", "b\ud800"], "input.ids")
    assert caught.value.path == "input.ids[1]"
    assert label_list(["\U0001f600"], "input.ids")[0].tolist() == ["\U0001f600"]


def test_an_integer_that_python_does_not_write_is_refused() -> None:
    with pytest.raises(InvalidInput, match="too many digits") as caught:
        label_list([1, 10**5000], "input.ids")
    assert caught.value.path == "input.ids[1]"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", "b"], [["a"], ["b"]]),
        ([1, 2], [["1"], ["2"]]),
        ([["a", 1], ("b", 2)], [["a", "1"], ["b", "2"]]),
        ([["a"], ["b"]], [["a"], ["b"]]),
        (np.array([["a", "b"], ["c", "d"]]), [["a", "b"], ["c", "d"]]),
        (pd.Series(["a", "b"]), [["a"], ["b"]]),
        (pd.DataFrame({"language": ["de"], "year": [2024]}), [["de", "2024"]]),
        ([""], [[""]]),
    ],
)
def test_a_table_has_a_row_of_keys_each(value: object, expected: list[list[str]]) -> None:
    assert label_codes(value, "fit.groups").rows.tolist() == expected


def test_an_empty_table_has_one_key_a_row() -> None:
    assert label_codes([], "fit.groups").shape == (0, 1)
    assert label_codes([[], []], "fit.groups").shape == (2, 0)


@pytest.mark.parametrize(
    ("value", "error", "place"),
    [
        ([["a"], ["b", "c"]], ShapeError, "fit.groups"),
        (["a", ["b"]], DtypeError, "fit.groups[1]"),
        ([["a"], "b"], DtypeError, "fit.groups[1]"),
        ([["a", None]], DtypeError, "fit.groups[0][1]"),
        ([[["a"]]], DtypeError, "fit.groups[0][0]"),
        ([["a"], ["\ud800"]], InvalidInput, "fit.groups[1][0]"),
    ],
)
def test_a_wrong_table_is_refused_with_its_place(
    value: object, error: type[InvalidInput], place: str
) -> None:
    with pytest.raises(error) as caught:
        label_codes(value, "fit.groups")
    assert caught.value.path == place
