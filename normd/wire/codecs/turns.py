"""Large bodies take turns: one is decoded or encoded at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from threading import Lock

LARGE_BYTES = 1024 * 1024
_turn = Lock()
_at_once = nullcontext()


def turn(size: int) -> AbstractContextManager[object]:
    """Return what waits for one's turn with a body of `size` bytes; small ones never wait.

    Decoders hold the interpreter's lock. Several at once would be done no sooner, and the event
    loop would wait for its share behind each of them.
    """
    return _at_once if size < LARGE_BYTES else _turn
