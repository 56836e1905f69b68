"""Whether somebody still waits for an answer: work that nobody waits for does not begin."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from app.middleware.deadline import remaining_seconds
from app.service.errors import Cancelled, DeadlinePassed

_has_gone: ContextVar[Callable[[], bool] | None] = ContextVar("has_gone", default=None)


@contextmanager
def cancel_scope(has_gone: Callable[[], bool]) -> Iterator[None]:
    """Let the work of the block ask, in any thread it is handed to, whether its client has gone."""
    token = _has_gone.set(has_gone)
    try:
        yield
    finally:
        _has_gone.reset(token)


def raise_if_cancelled() -> None:
    """Go on to the next stage of a request only while its client waits.

    Raises
    ------
    Cancelled
        When the client has gone.
    DeadlinePassed
        When it does not wait so long.
    """
    left = remaining_seconds()
    if left is not None and left < 0:
        raise DeadlinePassed(
            "the time that X-Request-Timeout-Ms gives had passed before the work was done"
        )
    has_gone = _has_gone.get()
    if has_gone is not None and has_gone():
        raise Cancelled("the client has gone")
