"""Servers as processes of their own: uvicorn with one worker, for ours and for the references."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from benchmarks.connection import HOST, PATIENCE_SECONDS
from benchmarks.figure import Unmeasurable
from normd.service import CONNECTION

ROOT = Path(__file__).parents[1]
PAUSE_SECONDS = 0.01
STOP_SECONDS = 10.0
OURS = "app.main:create_app"
FLAGS = ("--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "warning")
# A module that is None cannot be imported.
START = "import sys; sys.modules.update(dict.fromkeys({hidden!r})); import uvicorn; uvicorn.main()"


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: int


@contextmanager
def service(hidden: Sequence[str] = ()) -> Iterator[Server]:
    """Run ours on an empty data folder; `hidden` are packages that it must do without.

    It speaks to its clients as `normd serve` does.
    """
    with (
        TemporaryDirectory(prefix="normd-bench-") as folder,
        _serving(
            OURS, "/readyz", {"NORMD_DATA": folder}, tuple(hidden), ("--http", CONNECTION)
        ) as server,
    ):
        yield server


@contextmanager
def command(folder: str, *flags: str) -> Iterator[Server]:
    """Run ours as an operator does, by ``normd serve``, on a data folder that may have keys."""
    port = _free_port()
    line = [sys.executable, "-m", "normd.cli", "serve", "--port", str(port), "--data", folder]
    with _started([*line, *flags], port, "/readyz", {"OPENBLAS_NUM_THREADS": "1"}) as server:
        yield server


@contextmanager
def reference(name: str, *flags: str) -> Iterator[Server]:
    """Run an application of `benchmarks.references`; flags of uvicorn replace those of all."""
    with _serving(f"benchmarks.references.{name}:create_app", "/", {}, (), flags) as server:
        yield server


@contextmanager
def _serving(
    target: str,
    path: str,
    environment: Mapping[str, str],
    hidden: tuple[str, ...],
    flags: Sequence[str] = (),
) -> Iterator[Server]:
    port = _free_port()
    line = [sys.executable, "-c", START.format(hidden=hidden), target, "--factory"]
    line += ["--host", HOST, "--port", str(port), *FLAGS, *flags]
    with _started(line, port, path, environment) as server:
        yield server


@contextmanager
def _started(
    line: Sequence[str], port: int, path: str, environment: Mapping[str, str]
) -> Iterator[Server]:
    with (
        TemporaryFile() as log,
        subprocess.Popen(
            line,
            cwd=ROOT,
            env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
            stderr=log,
        ) as process,
    ):
        try:
            if not _becomes_ready(process, port, path):
                raise Unmeasurable(f"a server did not start: {_last_line(log)}")
            yield Server(port, process.pid)
        finally:
            _stop(process)


def _becomes_ready(process: subprocess.Popen[bytes], port: int, path: str) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if _is_ready(port, path):
            return True
        time.sleep(PAUSE_SECONDS)
    return False


def _last_line(log: IO[bytes]) -> str:
    log.seek(0)
    return "".join(log.read().decode(errors="replace").splitlines()[-1:])


def _is_ready(port: int, path: str) -> bool:
    asked = HTTPConnection(HOST, port, timeout=PATIENCE_SECONDS)
    try:
        asked.request("GET", path)
        return asked.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        asked.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])
