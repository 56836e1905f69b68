"""How much is in work at once: the rest waits its turn, and is refused where the queue is full."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from starlette.types import ASGIApp, Receive, Scope, Send

from app.middleware.announced import announced_length
from app.middleware.deadline import remaining_seconds

# What is asked by those who look after the service: it answers when nothing else does.
EXEMPT = frozenset({"/livez", "/readyz", "/metrics", "/v2/health/live", "/v2/health/ready"})


@dataclass(frozen=True)
class Bounds:
    """How much one worker takes at once.

    Parameters
    ----------
    requests : int
        Requests in work.
    body_bytes : int
        Announced bytes of their bodies; one request alone may have more.
    queue : int
        Requests that wait for their turn, their bodies unread.
    seconds : float
        How long each may wait.
    """

    requests: int
    body_bytes: int
    queue: int
    seconds: float


@dataclass
class Admitted:
    """How much a worker has in work now, and how many requests wait."""

    requests: int = 0
    body_bytes: int = 0
    waiting: int = 0


class Overloaded(Protocol):
    """What answers a request that finds no place."""

    async def __call__(self, depth: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; `depth` others wait."""


class Admission:
    """ASGI middleware that lets in as many requests, and bytes of bodies, as a worker can hold.

    Requests wait in the order they came, before a byte of their bodies is read.

    Parameters
    ----------
    app : ASGI application
        What is called for those let in.
    bounds : Bounds
        How much.
    refusal : Overloaded
        What answers the others.
    admitted : Admitted
        Where it stands how much is in work, for those who ask.
    """

    def __init__(
        self, app: ASGIApp, bounds: Bounds, refusal: Overloaded, admitted: Admitted | None = None
    ) -> None:
        self.app = app
        self.bounds = bounds
        self.refusal = refusal
        self.admitted = admitted or Admitted()
        self._queue: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] in EXEMPT:
            await self.app(scope, receive, send)
            return
        size = announced_length(scope)
        if not await self._enter(size):
            await self.refusal(len(self._queue), scope, receive, send)
            return
        with self._leaving(size):
            await self.app(scope, receive, send)

    async def _enter(self, size: int) -> bool:
        """Return whether the request was let in."""
        if not self._queue and self._has_place(size):
            self._take(size)
            return True
        if len(self._queue) >= self.bounds.queue:
            return False
        place = asyncio.get_running_loop().create_future()
        self._queue.append((size, place))
        self.admitted.waiting = len(self._queue)
        try:
            await asyncio.wait_for(asyncio.shield(place), self._patience())
        except TimeoutError:
            # Its turn may have come in this very moment.
            if place.done():
                return True
            self._forget((size, place))
            self._let_in()
            return False
        except asyncio.CancelledError:
            if place.done():
                self._leave(size)
            else:
                self._forget((size, place))
            raise
        return True

    def _patience(self) -> float:
        """Return how long a request waits for its turn: no longer than its caller does."""
        left = remaining_seconds()
        return self.bounds.seconds if left is None else min(self.bounds.seconds, max(0.0, left))

    def _forget(self, waiting: tuple[int, asyncio.Future[None]]) -> None:
        self._queue.remove(waiting)
        self.admitted.waiting = len(self._queue)

    @contextmanager
    def _leaving(self, size: int) -> Iterator[None]:
        try:
            yield
        finally:
            self._leave(size)

    def _has_place(self, size: int) -> bool:
        if self.admitted.requests >= self.bounds.requests:
            return False
        return (
            not self.admitted.requests or self.admitted.body_bytes + size <= self.bounds.body_bytes
        )

    def _take(self, size: int) -> None:
        self.admitted.requests += 1
        self.admitted.body_bytes += size

    def _leave(self, size: int) -> None:
        self.admitted.requests -= 1
        self.admitted.body_bytes -= size
        self._let_in()

    def _let_in(self) -> None:
        """Let in those whose turn it is; a large one is not passed by smaller ones for ever."""
        while self._queue and self._has_place(self._queue[0][0]):
            size, place = self._queue.popleft()
            self.admitted.waiting = len(self._queue)
            self._take(size)
            place.set_result(None)
