"""``normd serve`` as a supervisor of containers runs it: asked to end, it ends with status 0."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.ops.server import PATIENCE_SECONDS, PAUSE_SECONDS, ROOT, Server

SERVE = [sys.executable, "-m", "normd.cli", "serve", "--log-level", "warning"]


@pytest.mark.parametrize("workers", [1, 2])
def test_sigterm_is_no_failure(tmp_path: Path, workers: int) -> None:
    asked = Server(tmp_path / "data")
    environment = {**os.environ, "NORMD_DATA": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    command = [*SERVE, "--port", str(asked.port), "--workers", str(workers)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE) as serving:
        try:
            deadline = time.monotonic() + PATIENCE_SECONDS
            while not asked._is_ready():
                assert serving.poll() is None
                assert time.monotonic() < deadline
                time.sleep(PAUSE_SECONDS)
            serving.send_signal(signal.SIGTERM)
            said = serving.communicate(timeout=PATIENCE_SECONDS)[1].decode()
        finally:
            serving.kill()
    assert serving.returncode == 0
    assert "Traceback" not in said
