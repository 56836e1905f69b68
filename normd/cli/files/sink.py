"""Where an output goes: a file that appears whole by rename, or standard output."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from normd.cli.display.console import reading_may_end
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.formats import STANDARD, TEXT_FORMS, FileFormat, is_gzip

SPOOLED_BYTES = 2**26


def check_output(path: str, inputs: Sequence[str]) -> None:
    """Refuse a place that cannot be written, or that is an input.

    Raises
    ------
    BadFile
        A folder, a place in a folder that does not exist, or one of the inputs.
    """
    if path == STANDARD:
        return
    target = Path(path)
    if target.is_dir():
        raise BadFile(path, "this is a folder; name a file to write")
    folder = target.absolute().parent
    if not folder.is_dir():
        raise BadFile(path, f"there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise BadFile(path, f"the folder {folder} may not be written by you")
    for given in inputs:
        if given != STANDARD and os.path.exists(given) and _is_same(target, given):
            raise BadFile(path, "this is an input; write to another file")


def _is_same(target: Path, given: str) -> bool:
    return target.exists() and target.samefile(given)


def check_terminal(path: str, form: FileFormat) -> None:
    """Refuse to write bytes to a terminal."""
    if path == STANDARD and form not in TEXT_FORMS and sys.stdout.isatty():
        raise Misuse(
            f"{form} is no text for a terminal; add -o FILE, or --output-format csv or jsonl"
        )


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open an output; it appears when all is written, and not at all when something fails."""
    if path == STANDARD or _is_special(path):
        with _spooled(path) as file:
            yield file
    else:
        with _renamed(Path(os.path.realpath(path))) as file:
            yield file


@contextmanager
def opened_table(path: str) -> Iterator[BinaryIO]:
    """Open an output for a table, compressed as it is written where its name ends in .gz."""
    with opened(path) as file:
        if not is_gzip(path):
            yield file
            return
        # Neither name nor time: the same rows make the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
            yield cast(BinaryIO, compressed)


def write_whole(path: str, content: bytes) -> None:
    """Write an output that is at hand as a whole."""
    with opened(path) as file:
        file.write(content)


def _is_special(path: str) -> bool:
    """Return whether something else than a plain file is there: a device or a pipe."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextmanager
def _renamed(target: Path) -> Iterator[BinaryIO]:
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        with _created(unfinished, target) as file:
            yield file
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _created(unfinished: Path, target: Path) -> BinaryIO:
    try:
        return cast(BinaryIO, unfinished.open("w+b"))
    except OSError as error:
        raise BadFile(str(target), f"it cannot be written: {error.strerror}") from None


@contextmanager
def _spooled(path: str) -> Iterator[BinaryIO]:
    with tempfile.SpooledTemporaryFile(max_size=SPOOLED_BYTES) as file:
        yield cast(BinaryIO, file)
        file.seek(0)
        if path == STANDARD:
            with reading_may_end():
                shutil.copyfileobj(file, sys.stdout.buffer)
                sys.stdout.flush()
        else:
            with open(path, "wb") as special:
                shutil.copyfileobj(file, special)
