"""What a transform wrote beside its answer, by list: it leads a forecast of other steps back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from normalizers.data.arrays import Array
from normalizers.messages import did_you_mean, quoted
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.column import ArrayColumn
from normd.cli.files.readers import blocks
from normd.cli.files.source import source
from normd.cli.files.table import Table, joined
from normd.wire.field_specs import FieldSpecs


@dataclass(frozen=True)
class Transformed:
    """Numbers that a transform answered once a list, such as ``loc`` and ``scale``.

    Parameters
    ----------
    file : str
        What the transform wrote.
    lists : str
        The column that tells the list of a row.
    sides : mapping
        By column: the number of each list.
    """

    file: str
    lists: str
    sides: Mapping[str, Mapping[str, float]]

    @classmethod
    def read(cls, file: str, lists: str | None, returns: FieldSpecs) -> Transformed:
        """Return what a file holds of what the way back takes beside its main field."""
        if lists is None:
            raise Misuse("--transformed finds numbers by list: name its column by --list")
        table = joined(blocks(source(file)))
        ids = table.column(lists).texts()
        names = "|".join(re.escape(name) for name in list(returns)[1:])
        # Of several channels a column each: loc_0, loc_1.
        wanted = [name for name in table.columns if re.fullmatch(rf"({names})(_\d+)?", name)]
        if not wanted:
            raise BadFile(file, f"none of its columns leads back: {', '.join(list(returns)[1:])}")
        # The last row of a list is where a forecast goes on.
        sides = {
            name: dict(zip(ids, _numbers(table, name).tolist(), strict=True)) for name in wanted
        }
        return cls(file, lists, sides)

    def beside(self, table: Table) -> Table:
        """Return a table with the numbers of each row's list as further columns."""
        ids = table.column(self.lists).texts()
        known = next(iter(self.sides.values()))
        missing = next((name for name in ids if name not in known), None)
        if missing is not None:
            raise BadFile(
                table.file,
                f"{self.file} has no {self.lists} {quoted(missing)}{did_you_mean(missing, known)}",
            )
        added = {
            name: ArrayColumn(self.file, name, np.array([of_list[one] for one in ids]))
            for name, of_list in self.sides.items()
            if name not in table.columns
        }
        return Table(
            table.file, {**table.columns, **added}, table.named, table.aligned, table.index
        )


def _numbers(table: Table, name: str) -> Array:
    found = table.column(name).numbers()
    if not isinstance(found, np.ndarray) or found.ndim != 1:
        raise BadFile(table.file, f"column {quoted(name)} holds lists, and one number is expected")
    return found
