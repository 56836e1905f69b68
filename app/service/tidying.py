"""Now and then, remove what outlived its use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from app.registry.errors import RegistryError
from app.registry.registry import Registry

PAUSE_SECONDS = 6 * 3600.0


@asynccontextmanager
async def tidying(registry: Registry, pause_seconds: float = PAUSE_SECONDS) -> AsyncIterator[None]:
    """Tidy the registry beside the work; it was tidied when it was opened."""
    task = asyncio.create_task(_tidy(registry, pause_seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _tidy(registry: Registry, pause_seconds: float) -> None:
    while True:
        await asyncio.sleep(pause_seconds)
        # What cannot be removed now is found again next time.
        with suppress(RegistryError, OSError):
            await asyncio.to_thread(registry.tidy)
