"""The service in process, asked through its public endpoints in JSON."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

import httpx
import numpy as np
from anyio.from_thread import BlockingPortal, start_blocking_portal

SETTING = "NORMD_DATA"
PROBLEM = "application/problem+json"
HEADERS = {"content-type": "application/json"}
HOST = "http://golden"

Send: TypeAlias = Callable[[str, str, str, Mapping[str, str]], httpx.Response]


class Refused(Exception):
    """The service refused a request: the slug of the problem's type, and its detail."""

    def __init__(self, status: int, problem: Mapping[str, object]) -> None:
        self.slug = str(problem.get("type", "")).rstrip("/").rpartition("/")[2]
        super().__init__(f"{status} {self.slug}: {problem.get('detail', '')}")


class Service:
    """A client of the service.

    Parameters
    ----------
    send : callable
        Sends one request, ``send(verb, path, content, headers)``, and returns its response.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._numbers = itertools.count(1)

    def call(self, verb: str, path: str, body: object = None) -> dict[str, object]:
        """Send one request and return the JSON object that answers it."""
        content = "" if body is None else json.dumps(wire(body), allow_nan=False)
        response = self._send(verb, path, content, {} if body is None else HEADERS)
        if response.status_code >= 500:
            raise AssertionError(f"{verb} {path} answered {response.status_code}")
        if not response.is_success:
            if response.headers["content-type"].split(";")[0] != PROBLEM:
                raise AssertionError(f"{verb} {path}: an error that is no {PROBLEM}")
            raise Refused(response.status_code, response.json())
        answer = response.json()
        if not isinstance(answer, dict):
            raise AssertionError(f"{verb} {path} answered no object")
        return answer

    def transform(self, body: Mapping[str, object]) -> dict[str, object]:
        """Transform in one request."""
        return self.call("POST", "/v1/transform", body)

    def inverse(self, body: Mapping[str, object]) -> object:
        """Undo in one request; return the output."""
        return self.call("POST", "/v1/inverse", body)["output"]

    def fuse(self, body: Mapping[str, object]) -> dict[str, object]:
        """Fuse the runs of one query."""
        return self.call("POST", "/v1/fuse", body)

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
def serving() -> Iterator[Service]:
    """Run the service in process on an empty temporary folder."""
    from app.main import create_app

    with tempfile.TemporaryDirectory() as folder, _environment(SETTING, folder):
        app = create_app()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        client = httpx.AsyncClient(transport=transport, base_url=HOST)
        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(app.router.lifespan_context(app)),
        ):
            yield Service(partial(_send, portal, client))


def _send(
    portal: BlockingPortal,
    client: httpx.AsyncClient,
    verb: str,
    path: str,
    content: str,
    headers: Mapping[str, str],
) -> httpx.Response:
    return portal.call(partial(client.request, verb, path, content=content, headers=headers))


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
