"""Where in a body something is wrong, told for errors that do not know it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from normalizers.errors import Fault, NormalizerError


@contextmanager
def at(path: str) -> Iterator[None]:
    """Give `path` to an error of the block that names no place."""
    try:
        yield
    except NormalizerError as error:
        if not error.path:
            error.path, error.faults = path, (Fault(path, error.message),)
        raise
