"""Nothing acknowledged is lost, and nothing is counted twice, however often the process dies."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx2 as httpx

from tests.effort import is_deep
from tests.ops.server import PATIENCE_SECONDS, ForkedServer

KILLS, DEEP_KILLS = 12, 50
CLIENTS = 4
SEED = 50
LIFE_SECONDS = (0.02, 0.15)
PAUSE_SECONDS = 0.01
NAMES = "/v1/normalizers"


@dataclass
class Acknowledged:
    """What one client was told is stored."""

    names: dict[str, str] = field(default_factory=dict)
    observed: dict[str, set[float]] = field(default_factory=dict)
    versions: dict[str, dict[int, str]] = field(default_factory=dict)
    aliases: dict[str, int] = field(default_factory=dict)


class Client:
    """Creates names, observes, makes versions and moves aliases until it is told to stop."""

    def __init__(self, url: str, number: int, stop: threading.Event) -> None:
        self.http = httpx.Client(base_url=url, timeout=PATIENCE_SECONDS)
        self.number = number
        self.random = Random(SEED + number)
        self.stop = stop
        self.known = Acknowledged()
        self.sent = 0
        self.retries = 0

    def run(self) -> Client:
        self.create()
        while not self.stop.is_set():
            self.random.choices([self.create, self.observe, self.add, self.move], [1, 6, 2, 2])[0]()
        self.http.close()
        return self

    def create(self) -> None:
        name = f"n{self.number}-{len(self.known.names)}"
        score = float(self._next())
        body = {
            "name": name,
            "method": "percentile",
            "params": {"scope": "fitted"},
            "fit": {"scores": [score]},
        }
        made = self.insist(lambda: self.http.post(NAMES, json=body))
        self.known.names[name] = made["hash"]
        self.known.versions[name] = {made["version"]: made["hash"]}
        self.known.observed[name] = set()

    def observe(self) -> None:
        name, score = self._name(), float(self._next())
        key = {"idempotency-key": f"observation-{score}"}
        body = {"fit": {"scores": [score]}}
        path = f"{NAMES}/{name}/observations"
        self.insist(lambda: self.http.post(path, json=body, headers=key))
        self.known.observed[name].add(score)

    def add(self) -> None:
        name, score = self._name(), float(self._next())
        key = {"idempotency-key": f"version-{score}"}
        body = {"from": "fit", "fit": {"scores": [score, score + 0.5]}}
        path = f"{NAMES}/{name}/versions"
        made = self.insist(lambda: self.http.post(path, json=body, headers=key))
        self.known.versions[name][made["version"]] = made["hash"]

    def move(self) -> None:
        name = self._name()
        version = self.random.choice(list(self.known.versions[name]))
        path = f"{NAMES}/{name}/aliases/prod"
        self.insist(lambda: self.http.put(path, json={"version": version}))
        self.known.aliases[name] = version

    def insist(self, ask: Callable[[], httpx.Response]) -> dict:  # type: ignore[type-arg]
        """Send a request again and again until it is answered."""
        while True:
            try:
                response = ask()
            except httpx.TransportError:
                self.retries += 1
                time.sleep(PAUSE_SECONDS)
                continue
            assert response.is_success, (response.status_code, response.text)
            answer: dict = response.json()  # type: ignore[type-arg]
            return answer

    def _name(self) -> str:
        return self.random.choice(list(self.known.names))

    def _next(self) -> int:
        self.sent += 1
        return self.number * 1_000_000 + self.sent


def _kill_again_and_again(server: ForkedServer) -> None:
    random = Random(SEED)
    for _ in range(DEEP_KILLS if is_deep() else KILLS):
        time.sleep(random.uniform(*LIFE_SECONDS))
        server.kill()
        server.start()


def test_kills_lose_nothing_and_count_nothing_twice(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path / "data", compact_after=2, worker_threads=4)
    try:
        server.start()
        stop = threading.Event()
        with ThreadPoolExecutor(CLIENTS) as pool:
            running = [
                pool.submit(Client(server.url, number, stop).run) for number in range(CLIENTS)
            ]
            try:
                _kill_again_and_again(server)
            finally:
                stop.set()
            clients = [future.result() for future in running]
        assert sum(client.retries for client in clients) > 0
        with httpx.Client(base_url=server.url, timeout=PATIENCE_SECONDS) as http:
            for client in clients:
                _check(http, client.known)
        server.kill()
        _check_folder(tmp_path / "data", clients)
    finally:
        server.stop()


def _check(http: httpx.Client, known: Acknowledged) -> None:
    assert known.names
    for name, hash in known.names.items():
        history = http.get(f"{NAMES}/{name}/versions?limit=500").json()["items"]
        stored = {item["version"]: item["hash"] for item in history}
        assert stored == known.versions[name]
        assert hash in stored.values()
        observed = http.get(f"{NAMES}/{name}/observations").json()["statistics"]["quantiles"]
        assert set(observed.get("values", ())) == known.observed[name]
        assert set(observed.get("counts", ())) <= {1}
        if name in known.aliases:
            shown = http.get(f"{NAMES}/{name}@prod").json()
            assert shown["version"] == known.aliases[name]
            assert shown["hash"] == stored[shown["version"]]
    name = next(iter(known.names))
    for version, hash in known.versions[name].items():
        exported = http.get(f"{NAMES}/{name}@{version}/export")
        assert hashlib.sha256(exported.content).hexdigest() == hash


def _check_folder(folder: Path, clients: list[Client]) -> None:
    with closing(sqlite3.connect(folder / "registry.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    for client in clients:
        for versions in client.known.versions.values():
            for hash in versions.values():
                content = (folder / "versions" / hash[:2] / f"{hash}.safetensors").read_bytes()
                assert hashlib.sha256(content).hexdigest() == hash
