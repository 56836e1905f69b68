"""A tiny real server that answers what a test says, and keeps what it was asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

Handle = Callable[[Request, int], Response]


@dataclass
class Answering:
    """An ASGI application.

    Parameters
    ----------
    handle : callable
        Answers a request, of which it is told how many came before.
    """

    handle: Handle
    url: str = ""
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        headers = dict(request.headers)
        self.asked.append((request.method, request.url.path, headers, await request.body()))
        await self.handle(request, len(self.asked) - 1)(scope, receive, send)

    @property
    def keys(self) -> list[str | None]:
        """The Idempotency-Key of each request."""
        return [headers.get("idempotency-key") for _, _, headers, _ in self.asked]


@contextmanager
def answering(handle: Handle) -> Iterator[Answering]:
    """Serve on a free port until the block ends."""
    app = Answering(handle)
    listening = socket.create_server(("127.0.0.1", 0))
    app.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield app
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def free_url() -> str:
    """Return a URL at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
