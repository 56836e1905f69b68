"""Whatever writes answers, chosen by the form of the file."""

from __future__ import annotations

from typing import BinaryIO, Protocol

from normd.cli.files.delimited import SEPARATORS
from normd.cli.files.formats import FileFormat
from normd.cli.files.piece import Piece


class Writer(Protocol):
    """Writes pieces one after the other; `left_out` names outputs that have no room in the form."""

    left_out: set[str]

    def add(self, piece: Piece) -> None:
        """Write one piece."""

    def finish(self) -> None:
        """Write what is left; the file is whole then."""


def writer(form: FileFormat, file: BinaryIO, delimiter: str | None = None) -> Writer:
    """Return the writer of a form of files."""
    from normd.cli.files import array_writers, parquet_writer, text_writers

    if form in SEPARATORS:
        return text_writers.DelimitedWriter(file, delimiter or SEPARATORS[form])
    if form == "jsonl":
        return text_writers.JsonlWriter(file)
    if form == "npy":
        return array_writers.NpyWriter(file)
    if form == "parquet":
        return parquet_writer.ParquetWriter(file)
    writes = {
        "npz": array_writers.write_npz,
        "safetensors": array_writers.write_safetensors,
    }
    return array_writers.ArchiveWriter(file, writes[form])
