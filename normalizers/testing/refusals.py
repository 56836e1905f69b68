"""What must be refused: a block that has to end with an error."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any


class raises(AbstractContextManager["raises"]):  # noqa: N801 - reads as what it does
    """A block that fails unless it raises one of `expected`, whose text `match` finds.

    Parameters
    ----------
    expected : exception type or tuple of them
        What must be raised; others go through.
    match : str or pattern, optional
        What must stand in its text.
    """

    # Which of the expected it is, only the block knows.
    value: Any

    def __init__(
        self,
        expected: type[BaseException] | tuple[type[BaseException], ...],
        match: str | re.Pattern[str] = "",
    ) -> None:
        self.expected = expected
        self.match = match

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Take the expected error, refuse the absence of one."""
        if error is None:
            raise AssertionError(f"nothing was refused; {self.expected} was due")
        if not isinstance(error, self.expected):
            return False
        if not re.search(self.match, str(error)):
            raise AssertionError(f"{str(error)!r} does not say {self.match!r}") from error
        self.value = error
        return True
