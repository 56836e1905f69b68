"""The service in process, asked through its public endpoints in JSON."""

from __future__ import annotations

import itertools
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

SETTING = "NORMD_DATA"
PROBLEM = "application/problem+json"
JSON = "application/json"


class Refused(Exception):
    """The service refused a request: the slug of the problem's type, and its detail."""

    def __init__(self, status: int, problem: Mapping[str, object]) -> None:
        self.slug = str(problem.get("type", "")).rstrip("/").rpartition("/")[2]
        super().__init__(f"{status} {self.slug}: {problem.get('detail', '')}")


class Service:
    """A client of the service; `transport` is anything with httpx's ``request``."""

    def __init__(self, transport: object) -> None:
        self._request = transport.request  # type: ignore[attr-defined]
        self._numbers = itertools.count(1)

    def call(self, verb: str, path: str, body: object = None) -> dict[str, object]:
        """Send one request and return the JSON object that answers it."""
        content = None if body is None else json.dumps(wire(body), allow_nan=False)
        headers = {} if body is None else {"content-type": JSON}
        response = self._request(verb, path, content=content, headers=headers)
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
    from fastapi.testclient import TestClient

    from app.main import create_app

    with (
        tempfile.TemporaryDirectory() as folder,
        _environment(SETTING, folder),
        TestClient(create_app(), raise_server_exceptions=False) as transport,
    ):
        yield Service(transport)


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
