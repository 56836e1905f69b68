"""How much the tests try: ``--deep`` tries every combination, at many times the cost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from zlib import crc32

OPTION = "--deep"
# The processes that pytest-xdist starts inherit it.
VARIABLE = "NORMD_TESTS_DEEP"
FEWEST_EXAMPLES = 4


def is_deep() -> bool:
    """Whether every combination was asked for."""
    return VARIABLE in os.environ


def examples(count: int) -> int:
    """Return how many examples of a law to try: `count`, or half of them in an ordinary run."""
    return count if is_deep() else max(FEWEST_EXAMPLES, count // 2)


def turn(*names: object) -> int:
    """Return a number that these names alone decide, to choose one of several by rotation."""
    return crc32("\n".join(map(str, names)).encode())


def shift(law: str, names: Sequence[str], parts: int = 3) -> list[str]:
    """Return the names whose turn it is with a law: one in so many, all with ``--deep``."""
    first = turn(law)
    return [name for name in names if is_deep() or (turn(name) + first) % parts == 0]
