"""csv and tsv: a header is recognised or asked about, never guessed."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from normalizers.messages import quoted
from normd.cli.errors import BadFile
from normd.cli.files.column import TextColumn, is_number
from normd.cli.files.source import Source
from normd.cli.files.table import Table

SEPARATORS = {"csv": ",", "tsv": "\t"}
OTHER_SEPARATORS = (";", "\t", "|", ",")
BLOCK_CELLS = 2**19
OPEN_AT_END = "unexpected end of data"  # as the csv module puts it
QUOTE_OPEN = 'a quote (") is opened and never closed; double it where it is part of a text'
LARGEST_CELL = 2**24  # characters; the csv module's own limit is below some texts


@dataclass(frozen=True)
class Line:
    """The cells of one row and the line of the file it ends in."""

    number: int
    cells: list[str]


def blocks(given: Source) -> Iterator[Table]:
    """Yield the rows of a delimited file.

    Raises
    ------
    BadFile
        Ragged rows, another delimiter, or a first line that may or may not be a header.
    """
    with given.opened_text() as file:
        lines = _lines(given, file)
        first = next(lines, None)
        if first is None:
            raise BadFile(given.name, "the file is empty")
        _refuse_other_separator(given, first)
        second = next(lines, None)
        rest = chain([second] if second else [], lines)
        if _has_header(given, first, second):
            yield from _tables(given, _header(given, first), rest, named=True)
        else:
            names = [str(place) for place in range(1, len(first.cells) + 1)]
            yield from _tables(given, names, chain([first], rest), named=False)


def _lines(given: Source, file: Iterator[str]) -> Iterator[Line]:
    csv.field_size_limit(LARGEST_CELL)
    separator = given.delimiter or SEPARATORS[given.form]
    reader = csv.reader(file, delimiter=separator, strict=True)
    empty: int | None = None
    try:
        for cells in reader:
            if not cells:
                empty = empty or reader.line_num
                continue
            if empty is not None and len(cells) == 1:
                raise BadFile(
                    given.name,
                    "this line is empty; write nan for a missing number, or remove it",
                    place=f"line {empty}",
                )
            yield Line(reader.line_num, cells)
    except csv.Error as error:
        said = QUOTE_OPEN if str(error) == OPEN_AT_END else str(error)
        raise BadFile(given.name, said, place=f"line {reader.line_num}") from None


def _refuse_other_separator(given: Source, first: Line) -> None:
    """Refuse one wide column: it is the sign of another separator."""
    if given.delimiter is not None or len(first.cells) > 1:
        return
    for separator in OTHER_SEPARATORS:
        if separator in first.cells[0]:
            spelled = "tab" if separator == "\t" else separator
            raise BadFile(
                given.name,
                f"there is one column, and it holds '{spelled}'; if that separates columns, "
                f"say --delimiter '{spelled}', else name the separator there is",
                place=f"line {first.number}",
            )


def _has_header(given: Source, first: Line, second: Line | None) -> bool:
    if given.header is not None:
        return given.header
    if all(is_number(cell) for cell in first.cells):
        if first.cells == [str(place) for place in range(len(first.cells))] and first.cells[1:]:
            raise _unclear(given, first, "it counts 0, 1, 2 ... as names of columns often do")
        return False
    if any(cell.strip() and is_number(cell) for cell in first.cells):
        raise _unclear(given, first, "it holds texts and numbers")
    if second is None or not any(is_number(cell) for cell in second.cells):
        raise _unclear(given, first, "it holds texts, and no line of numbers follows")
    return True


def _unclear(given: Source, first: Line, why: str) -> BadFile:
    return BadFile(
        given.name,
        f"whether this is a header cannot be told: {why}; say --header or --no-header",
        place=f"line {first.number}",
    )


def _header(given: Source, first: Line) -> list[str]:
    names = [cell.strip() for cell in first.cells]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadFile(
                given.name,
                f"two columns are called {quoted(name)}; rename one",
                place=f"line {first.number}",
            )
    return names


def _tables(
    given: Source, names: Sequence[str], lines: Iterator[Line], *, named: bool
) -> Iterator[Table]:
    rows = max(1, BLOCK_CELLS // len(names))
    block: list[Line] = []
    for line in lines:
        _require_width(given, line, len(names))
        block.append(line)
        if len(block) == rows:
            yield _table(given, names, block, named)
            block = []
    if block:
        yield _table(given, names, block, named)


def _require_width(given: Source, line: Line, width: int) -> None:
    if len(line.cells) != width:
        raise BadFile(
            given.name,
            f"there are {len(line.cells)} cells, and {width} in the first line; every line must "
            "have as many",
            place=f"line {line.number}",
        )


def _table(given: Source, names: Sequence[str], block: Sequence[Line], named: bool) -> Table:
    numbers = [line.number for line in block]
    cells = zip(*(line.cells for line in block), strict=True)
    columns = {
        name: TextColumn(given.name, name, column, numbers)
        for name, column in zip(names, cells, strict=True)
    }
    unnamed = len(names) > 1 and names[0] == "" and _counts_up(columns[""].cells)
    index = frozenset({""} if named and unnamed else ())
    return Table(given.name, columns, named=named, index=index)


def _counts_up(cells: Sequence[str]) -> bool:
    """Return whether cells are whole numbers in ascending order, as a row index is."""
    if not all(cell.isascii() and cell.isdigit() for cell in cells):
        return False
    return all(int(one) < int(other) for one, other in pairwise(cells))
