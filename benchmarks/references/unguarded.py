"""Ours without keys, metrics and logs, and with everything else."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from unittest.mock import patch

from starlette.types import ASGIApp

from app import main
from app.settings import Settings


def create_app() -> ASGIApp:
    """Return the application, on a folder of its own."""
    folder = tempfile.mkdtemp(prefix="normd-bench-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with patch.object(main, "_add_guard"), patch.object(main, "_add_watch"):
        return main.create_app(Settings(data=Path(folder)))
