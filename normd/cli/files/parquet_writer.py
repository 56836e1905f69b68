"""Answers as parquet, a group of rows at a time."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import offsets_of
from normd.cli.files.arrow_column import ArrowValues, pyarrow
from normd.cli.files.piece import Piece


class ParquetWriter:
    """Rows of a table; the first piece decides the types."""

    def __init__(self, file: BinaryIO) -> None:
        self._arrow, self._file = pyarrow(), file
        self._writer: Any = None
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Write the rows of one piece."""
        # A column of lists comes back as one; else a list is a row for each of its values.
        found = piece.lines() if piece.listed else piece.fitting()
        rows = piece.lists() if piece.listed else piece.rows()
        self.left_out |= set(piece.output) - set(found)
        columns = {name: self._column(values) for name, values in rows.items()}
        table = self._arrow.table(columns)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def finish(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()

    def _column(self, values: Any) -> Any:
        """Return a column of the type it had, or of its numbers and lists."""
        if isinstance(values, ArrowValues):
            return values.array
        if isinstance(values, np.ndarray) and values.ndim > 1:
            ends = np.arange(len(values) + 1) * values.shape[1]
            return self._lists(ends, values.reshape(-1, *values.shape[2:]))
        if isinstance(values, list) and values and isinstance(values[0], np.ndarray):
            return self._lists(offsets_of([len(row) for row in values]), np.concatenate(values))
        return self._flat(values)

    def _lists(self, ends: Array, items: Array) -> Any:
        """Return the lists between the `ends`, whose items may be lists themselves."""
        places = self._arrow.array(ends, type=self._arrow.int32())
        return self._arrow.ListArray.from_arrays(places, self._column(items))

    def _flat(self, values: Any) -> Any:
        """Return values that are no lists; a missing number is null."""
        is_float = isinstance(values, np.ndarray) and values.dtype.kind == "f"
        return self._arrow.array(values, from_pandas=is_float)
