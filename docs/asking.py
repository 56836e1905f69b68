"""What the service answers to the requests of the pages, asked in process."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import httpx
from anyio.from_thread import start_blocking_portal

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import Catalogue

# Verb, path and JSON body of a request -> the JSON that answers it.
Ask: TypeAlias = Callable[[str, str, object], object]

HOST = "http://service"


@contextmanager
def asking(catalogue: Catalogue) -> Iterator[Ask]:
    """Run a service on an empty folder; what it refuses raises ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(data=Path(folder)), catalogue)
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HOST)

        async def ask(verb: str, path: str, body: object) -> object:
            response = await client.request(verb, path, json=body)
            if response.is_error:
                raise ValueError(f"{verb} {path} is refused: {response.text}")
            answered: object = response.json()
            return answered

        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        ):
            yield lambda verb, path, body: portal.call(ask, verb, path, body)
