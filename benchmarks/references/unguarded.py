"""Ours without keys, metrics and logs: as within a process that has the data folder."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

from starlette.types import ASGIApp

from app import main
from app.settings import Settings


def create_app() -> ASGIApp:
    """Return the application, on a folder of its own."""
    folder = tempfile.mkdtemp(prefix="normd-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return main.create_app(Settings(data=Path(folder)), trusted=True)
