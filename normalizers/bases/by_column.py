"""Values of a parameter by column: one for all, a list in order, or an object by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypeVar

from normalizers.errors import InvalidParams
from normalizers.messages import did_you_mean, quoted

T = TypeVar("T")
ByColumn: TypeAlias = "T | list[T] | dict[str, T]"


def by_column(
    value: T | Sequence[T] | Mapping[str, T],
    width: int,
    columns: Sequence[str] | None,
    path: str,
) -> list[T]:
    """Return one value a column.

    Parameters
    ----------
    value : object
        One for all columns, a list of `width`, or an object by the name of each column.
    width : int
        Number of columns.
    columns : sequence of str, optional
        Their names, where they are known.
    path : str
        Where the parameter stands.

    Raises
    ------
    InvalidParams
        Another number of values than columns, names without columns, or columns without names.

    Examples
    --------
    >>> from normalizers.bases.by_column import by_column
    >>> by_column({"ter": False, "bleu": True}, 2, ["bleu", "ter"], "params.higher_is_better")
    [True, False]
    """
    if isinstance(value, Mapping):
        return _by_name(value, width, columns, path)
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) != width:
            raise InvalidParams(f"{len(value)} values for {width} columns", path=path)
        return list(value)
    return [value] * width


def _by_name(
    value: Mapping[str, T], width: int, columns: Sequence[str] | None, path: str
) -> list[T]:
    if columns is None:
        if len(value) == width == 1:
            return list(value.values())
        raise InvalidParams(
            "an object by name needs names of columns: send a data frame, or 'columns' beside the "
            "main field",
            path=path,
        )
    for name in value:
        if name not in columns:
            raise InvalidParams(
                f"there is no column {quoted(name)}{did_you_mean(name, columns)}", path=path
            )
    unnamed = [name for name in columns if name not in value]
    if unnamed:
        raise InvalidParams(f"the column {quoted(unnamed[0])} is not named here", path=path)
    return [value[name] for name in columns]
