"""How long a body is, as its request announces it."""

from __future__ import annotations

from starlette.types import Scope

# A decimal length of more digits is above any limit, and need not be converted.
LONGEST_LENGTH = 18


def announced_length(scope: Scope) -> int:
    """Return the largest length that a request announces, 0 where it announces none."""
    lengths = (value for name, value in scope["headers"] if name.lower() == b"content-length")
    return max((_bytes(length) for length in lengths if length.isdigit()), default=0)


def _bytes(length: bytes) -> int:
    return int(length) if len(length) <= LONGEST_LENGTH else int(10**LONGEST_LENGTH)
