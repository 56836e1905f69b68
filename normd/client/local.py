"""A service in this process, reached without a socket."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack
from typing import TYPE_CHECKING

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal

if TYPE_CHECKING:
    from fastapi import FastAPI

    from normalizers.catalogue.catalogue import Catalogue


def local_methods(catalogue: Catalogue | None = None) -> Mapping[str, Mapping[str, object]]:
    """Return the methods of `local_app` by name and alias: here nobody need be asked for them."""
    from normalizers.catalogue import catalogue as built_in
    from normd.wire.descriptions import Descriptions

    return Descriptions(built_in.CATALOGUE if catalogue is None else catalogue)


class AsyncLocalTransport(httpx.AsyncBaseTransport):
    """Passes requests to an application in the same event loop, which starts at the first."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._inner = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._stack = AsyncExitStack()
        self._started = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        if not self._started:
            self._started = True
            await self._stack.enter_async_context(self._app.router.lifespan_context(self._app))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """End the application."""
        await self._stack.aclose()


class LocalTransport(httpx.BaseTransport):
    """Passes requests to an application in an event loop of its own, in another thread."""

    def __init__(self, app: FastAPI) -> None:
        self._stack = ExitStack()
        self._portal: BlockingPortal = self._stack.enter_context(start_blocking_portal())
        self._stack.enter_context(
            self._portal.wrap_async_context_manager(app.router.lifespan_context(app))
        )
        self._inner = httpx.ASGITransport(app, raise_app_exceptions=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        return self._portal.call(self._answer, request)

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        answered = await self._inner.handle_async_request(request)
        content = b"".join([chunk async for chunk in answered.aiter_raw()])
        return httpx.Response(answered.status_code, headers=answered.headers, content=content)

    def close(self) -> None:
        """End the application."""
        self._stack.close()
