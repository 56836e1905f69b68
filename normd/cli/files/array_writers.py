"""Answers as npy, a block at a time, and as npz and safetensors, whole."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import BinaryIO

import numpy as np

from normalizers.data.arrays import Array
from normalizers.data.ragged import offsets_of
from normalizers.versions.tensor_tree import pack
from normd.cli.errors import Misuse
from normd.cli.files.piece import Piece

OFFSETS = "offsets"


class NpyWriter:
    """The main output as one array, written while it grows."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._rows = 0
        self._first: Array | None = None
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Write the rows of one piece."""
        value = piece.output[piece.main]
        if not isinstance(value, np.ndarray) or value.dtype.kind == "O":
            raise Misuse(
                f"{piece.main} is no one array of numbers, as npy needs; write .npz, .jsonl or "
                ".safetensors"
            )
        if self._first is None:
            self._first = value[:0]
            self._file.write(self._header(0))
        self.left_out |= set(piece.output) - {piece.main}
        self._file.write(np.ascontiguousarray(value).tobytes())
        self._rows += len(value)

    def finish(self) -> None:
        """Write the number of rows into the header, which has room for it."""
        if self._first is not None:
            self._file.seek(0)
            self._file.write(self._header(self._rows))
            self._file.seek(0, io.SEEK_END)

    def _header(self, rows: int) -> bytes:
        first = self._first if self._first is not None else np.empty(0)
        described = np.lib.format.header_data_from_array_1_0(first)
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            header, {**described, "shape": (rows, *first.shape[1:]), "fortran_order": False}
        )
        return header.getvalue()


class ArchiveWriter:
    """Every output as a named array; ragged ones flat with ``offsets``.

    Parameters
    ----------
    file : binary file
        Where to write.
    write : callable
        Writes named arrays to a file.
    """

    def __init__(
        self, file: BinaryIO, write: Callable[[BinaryIO, Mapping[str, Array]], None]
    ) -> None:
        self._file, self._write = file, write
        self._parts: dict[str, list[object]] = {}
        self.left_out: set[str] = set()

    def add(self, piece: Piece) -> None:
        """Keep one piece."""
        for name, value in piece.output.items():
            self._parts.setdefault(name, []).append(value)

    def finish(self) -> None:
        """Write all pieces."""
        arrays: dict[str, Array] = {}
        for name, parts in self._parts.items():
            whole = [part for part in parts if isinstance(part, np.ndarray)]
            lists = [row for part in parts if isinstance(part, list) for row in part]
            if whole:
                arrays[name] = np.concatenate(whole) if whole[0].ndim else whole[0]
            elif isinstance(parts[0], list):
                arrays[name] = np.concatenate(lists) if lists else np.empty(0)
                arrays[OFFSETS] = offsets_of([len(row) for row in lists])
            else:
                self.left_out.add(name)
        self._write(self._file, arrays)


def write_npz(file: BinaryIO, arrays: Mapping[str, Array]) -> None:
    """Write named arrays as npz; texts as fixed-width strings."""
    plain = {
        name: array.astype(str) if array.dtype.kind == "O" else array
        for name, array in arrays.items()
    }
    np.savez(file, allow_pickle=False, **plain)


def write_safetensors(file: BinaryIO, arrays: Mapping[str, Array]) -> None:
    """Write named arrays as safetensors; texts as UTF-8 bytes and offsets."""
    file.write(pack(arrays))
