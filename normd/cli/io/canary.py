"""The file of a canary: a few rows with an id each."""

from __future__ import annotations

from normalizers.messages import quoted
from normd.cli.errors import BadFile
from normd.cli.files.readers import blocks
from normd.cli.files.source import source
from normd.cli.files.table import joined
from normd.cli.io.mapping import ColumnChoice, Mapper
from normd.wire.field_specs import FieldSpecs

ID = "id"


def read_canary(file: str, takes: FieldSpecs, chosen: ColumnChoice) -> dict[str, object]:
    """Return the ids of a table's rows, from its column ``id``, and its rows as an input.

    Raises
    ------
    BadFile
        A file without a column ``id``.
    """
    table = joined(blocks(source(file, None)))
    if not table.named or ID not in table.columns:
        raise BadFile(file, f"a canary has a column {quoted(ID)}, which names each row")
    columns = chosen.columns or [name for name in table.columns if name != ID]
    values = Mapper(takes, ColumnChoice(columns)).values(table)
    return {"ids": table.column(ID).texts(), "input": values}
