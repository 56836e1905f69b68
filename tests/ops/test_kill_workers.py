"""Workers that are killed while four clients write: the service goes on and loses nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import httpx2 as httpx
import pytest

from tests.ops.server import PATIENCE_SECONDS, Server, serving
from tests.ops.test_kill import CLIENTS, SEED, Client, _check, _check_folder

WRITES = 1000
KILLS = 2


def workers_of(server: Server) -> list[int]:
    """Return the processes that serve; the first of a server's children only counts resources."""
    found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return [
        int(pid)
        for pid in found
        if "resource_tracker" not in Path(f"/proc/{pid}/cmdline").read_text()
    ]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc tells the workers")
def test_workers_that_are_killed_lose_nothing_acknowledged(tmp_path: Path) -> None:
    random, stop = Random(SEED), threading.Event()
    with serving(tmp_path / "data", 2, compact_after=2, worker_threads=4) as server:
        with ThreadPoolExecutor(CLIENTS) as pool:
            clients = [Client(server.url, number, stop) for number in range(CLIENTS)]
            running = [pool.submit(client.run) for client in clients]
            deadline = time.monotonic() + 2 * PATIENCE_SECONDS
            try:
                for kill in range(1, KILLS + 1):
                    _wait_for(clients, kill * WRITES // (KILLS + 1), deadline)
                    os.kill(random.choice(workers_of(server)), signal.SIGKILL)
                _wait_for(clients, WRITES, deadline)
            finally:
                stop.set()
            for future in running:
                future.result()
        with httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as http:
            for client in clients:
                _check(http, client.known)
        _check_folder(tmp_path / "data", clients)


def _wait_for(clients: list[Client], writes: int, deadline: float) -> None:
    while sum(client.sent for client in clients) < writes:
        assert time.monotonic() < deadline
        time.sleep(0.01)
