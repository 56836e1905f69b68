"""Answers as parquet, a group of rows at a time."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from app.cli.files.parquet import pyarrow
from app.cli.files.piece import Piece


class ParquetWriter:
    """Rows of a table; the first piece decides the types."""

    def __init__(self, file: BinaryIO) -> None:
        self._arrow, self._file = pyarrow(), file
        self._writer: Any = None
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Write the rows of one piece."""
        self.left_out |= set(piece.output) - set(piece.fitting())
        columns = {name: self._column(values) for name, values in piece.rows().items()}
        table = self._arrow.table(columns)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._file, table.schema)
        self._writer.write_table(table.cast(self._writer.schema))

    def finish(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()

    def _column(self, values: Any) -> Any:
        """Return a column; a missing number is null."""
        is_float = isinstance(values, np.ndarray) and values.dtype.kind == "f"
        return self._arrow.array(values, from_pandas=is_float)
