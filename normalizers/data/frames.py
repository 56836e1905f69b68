"""Data frames at the two ends of the library's face: column names in, tables out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, MissingDependency
from normalizers.messages import quoted

SHOWN_COLUMNS = 5
PANDAS, POLARS = "pandas", "polars"


def column_names(x: object) -> tuple[str, ...] | None:
    """Return the column names of a data frame, or None for anything else."""
    columns = getattr(x, "columns", None)
    if columns is None or not hasattr(x, "__array__"):
        return None
    names = tuple(columns)
    return names if all(isinstance(name, str) for name in names) else None


def integer_columns(frame: object) -> Iterator[tuple[int, Array]]:
    """Yield the columns of integers of a data frame, with their places; of anything else nothing.

    Beside columns of floats, or missing values, a frame gives its integers as floats.
    """
    if hasattr(frame, "iloc") and hasattr(frame, "columns"):
        columns = [frame.iloc[:, place] for place in range(len(frame.columns))]
    elif hasattr(frame, "get_columns"):  # polars
        columns = [
            column.fill_null(0) if column.dtype.is_integer() else column
            for column in frame.get_columns()
        ]
    else:
        return
    for place, column in enumerate(columns):
        array = np.asarray(column)
        if array.dtype.kind in "iu":
            yield place, array


def column_differences(names: Sequence[str], known: Sequence[str]) -> str:
    """Return in words how column names differ from those that are known.

    Examples
    --------
    >>> from normalizers.data.frames import column_differences
    >>> column_differences(["b", "a"], ["a", "b"])
    "in another order: 'b' in place of 'a', 'a' in place of 'b'"
    >>> column_differences(["a", "z"], ["a", "b", "c"])
    "'b', 'c' missing; 'z' not known"
    """
    if sorted(names) == sorted(known):
        pairs = zip(names, known, strict=True)
        moved = [
            f"{quoted(one)} in place of {quoted(other)}" for one, other in pairs if one != other
        ]
        return f"in another order: {_first(moved)}"
    missing = [quoted(name) for name in known if name not in names]
    strange = [quoted(name) for name in names if name not in known]
    parts = [(missing, "missing"), (strange, "not known")]
    told = "; ".join(f"{_first(shown)} {word}" for shown, word in parts if shown)
    return told or f"{len(names)} in place of {len(known)}"


def require_columns(names: Sequence[str] | None, known: Sequence[str] | None, path: str) -> None:
    """Refuse columns that are not those of a fit, where both have names."""
    if names is not None and known is not None and tuple(names) != tuple(known):
        told = column_differences(names, known)
        raise InvalidInput(f"the columns are not those of the fit: {told}", path=path)


def check_columns(x: object, known: Sequence[str] | None, path: str) -> None:
    """Refuse a frame whose columns are not those of the fit."""
    require_columns(column_names(x), known, path)


def _first(words: Sequence[str]) -> str:
    """Return the first few words, with an ellipsis in place of the others."""
    return ", ".join([*words[:SHOWN_COLUMNS], *(["..."] if len(words) > SHOWN_COLUMNS else [])])


def labelled(names: Sequence[str], width: int, stem: str) -> list[str]:
    """Return `names` when there are `width` of them, else numbered names."""
    return list(names) if len(names) == width else [f"{stem}{index}" for index in range(width)]


def framed(output: object, x: object, names: Sequence[str], stem: str, kind: str) -> Any:
    """Return a table as a data frame of this kind, with the index of `x`.

    Raises
    ------
    InvalidInput
        The output is no table of rows and columns.
    MissingDependency
        The package of that kind of frame is not installed.
    """
    if not isinstance(output, np.ndarray) or output.ndim != 2:
        raise InvalidInput(
            "the output is no table of rows and columns; use set_output(transform='default')"
        )
    frames = _package(kind)
    columns = labelled(names, output.shape[1], stem)
    if kind == POLARS:
        return frames.DataFrame(output, schema=columns)
    index = x.index if hasattr(x, "columns") and hasattr(x, "index") else None
    return frames.DataFrame(output, columns=columns, index=index)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingDependency(f"set_output '{name}' needs {name}: pip install {name}") from error
