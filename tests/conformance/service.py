"""The service in process, for any catalogue, in JSON and in bytes."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

import httpx
from anyio.from_thread import start_blocking_portal

from app.main import create_app
from app.settings import Settings
from normalizers.catalogue.catalogue import Catalogue

HOST = "http://service"
JSON = {"content-type": "application/json"}
SAFETENSORS = "application/vnd.safetensors"
BINARY = {"content-type": SAFETENSORS, "accept": SAFETENSORS}
ARROW = {"content-type": "application/vnd.apache.arrow.stream"}
NPY = {"content-type": "application/x-npy", "accept": "application/x-npy"}


class Service:
    """A client that fails on every status that is not asked for."""

    def __init__(self, send) -> None:  # type: ignore[no-untyped-def]
        self._send = send
        self._numbers = itertools.count(1)

    def fresh_name(self, stem: str) -> str:
        """Return a name that nothing has."""
        return f"{re.sub('[^a-z0-9]', '-', stem)}-{next(self._numbers)}"

    @cached_property
    def document(self) -> dict[str, object]:
        """The OpenAPI document, which is megabytes: read once for all methods."""
        return self.json("GET", "/openapi.json")

    def json(self, verb: str, path: str, body: object = None) -> dict[str, object]:
        """Return the answer to a JSON request that must succeed."""
        status, answered = self.ask(verb, path, body)
        assert status < 300, answered
        return answered

    def ask(self, verb: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        """Return the status and the answer to a JSON request."""
        content = b"" if body is None else json.dumps(body, allow_nan=False).encode()
        status, answered = self.ask_bytes(verb, path, content, JSON if content else {})
        return status, json.loads(answered)

    def bytes(self, verb: str, path: str, content: bytes, headers: Mapping[str, str]) -> bytes:
        """Return the body of an answer that must succeed."""
        status, answered = self.ask_bytes(verb, path, content, headers)
        assert status < 300, answered
        return answered

    def ask_bytes(
        self, verb: str, path: str, content: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """Return the status and the body of an answer."""
        response: httpx.Response = self._send(verb, path, content=content, headers=dict(headers))
        assert response.status_code < 500, response.text
        return response.status_code, response.content


@contextmanager
def serving(folder: Path, catalogue: Catalogue | None = None) -> Iterator[Service]:
    """Run the service on an empty folder."""
    app = create_app(Settings.model_validate({"data": folder}), catalogue)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    client = httpx.AsyncClient(transport=transport, base_url=HOST)

    def send(verb: str, path: str, **request: object) -> httpx.Response:
        return portal.call(partial(client.request, verb, path, **request))  # type: ignore[arg-type]

    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        yield Service(send)
