"""The client that awaits each answer."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

import httpx

from normd.client.base import BaseClient
from normd.client.calls import Call, Reply

if TYPE_CHECKING:
    from fastapi import FastAPI


class AsyncClient(BaseClient[httpx.AsyncClient, httpx.AsyncBaseTransport]):
    """A normd service as `Client` has it: the same arguments and verbs, awaited.

    `names` and `versions` are asynchronous iterators.

    Examples
    --------
    >>> import tempfile
    >>> import anyio
    >>> from normd.client import AsyncClient
    >>> from app.settings import Settings
    >>> async def scaled() -> list[float]:
    ...     async with AsyncClient.local(Settings(data=tempfile.mkdtemp())) as client:
    ...         return (await client.transform("min_max", [12.0, 7.0, 2.0])).tolist()
    >>> anyio.run(scaled)
    [1.0, 0.5, 0.0]
    """

    _connect = httpx.AsyncClient

    @staticmethod
    def _in_process(app: FastAPI) -> httpx.AsyncBaseTransport:
        from normd.client.local import AsyncLocalTransport

        return AsyncLocalTransport(app)

    async def perform(self, call: Call) -> Reply:
        """Return what answers a call; sends it again where that is safe."""
        request = self._request(call)
        return await self._retry_policy.send_async(call, lambda: self._http.send(request))

    async def close(self) -> None:
        """Close the connections; a service in this process ends."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
