"""Being asked to end: refuse new work to come through the door, and close it a little later."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any


class Drain:
    """Whether the process was asked to end.

    From then on it is not ready, and its answers close their connections, so that whoever sends
    requests here looks for another place; the door is closed `seconds` later.
    """

    def __init__(self) -> None:
        self.begun = False

    def install(self, seconds: float) -> None:
        """Wait before whoever listened for SIGTERM hears of it; in the main thread only."""
        try:
            heard = signal.getsignal(signal.SIGTERM)
            if seconds and callable(heard):
                loop = asyncio.get_running_loop()
                signal.signal(signal.SIGTERM, self._handler(loop, heard, seconds))
        except ValueError:  # Signals arrive in the main thread alone.
            return

    def _handler(
        self, loop: asyncio.AbstractEventLoop, heard: Callable[..., Any], seconds: float
    ) -> Callable[[int, FrameType | None], None]:
        def handle(number: int, frame: FrameType | None) -> None:
            if self.begun:  # Whoever asks twice is in a hurry.
                heard(number, frame)
                return
            self.begun = True
            loop.call_soon_threadsafe(loop.call_later, seconds, heard, number, None)

        return handle


DRAIN = Drain()
