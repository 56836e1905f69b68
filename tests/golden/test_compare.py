from __future__ import annotations

import numpy as np
import pytest

from tests.golden.compare import (
    Tolerance,
    difference,
    exact,
    gram,
    properties,
    sign_columns,
)

TIGHT = Tolerance(1e-9, 1e-12)


@pytest.mark.parametrize(
    "got, expected",
    [
        (1.0 + 1e-10, 1.0),
        (np.array([1.0, np.nan]), [1.0, np.nan]),
        ([None, 2], [np.nan, 2.0]),
        (np.inf, np.inf),
        ({"b": 1, "a": 2}, {"a": 2, "b": 1}),
        ([], np.zeros(0)),
        ([["a", 1.0]], [["a", 1]]),
        (np.array([[True]]), [[True]]),
    ],
)
def test_equal_values_show_no_difference(got: object, expected: object) -> None:
    assert difference(got, expected, TIGHT) == ""


@pytest.mark.parametrize(
    "got, expected, place",
    [
        ([1.0, 2.1], [1.0, 2.0], "y[1]"),
        ([np.nan], [1.0], "y[0]"),
        ([1.0], [np.nan], "y[0]"),
        (-np.inf, np.inf, "y"),
        ([1.0], [1.0, 2.0], "1 entries"),
        (np.zeros((3, 1)), np.zeros(3), "y[0]"),
        ({"a": 1}, {"a": 1, "b": 2}, "keys"),
        ({"q": {"d": 0.5}}, {"q": {"d": 0.6}}, "y.q.d"),
        ("a", "b", "'a'"),
        (1, True, "expected True"),
        ("1", 1, "expected 1"),
        (None, "a", "expected 'a'"),
    ],
)
def test_a_difference_names_its_place(got: object, expected: object, place: str) -> None:
    assert place in difference(got, expected, TIGHT, "y")


def test_zero_tolerances_mean_equal() -> None:
    assert difference(3.0, 3, Tolerance(0, 0)) == ""
    assert difference(3 + 1e-14, 3, Tolerance(0, 0)) != ""


def test_columns_may_turn_their_sign_as_a_whole() -> None:
    expected = {"output": [[1.0, 2.0], [3.0, -4.0]], "mean": [1.0]}
    assert not sign_columns({"output": [[1, -2], [3, 4]], "mean": [1.0]}, expected, TIGHT)
    assert "output" in sign_columns({"output": [[1, -2], [3, -4]], "mean": [1.0]}, expected, TIGHT)
    assert "mean" in sign_columns({"output": [[1, 2], [3, -4]], "mean": [-1.0]}, expected, TIGHT)


def test_the_rows_of_a_matrix_turn_with_the_columns_of_the_output() -> None:
    expected = {"output": [[1.0, 2.0]], "W_rows": [[1.0, 1.0], [2.0, 3.0]]}
    got = {"output": [[1.0, -2.0]], "W_rows": [[1.0, 1.0], [-2.0, -3.0]]}
    assert not sign_columns(got, expected, TIGHT)
    assert "W_rows" in sign_columns({**got, "W_rows": [[1, 1], [2, 3]]}, expected, TIGHT)


def test_a_gram_comparison_leaves_the_rotated_entries_out() -> None:
    expected = {"output": [[1.0, 0.0]], "output_gram": [[1.0]]}
    assert not gram({"output": [[0.0, 1.0]], "output_gram": [[1.0]]}, expected, TIGHT)
    assert gram({"output": [[1.0, 0.0]], "output_gram": [[2.0]]}, expected, TIGHT)


def test_properties_bound_or_equal() -> None:
    expected = {"error_below": 1e-12, "output_dim": 6}
    assert not properties({"error_below": 1e-13, "output_dim": 6}, expected, TIGHT)
    assert "error_below" in properties({"error_below": 1e-11, "output_dim": 6}, expected, TIGHT)
    assert "output_dim" in properties({"error_below": 1e-13, "output_dim": 8}, expected, TIGHT)


def test_every_entry_is_compared() -> None:
    faults = exact({"a": 1, "b": 2}, {"a": 2, "b": 3}, TIGHT)
    assert sorted(faults) == ["a", "b"]
