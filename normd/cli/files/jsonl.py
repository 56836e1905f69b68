"""jsonl: one JSON value a line, an object with members or a number or list by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from normd.cli.errors import BadFile
from normd.cli.files.json_column import JsonColumn
from normd.cli.files.source import Source
from normd.cli.files.table import Table

BLOCK_CHARACTERS = 2**23


def blocks(given: Source) -> Iterator[Table]:
    """Yield the lines of a jsonl file.

    Raises
    ------
    BadFile
        A line that is no JSON, or has other members than the first.
    """
    with given.opened_text() as file:
        numbers: list[int] = []
        values: list[object] = []
        names: list[str] | None = None
        characters = 0
        for place, line in enumerate(file, start=1):
            if not line.strip():
                continue
            value = _value(given, place, line)
            names = _names(value) if names is None else names
            _require_names(given, place, value, names)
            numbers.append(place)
            values.append(value)
            characters += len(line)
            if characters >= BLOCK_CHARACTERS:
                yield _table(given, names, numbers, values)
                numbers, values, characters = [], [], 0
        if names is None:
            raise BadFile(given.name, "the file is empty")
        if values:
            yield _table(given, names, numbers, values)


def _value(given: Source, place: int, line: str) -> object:
    try:
        return json.loads(line, parse_constant=_refuse_constant, object_pairs_hook=_members)
    except json.JSONDecodeError as error:
        message = f"this is no JSON: {error.msg} at character {error.colno}"
    except (ValueError, RecursionError) as error:
        message = f"this is no JSON that is read here: {error}"
    raise BadFile(given.name, message, place=f"line {place}")


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name}; a missing number is null")


def _members(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member stands there twice")
    return members


def _names(value: object) -> list[str]:
    return list(value) if isinstance(value, dict) else [""]


def _require_names(given: Source, place: int, value: object, names: Sequence[str]) -> None:
    if set(_names(value)) == set(names):
        return
    expected = "a value without members" if list(names) == [""] else f"members {', '.join(names)}"
    raise BadFile(
        given.name,
        f"{expected} are expected, as in the first line; a missing value is null",
        place=f"line {place}",
    )


def _table(
    given: Source, names: Sequence[str], numbers: Sequence[int], values: Sequence[object]
) -> Table:
    columns = {
        name: JsonColumn(
            given.name,
            name,
            [value[name] if isinstance(value, dict) else value for value in values],
            numbers,
        )
        for name in names
    }
    return Table(given.name, columns, named=list(names) != [""])
