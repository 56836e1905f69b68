"""parquet, with the ``parquet`` extra: columns of numbers, texts and lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from normd.cli.errors import BadFile
from normd.cli.files.arrow_column import ArrowColumn, pyarrow
from normd.cli.files.source import Source
from normd.cli.files.table import Table

BLOCK_ROWS = 2**16


def blocks(given: Source) -> Iterator[Table]:
    """Yield the rows of a parquet file.

    Raises
    ------
    BadFile
        Not a whole parquet file.
    """
    arrow = pyarrow()
    with given.opened() as file:
        try:
            whole = arrow.parquet.ParquetFile(file)
        except (arrow.ArrowInvalid, OSError):
            raise BadFile(given.name, "this is no whole parquet file") from None
        start = 0
        for batch in whole.iter_batches(batch_size=BLOCK_ROWS):
            yield _table(given, batch, start)
            start += len(batch)


def _table(given: Source, batch: Any, start: int) -> Table:
    columns = {
        name: ArrowColumn(given.name, name, batch.column(name), start)
        for name in batch.schema.names
    }
    return Table(given.name, columns, index=_index(batch.schema))


def _index(schema: Any) -> frozenset[str]:
    """Return the columns that were the row index of a data frame, as the file itself says."""
    try:
        said = json.loads((schema.metadata or {}).get(b"pandas", b"{}")).get("index_columns", ())
        return frozenset(name for name in said if isinstance(name, str))
    except (ValueError, AttributeError, TypeError):
        return frozenset()
