"""Whether the service of this container is ready, asked at the port that it listens at."""

from __future__ import annotations

import os
import re
import ssl
import sys
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

HERE, PORT = "127.0.0.1", "8000"
SECONDS = 4
# What the first process of a container was started with.
COMMAND = Path("/proc/1/cmdline")
OPTION = re.compile(r"(?:^|\0)--port[\0=](\d+)")


def main() -> None:
    """End with status 0 where the service is ready."""
    sys.exit(0 if is_ready(port_of(_command()), is_encrypted()) else 1)


def port_of(command: str) -> int:
    """Return the port: an option says it, else a variable, else it is the usual one."""
    named = OPTION.findall(command)
    return int(named[-1] if named else os.environ.get("NORMD_PORT") or PORT)


def is_encrypted() -> bool:
    """Whether the service speaks TLS."""
    return bool(os.environ.get("NORMD_TLS_CERTIFICATE"))


def is_ready(port: int, encrypted: bool) -> bool:
    """Return what the service says of itself; whose certificate it has does not matter here."""
    try:
        asked = _encrypted(port) if encrypted else HTTPConnection(HERE, port, timeout=SECONDS)
        asked.request("GET", "/readyz")
        return asked.getresponse().status == 200
    except OSError:
        return False


def _encrypted(port: int) -> HTTPSConnection:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection(HERE, port, timeout=SECONDS, context=context)


def _command() -> str:
    try:
        return COMMAND.read_text()
    except OSError:
        return ""


if __name__ == "__main__":
    main()
