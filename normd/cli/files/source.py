"""A file to read, or standard input: its form, and its rows block by block."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, BinaryIO, cast

from normd.cli.errors import BadFile
from normd.cli.files.formats import STANDARD, TEXT_FORMS, FileFormat, form_of, is_gzip

Watch = Callable[[int], None]


@dataclass(frozen=True)
class Source:
    """Where rows come from.

    Parameters
    ----------
    path : str
        Path of a file, or ``-`` for standard input.
    form : str
        One of the forms of files.
    header : bool, optional
        Whether the first line of a delimited file names the columns; by default it must tell
        by itself.
    delimiter : str, optional
        What separates cells; by default the form decides.
    """

    path: str
    form: FileFormat
    header: bool | None = None
    delimiter: str | None = None

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard input" if self.path == STANDARD else self.path

    @property
    def size(self) -> int | None:
        """Bytes, where they are known."""
        return None if self.path == STANDARD else os.stat(self.path).st_size

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open it to read bytes, anywhere in it."""
        if self.path == STANDARD:
            yield io.BytesIO(sys.stdin.buffer.read())
            return
        with self._raw() as file:
            yield file

    @contextmanager
    def opened_text(self) -> Iterator[IO[str]]:
        """Open it to read lines of UTF-8."""
        with self._raw() as raw:
            text = io.TextIOWrapper(raw, encoding="utf-8-sig", newline="")
            try:
                yield text
            except UnicodeDecodeError:
                raise BadFile(
                    self.name,
                    "it is not text in UTF-8; save it as UTF-8, or name its form by --format",
                ) from None
            finally:
                text.detach()

    @contextmanager
    def _raw(self) -> Iterator[BinaryIO]:
        if self.path == STANDARD:
            yield sys.stdin.buffer
        elif is_gzip(self.path) and self.form in TEXT_FORMS:
            with _expanded(self.path) as file:
                yield file
        else:
            with open(self.path, "rb") as file:
                yield file


@contextmanager
def _expanded(path: str) -> Iterator[BinaryIO]:
    """Open a compressed file to read what it holds, as it is read."""
    try:
        with gzip.open(path, "rb") as file:
            yield cast(BinaryIO, file)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise BadFile(
            path, "this is no whole gzip file; compress it again, or leave .gz out of its name"
        ) from None


def source(
    path: str,
    named_form: str | None = None,
    *,
    header: bool | None = None,
    delimiter: str | None = None,
) -> Source:
    """Return the source at `path` after checking that there is a file.

    Raises
    ------
    BadFile
        There is no file, it is a folder, or it may not be read.
    """
    if path != STANDARD:
        _require_file(path)
    return Source(path, form_of(path, named_form), header, _separator(delimiter))


def _require_file(path: str) -> None:
    if os.path.isdir(path):
        raise BadFile(path, "this is a folder; name a file")
    if not os.path.exists(path):
        folder = os.path.dirname(os.path.abspath(path))
        where = "" if os.path.isdir(folder) else f"; there is no folder {folder} either"
        raise BadFile(path, f"there is no such file{where}")
    if not os.access(path, os.R_OK):
        raise BadFile(path, "this file may not be read by you; check its permissions")


def _separator(delimiter: str | None) -> str | None:
    r"""Return the delimiter that was meant: a shell does not easily pass a tab."""
    written = {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)
    if written is not None and len(written) != 1:
        raise BadFile("--delimiter", "one character is expected, or 'tab'")
    return written
