"""The service as a user would start it, and a client that knows nothing but its REST API."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import httpx
import numpy as np

from normalizers.data.arrays import Array

HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 10.0
REQUEST_SECONDS = 60.0
POLL_SECONDS = 0.1
LOG = "service.log"


class Client:
    """Requests in JSON, answers in arrays."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    @property
    def address(self) -> str:
        """Where the service listens."""
        return str(self._http.base_url).rstrip("/")

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, object]:
        """Post a body and return the JSON that answers it."""
        response = self._http.post(path, json=body)
        if response.is_error:
            raise RuntimeError(f"{path} answered {response.status_code}: {response.text}")
        return cast(dict[str, object], response.json())

    def create(self, name: str, method: str, **members: object) -> str:
        """Create a normalizer and return the reference of its first version."""
        answer = self.post("/v1/normalizers", {"name": name, "method": method, **members})
        return f"{name}@{answer['version']}"

    def add_version(self, name: str, body: Mapping[str, object]) -> str:
        """Make a new version of a name and return its reference."""
        answer = self.post(f"/v1/normalizers/{name}/versions", body)
        return f"{name}@{answer['version']}"

    def transform(self, reference: str, **fields: object) -> dict[str, Array]:
        """Return the outputs of a stored normalizer."""
        return _output(self.post(f"/v1/normalizers/{reference}/transform", {"input": fields}))

    def once(self, method: str, params: Mapping[str, object], **fields: object) -> dict[str, Array]:
        """Return the outputs of a method that needs no fit."""
        body = {"method": method, "params": params, "input": fields}
        return _output(self.post("/v1/transform", body))

    def undo(self, method: str, params: Mapping[str, object], **fields: object) -> dict[str, Array]:
        """Return what the inverse of a method that needs no fit gives."""
        body = {"method": method, "params": params, "input": fields}
        return _output(self.post("/v1/inverse", body))


@contextmanager
def running(folder: Path) -> Iterator[Client]:
    """Run the service on `folder` while the block lasts."""
    port = _free_port()
    with (folder / LOG).open("wb") as log:
        process = _started(folder, port, log.fileno())
        try:
            with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=REQUEST_SECONDS) as http:
                _wait_until_ready(process, http, folder / LOG)
                yield Client(http)
        finally:
            _stop(process)


def _started(folder: Path, port: int, log: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "uvicorn", "app.main:create_app", "--factory"]
    return subprocess.Popen(
        [*command, "--host", HOST, "--port", str(port), "--no-access-log"],
        env={**os.environ, "NORMD_DATA": str(folder / "data")},
        stdout=log,
        stderr=subprocess.STDOUT,
    )


def _wait_until_ready(process: subprocess.Popen[bytes], http: httpx.Client, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if http.get("/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(POLL_SECONDS)
    raise RuntimeError(f"the service did not start:\n{log.read_text(errors='replace')}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _output(answer: Mapping[str, object]) -> dict[str, Array]:
    fields = cast(Mapping[str, object], answer["output"])
    return {name: _array(value) for name, value in fields.items()}


def _array(value: object) -> Array:
    return cast(Array, value) if isinstance(value, dict) else np.asarray(value)
