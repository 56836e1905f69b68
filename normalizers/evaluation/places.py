"""Places as a request writes them, where the evidence stands flat beside everything else."""

from __future__ import annotations

from contextlib import AbstractContextManager

from normalizers.data.batch import Notice
from normalizers.errors import relocated

ROOT = "evidence"
PREFIX = f"{ROOT}."


def flat_paths() -> AbstractContextManager[None]:
    """Take the name of the evidence out of the places in errors."""
    return relocated(_flat, in_message=True)


def flat_notice(noted: Notice) -> Notice:
    """Take the name of the evidence out of the place that a warning names."""
    detail = tuple(
        (name, _flat(value) if isinstance(value, str) else value) for name, value in noted.detail
    )
    return Notice(noted.code, noted.message, detail)


def _flat(text: str) -> str:
    return text.replace(PREFIX, "").removesuffix(ROOT) if text != ROOT else ""
