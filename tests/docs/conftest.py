"""A runner of the blocks of a page, with a folder and a service of its own."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from docs.site import ROOT, build, write
from tests.docs import forked
from tests.docs.blocks import Runner
from tests.ops.server import PATIENCE_SECONDS, PAUSE_SECONDS, free_port


@pytest.fixture(scope="session")
def commands() -> Iterator[Path]:
    """Return a folder with a `normd` that starts at once."""
    with forked.commands() as folder:
        yield folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Build the site, once for all workers, and return its folder."""
    pytest.importorskip("zensical", reason="the extra 'docs' is not installed")
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "site"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            shutil.copy(ROOT / "zensical.toml", folder)
            write(folder / "build" / "pages")
            build(folder)
            (folder / "done").touch()
    return folder / "build" / "site"


@pytest.fixture
def runner(tmp_path: Path, commands: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:
        yield Runner(tmp_path, lambda: stack.enter_context(served(commands, tmp_path)), commands)


@contextmanager
def served(commands: Path, folder: Path) -> Iterator[str]:
    """Serve `folder`'s data while the block lasts, and give the address."""
    port = free_port()
    call = [commands / "normd", "serve", "--port", str(port), "--log-level", "warning"]
    with subprocess.Popen([*call, "--data", folder / "data"], cwd=folder) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_ready(process, address)
            yield address
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)


def _wait_until_ready(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(f"{address}/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(PAUSE_SECONDS)
    raise RuntimeError("the service did not start")
