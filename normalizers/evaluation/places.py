"""Places as a request writes them, where the evidence stands flat beside everything else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from normalizers.data.batch import Notice
from normalizers.errors import Fault, NormalizerError

ROOT = "evidence"
PREFIX = f"{ROOT}."


@contextmanager
def flat_paths() -> Iterator[None]:
    """Take the name of the evidence out of the places in errors."""
    try:
        yield
    except NormalizerError as error:
        error.message, error.path = _flat(error.message), _flat(error.path)
        error.args = (error.message,)
        error.faults = tuple(Fault(_flat(one.path), _flat(one.message)) for one in error.faults)
        raise


def flat_notice(noted: Notice) -> Notice:
    """Take the name of the evidence out of the place that a warning names."""
    detail = tuple(
        (name, _flat(value) if isinstance(value, str) else value) for name, value in noted.detail
    )
    return Notice(noted.code, noted.message, detail)


def _flat(text: str) -> str:
    return text.replace(PREFIX, "").removesuffix(ROOT) if text != ROOT else ""
