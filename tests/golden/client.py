"""The service in process, asked through its public endpoints in one of the forms of bodies."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import httpx
import numpy as np
from anyio.from_thread import BlockingPortal, start_blocking_portal

from normalizers.catalogue.catalogue import Catalogue
from tests.golden.sending import Refused, Sending

SETTING = "NORMD_DATA"
HOST = "http://golden"

__all__ = ["Refused", "Service", "serving", "wire"]


class Service:
    """A client of the service.

    Parameters
    ----------
    sending : Sending
        Carries the requests.
    """

    def __init__(self, sending: Sending) -> None:
        self.sending = sending
        self._numbers = itertools.count(1)

    def call(self, verb: str, path: str, body: object = None) -> dict[str, object]:
        """Send one request and return what answers it, in plain JSON values."""
        if body is None:
            return self.sending.look(verb, path)
        return self.sending.tell(verb, path, plain(body))

    def transform(self, body: Mapping[str, object]) -> dict[str, object]:
        """Transform in one request."""
        return self.call("POST", "/v1/transform", body)

    def inverse(self, body: Mapping[str, object]) -> object:
        """Undo in one request; return the output."""
        return self.call("POST", "/v1/inverse", body)["output"]

    def fuse(self, body: Mapping[str, object]) -> dict[str, object]:
        """Fuse the runs of one query."""
        return self.call("POST", "/v1/fuse", body)

    def evaluate(self, body: Mapping[str, object]) -> dict[str, object]:
        """Measure what the body holds."""
        return self.call("POST", "/v1/evaluate", body)

    def create(self, body: Mapping[str, object]) -> str:
        """Create a normalizer under a fresh name and return that name."""
        name = f"golden-{next(self._numbers)}"
        self.call("POST", "/v1/normalizers", {"name": name, **body})
        return name

    def work(self, reference: str, action: str, body: Mapping[str, object]) -> dict[str, object]:
        """Let a stored normalizer ``transform`` or ``inverse``."""
        return self.call("POST", f"/v1/normalizers/{reference}/{action}", body)

    def observe(self, name: str, body: Mapping[str, object]) -> None:
        """Fold data or statistics into the open statistics of `name`."""
        self.call("POST", f"/v1/normalizers/{name}/observations", body)

    def add_version(self, name: str, body: Mapping[str, object]) -> str:
        """Make a new version of `name` and return its reference."""
        answer = self.call("POST", f"/v1/normalizers/{name}/versions", body)
        return f"{name}@{answer['version']}"

    def manifest(self, reference: str) -> dict[str, object]:
        """Return what a version says of itself."""
        return self.call("GET", f"/v1/normalizers/{reference}")

    def look(self, reference: str, what: str) -> object:
        """Return the ``statistics``, ``fitted`` arrays or ``report`` of a version."""
        return self.call("GET", f"/v1/normalizers/{reference}/{what}")[what]


@contextmanager
def serving(form: str = "json", catalogue: Catalogue | None = None) -> Iterator[Service]:
    """Run the service in process on an empty temporary folder, with methods of one's own or not."""
    from app.main import create_app

    with tempfile.TemporaryDirectory() as folder, _environment(SETTING, folder):
        app = create_app(catalogue=catalogue)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url=HOST)
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        ):
            yield Service(Sending(partial(_send, portal, client), form))


def _send(
    portal: BlockingPortal,
    client: httpx.AsyncClient,
    verb: str,
    path: str,
    content: bytes,
    headers: Mapping[str, str],
) -> httpx.Response:
    return portal.call(partial(client.request, verb, path, content=content, headers=headers))


def plain(body: object) -> dict[str, object]:
    """Return a body as JSON can say it."""
    said = wire(body)
    if not isinstance(said, dict):
        raise TypeError("a body is an object")
    return said


def wire(value: object) -> object:
    """Return `value` as JSON can say it: NaN is null, arrays are nested lists."""
    if isinstance(value, np.ndarray):
        return wire(value.tolist())
    if isinstance(value, Mapping):
        return {key: wire(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [wire(child) for child in value]
    return None if isinstance(value, float) and np.isnan(value) else value


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before
