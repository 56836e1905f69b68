"""Answers as csv, tsv and jsonl, a block at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
import orjson

from normd.cli.errors import Misuse
from normd.cli.files.piece import Cells, Piece


class DelimitedWriter:
    """Rows of cells; the columns are named in the first line.

    Parameters
    ----------
    file : binary file
        Where to write.
    delimiter : str
        What separates cells.
    """

    def __init__(self, file: BinaryIO, delimiter: str) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        self._rows = csv.writer(self._text, delimiter=delimiter, lineterminator="\n")
        self._names: list[str] | None = None
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Write the rows of one piece."""
        self.left_out |= set(piece.output) - set(piece.fitting())
        columns = piece.rows()
        if self._names is None:
            self._names = list(columns)
            self._rows.writerow(self._names)
        self._rows.writerows(zip(*map(cells, columns.values()), strict=True))

    def finish(self) -> None:
        """Write what is left and let go of the file."""
        self._text.flush()
        self._text.detach()


class JsonlWriter:
    """One object a line: a row, or a list."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Write the lines of one piece."""
        columns = piece.rows() if piece.flat else self._lines(piece)
        for place in range(min(map(len, columns.values()))):
            line = {name: _written(values[place]) for name, values in columns.items()}
            self._file.write(orjson.dumps(line, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")

    def finish(self) -> None:
        """Nothing is left."""

    def _lines(self, piece: Piece) -> Mapping[str, Cells]:
        names = piece.lines()
        self.left_out |= set(piece.output) - set(names)
        if piece.main not in names:
            raise Misuse(f"{piece.main} has no rows to be written as lines")
        written = {piece.line_name(name) for name in names}
        lines = {name: values for name, values in piece.kept.items() if name not in written}
        for name in names:
            value = piece.output[name]
            if isinstance(value, np.ndarray | list):
                lines[piece.line_name(name)] = value
        return piece.in_place(lines)


def cells(values: Cells) -> Cells:
    """Return a column as it stands in a delimited file: a missing number is an empty cell."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return [_digits(value) for value in values]
    return values


def _digits(value: np.floating[Any]) -> str:
    """Return the fewest digits that read back as the same number."""
    return "" if np.isnan(value) else str(value)


def _written(value: object) -> object:
    """Return a row as the encoder takes it: contiguous numbers, or lists of texts."""
    if not isinstance(value, np.ndarray):
        return value
    return value.tolist() if value.dtype.kind == "O" else np.ascontiguousarray(value)
