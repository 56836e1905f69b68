"""How often each key may ask, in one worker."""

from __future__ import annotations

import math
import time

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter


class Rates:
    """Requests a key within a sliding window, counted in the memory of the worker.

    Parameters
    ----------
    rate : str
        Such as ``100/second`` or ``5000/minute``.
    """

    def __init__(self, rate: str) -> None:
        self.rate = rate
        self._item: RateLimitItem = parse(rate)
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def wait(self, name: str) -> int:
        """Count a request of a key; return 0, or the seconds after which it may ask again."""
        if self._limiter.hit(self._item, name):
            return 0
        reset = self._limiter.get_window_stats(self._item, name).reset_time
        return max(1, math.ceil(reset - time.time()))
