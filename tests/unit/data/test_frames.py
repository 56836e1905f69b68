"""Data frames at the two ends of the library's face."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from normalizers.data.frames import column_names, framed, labelled
from normalizers.errors import InvalidInput, MissingDependency

ROWS = np.ones((2, 2))


@pytest.mark.parametrize(
    ("x", "names"),
    [
        (pd.DataFrame(ROWS, columns=["a", "b"]), ("a", "b")),
        (pd.DataFrame(ROWS), None),
        (pd.DataFrame(ROWS, columns=["a", 1]), None),
        (pd.Series([1.0]), None),
        (ROWS, None),
        ([[1.0]], None),
        (None, None),
    ],
)
def test_names_of_columns(x: object, names: tuple[str, ...] | None) -> None:
    assert column_names(x) == names


def test_names_are_kept_when_there_are_as_many() -> None:
    assert labelled(["a", "b"], 2, "whitening") == ["a", "b"]
    assert labelled(["a", "b"], 3, "whitening") == ["whitening0", "whitening1", "whitening2"]
    assert labelled([], 0, "whitening") == []


def test_a_table_has_the_index_of_the_input() -> None:
    x = pd.DataFrame(ROWS, columns=["a", "b"], index=["p", "q"])
    found = framed(ROWS, x, ["a", "b"], "method", "pandas")
    assert list(found.index) == ["p", "q"]
    assert list(framed(ROWS, ROWS.tolist(), [], "method", "pandas").index) == [0, 1]


@pytest.mark.parametrize("output", [np.ones(2), np.ones((1, 2, 3)), [ROWS], "text"])
def test_what_is_no_table_is_refused(output: object) -> None:
    with pytest.raises(InvalidInput, match="no table of rows and columns"):
        framed(output, None, [], "method", "pandas")


def test_a_package_that_is_not_installed_is_named() -> None:
    with pytest.raises(MissingDependency, match="pip install no_such_frames"):
        framed(ROWS, None, [], "method", "no_such_frames")
