"""The OpenAPI document in a file, and programs in environments of their own."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from app.main import create_app
from app.settings import Settings

WANTED = "TEST_CLIENTS"
PATIENCE_SECONDS = 300

needs_generators = pytest.mark.skipif(
    WANTED not in os.environ, reason="make test-clients installs generators of clients"
)


def write_document(folder: Path) -> Path:
    """Write the OpenAPI document into a folder, and return its path."""
    path = folder / "openapi.json"
    path.write_text(json.dumps(create_app(Settings()).openapi()))
    return path


def install(*command: str | Path, folder: Path) -> None:
    """Run a command that asks a registry; skip where it fails."""
    done = _run(command, folder)
    if done.returncode:
        pytest.skip(f"{command[0]} cannot install here: {done.stdout[-300:]}")


def run(*command: str | Path, folder: Path) -> str:
    """Run a command, and return what it printed; the test fails with it."""
    done = _run(command, folder)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


def _run(command: tuple[str | Path, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={name: text for name, text in os.environ.items() if not name.startswith("PYTHON")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
