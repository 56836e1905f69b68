"""The image as a process: another user, nothing to write to but its volumes and /tmp."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection

from image.build import Image

HOST = "127.0.0.1"
READY_SECONDS = 30.0
GRACE_SECONDS = 30.0
PAUSE_SECONDS = 0.1
STICKY = 0o1777


class ReplayError(RuntimeError):
    """The image does not do what it should; says what."""


class Container:
    """A process started as a container would be, on a free port.

    Parameters
    ----------
    image : Image
        What it starts from.
    user : int
        The number of its user, who is of group 0.
    """

    def __init__(self, image: Image, user: int) -> None:
        self._image = image
        self._user = user
        self._port = _free_port()
        temporary = image.root / "tmp"
        temporary.chmod(STICKY)
        # As whoever starts a container that nobody else reaches.
        given = {"NORMD_INSECURE": "1", "NORMD_PORT": str(self._port), "TMPDIR": str(temporary)}
        self._environment = {**image.environment, **given}

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[bytes]]:
        """Run the command and kill what is left of it."""
        image = self._image
        with self._started((*image.entrypoint, *image.command)) as process:
            try:
                yield process
            finally:
                process.kill()

    def wait_until_healthy(self) -> float:
        """Return the seconds until the health check of the image succeeds."""
        began = time.monotonic()
        while time.monotonic() - began < READY_SECONDS:
            with self._started(self._image.healthcheck, quiet=True) as check:
                if check.wait() == 0:
                    return time.monotonic() - began
            time.sleep(PAUSE_SECONDS)
        raise ReplayError(f"the health check does not succeed within {READY_SECONDS:g} s")

    def fit_and_transform(self) -> None:
        """Store a normalizer and transform by it."""
        fit = {"scores": [1.0, 5.0]}
        params = {"scope": "fitted"}
        name = f"user-{self._user}"
        body = {"name": name, "method": "min_max", "params": params, "fit": fit}
        self._post("/v1/normalizers", body)
        path = f"/v1/normalizers/{name}/transform"
        answer = self._post(path, {"input": {"scores": [2.0, 5.0]}})
        if answer["output"] != {"values": [0.25, 1.0]}:
            raise ReplayError("the transform of 2 and 5 on 1..5 is not 0.25 and 1")

    def show_the_guide(self) -> None:
        """Ask for a page of the guide, which a stage of its own has built."""
        asked = HTTPConnection(HOST, self._port, timeout=READY_SECONDS)
        asked.request("GET", "/guide/index.html")
        status = asked.getresponse().status
        asked.close()
        if status != HTTPStatus.OK:
            raise ReplayError(f"GET /guide/index.html answers {status}: the guide is not there")

    def stop(self, process: subprocess.Popen[bytes]) -> float:
        """Send SIGTERM and return the seconds until the process has ended well."""
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        status = process.wait(GRACE_SECONDS)
        if status != 0:
            raise ReplayError(f"the exit status after SIGTERM is {status}")
        return time.monotonic() - began

    def _post(self, path: str, body: Mapping[str, object]) -> dict[str, object]:
        asked = HTTPConnection(HOST, self._port, timeout=READY_SECONDS)
        asked.request("POST", path, json.dumps(body), {"content-type": "application/json"})
        answered = asked.getresponse()
        answer: dict[str, object] = json.loads(answered.read())
        asked.close()
        if not HTTPStatus.OK <= answered.status < HTTPStatus.MULTIPLE_CHOICES:
            raise ReplayError(f"POST {path} answers {answered.status}: {answer}")
        return answer

    def _started(self, command: tuple[str, ...], quiet: bool = False) -> subprocess.Popen[bytes]:
        as_other = {"user": self._user, "group": 0, "extra_groups": []} if is_root() else {}
        return subprocess.Popen(
            command,
            cwd=self._image.root / self._image.folder.lstrip("/"),
            env=self._environment,
            stdout=subprocess.DEVNULL if quiet else None,
            stderr=subprocess.DEVNULL if quiet else None,
            start_new_session=True,
            **as_other,  # type: ignore[arg-type]
        )


def is_root() -> bool:
    """Whether processes can be started as another user."""
    return os.geteuid() == 0


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])
