"""Work in a thread, beside the event loop, for as long as the client waits for it."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Generic, TypeVar

import anyio
import anyio.to_thread
from starlette.requests import ClientDisconnect, Request

from app.service.errors import Cancelled
from app.service.requests.cancellation import cancel_scope

T = TypeVar("T")


async def off_loop(request: Request, work: Callable[[], T]) -> T:
    """Return what `work` returns, done in one of the service's threads.

    A client that disconnects while its request waits for a thread gives up its place; later, the
    stage of the work that has begun is the last one. The body must have been read.

    Raises
    ------
    ClientDisconnect
        When the client has gone before the work was done.
    """
    doing = _CancellableTask(request, work)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(doing.watch, tasks.cancel_scope)
        await doing.run()
        tasks.cancel_scope.cancel()
    if doing.failure is not None:
        raise doing.failure
    if not doing.done:
        raise ClientDisconnect
    return doing.done[0]


class _CancellableTask(Generic[T]):
    """One piece of work, and whether its client is still there."""

    def __init__(self, request: Request, work: Callable[[], T]) -> None:
        self.request = request
        self.work = work
        self.gone = Event()
        self.done: list[T] = []
        self.failure: Exception | None = None

    async def watch(self, scope: anyio.CancelScope) -> None:
        """Give the work up when the client disconnects; a stage that has begun is shielded."""
        while (await self.request.receive())["type"] != "http.disconnect":
            pass
        self.gone.set()
        scope.cancel()

    async def run(self) -> None:
        limiter = self.request.app.state.limiter
        try:
            with cancel_scope(self.gone.is_set):
                self.done.append(await anyio.to_thread.run_sync(self.work, limiter=limiter))
        except Cancelled:
            self.failure = ClientDisconnect()
        except Exception as failure:
            self.failure = failure
