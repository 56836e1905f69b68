"""Large bodies take turns: one is decoded or encoded at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

LARGE_BYTES = 1024 * 1024
_turn = Lock()


@contextmanager
def turn(size: int) -> Iterator[None]:
    """Wait for one's turn with a body of `size` bytes; small ones never wait.

    Decoders hold the interpreter's lock. Several at once would be done no sooner, and the event
    loop would wait for its share behind each of them.
    """
    if size < LARGE_BYTES:
        yield
        return
    with _turn:
        yield
