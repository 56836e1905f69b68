"""A question asked again and again beside the work, so that its last answer is at hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from app.registry.errors import RegistryError

# Who commits, and how often something was.
Token = tuple[int, int]


class Polling:
    """The state of a database that is far away, as it was a moment ago.

    Parameters
    ----------
    ask : callable
        Returns the state; may raise a `RegistryError`.
    pause_seconds : float
        Between two questions.
    patience_seconds : float
        An answer that is older is none.
    """

    def __init__(
        self, ask: Callable[[], Token], *, pause_seconds: float, patience_seconds: float
    ) -> None:
        self._ask = ask
        self._pause = pause_seconds
        self._patience = patience_seconds
        self._token: Token | None = None
        self._asked = 0.0
        self._made = 0.0
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def token(self) -> Token | None:
        """Return the last answer, None where none came for a while."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="normd-polling", daemon=True)
                self._thread.start()
            recent = time.monotonic() - self._asked < self._patience
            return self._token if recent else None

    def saw(self, token: Token) -> None:
        """Take note of a state that this process made itself: it sees its own work at once."""
        with self._lock:
            self._token, self._made = token, time.monotonic()

    def end(self) -> None:
        """Ask no more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._end.is_set():
            # Before the question: the answer may be as old as that.
            begun = time.monotonic()
            with suppress(RegistryError):
                self._hear(self._ask(), begun)
            self._end.wait(self._pause)

    def _hear(self, token: Token, begun: float) -> None:
        with self._lock:
            self._asked = begun
            # An answer to an earlier question knows nothing of what this process made since.
            if begun >= self._made:
                self._token = token
