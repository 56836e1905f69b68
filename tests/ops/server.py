"""The service as a process of its own, on a free port of this machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import httpx2 as httpx

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0
PAUSE_SECONDS = 0.02
LIMITS = httpx.Limits(max_keepalive_connections=0)


class Server:
    """One uvicorn, with one worker or several, that can be started again and again.

    Parameters
    ----------
    folder : Path
        The data folder, kept over restarts.
    workers : int
        How many processes serve.
    settings : str
        Further settings, by name without prefix.
    """

    def __init__(self, folder: Path, workers: int = 1, **settings: object) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.workers = workers
        self.log = folder.parent / f"server-{self.port}.log"
        self._environment = {
            **os.environ,
            "NORMD_DATA": str(folder),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
            **{f"NORMD_{name.upper()}": str(value) for name, value in settings.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        """Start, and wait until the service is ready."""
        command = [sys.executable, "-m", "normd.cli", "serve"]
        command += ["--host", "127.0.0.1", "--port", str(self.port), "--log-level", "warning"]
        if self.workers > 1:
            command += ["--workers", str(self.workers)]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_ready()
        return self

    def kill(self) -> None:
        """End every process of the server at once, as a power cut would."""
        os.killpg(self._running.pid, signal.SIGKILL)
        self._running.wait()

    def terminate(self) -> int:
        """Ask the server to end, and return its exit status."""
        self._running.send_signal(signal.SIGTERM)
        return self._running.wait(PATIENCE_SECONDS)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._running.pid

    def wait(self) -> int:
        """Return the exit status of a server that ends."""
        return self._running.wait(PATIENCE_SECONDS)

    def stop(self) -> None:
        """End the server if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if self._running.poll() is not None:
                raise RuntimeError(f"the server ended: {self.log.read_text()[-2000:]}")
            if self._is_ready():
                return
            time.sleep(PAUSE_SECONDS)
        raise RuntimeError(f"the server is not ready: {self.log.read_text()[-2000:]}")

    def _is_ready(self) -> bool:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)) as asked:
            try:
                asked.request("GET", "/readyz")
                return asked.getresponse().status == HTTPStatus.OK
            except (OSError, HTTPException):
                return False


class ForkedServer(Server):
    """A server that is killed and started many times: its parent has imported everything."""

    def __init__(self, folder: Path, **settings: object) -> None:
        super().__init__(folder, **settings)
        command = [sys.executable, "-m", "tests.ops.forking", str(self.port)]
        with self.log.open("ab") as log:
            self._parent = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                text=True,
            )
        self._process = None
        self._child = 0

    def start(self) -> ForkedServer:
        """Fork, and wait until the service is ready."""
        self._tell("start")
        self._child = int(self._line())
        self._wait_until_ready()
        return self

    def kill(self) -> None:
        """End the service at once, as a power cut would."""
        os.kill(self._child, signal.SIGKILL)
        assert self._line() == "ended"

    def stop(self) -> None:
        """End the service and its parent."""
        os.killpg(self._parent.pid, signal.SIGKILL)
        self._parent.wait()
        for stream in (self._parent.stdin, self._parent.stdout):
            if stream is not None:
                stream.close()

    @property
    def _running(self) -> subprocess.Popen[str]:  # type: ignore[override]
        return self._parent

    def _tell(self, word: str) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(word + "\n")
        self._parent.stdin.flush()

    def _line(self) -> str:
        assert self._parent.stdout is not None
        return self._parent.stdout.readline().strip()


@contextmanager
def serving(folder: Path, workers: int = 1, **settings: object) -> Iterator[Server]:
    """Run a server and end it."""
    server = Server(folder, workers, **settings)
    try:
        yield server.start()
    finally:
        server.stop()


def client_of(server: Server) -> httpx.Client:
    """Return a client that opens a connection a request, so that every worker is met."""
    return httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS, limits=LIMITS)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
