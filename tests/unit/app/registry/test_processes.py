from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from app.registry.registry import Registry
from app.settings import Settings
from tests.stores import Servers
from tests.unit.app.registry.samples import has_file, new_name, new_version

ROOT = Path(__file__).parents[4]
SAMPLES = "tests.unit.app.registry.samples"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", compact_after=3)


def start(settings: Settings, task: str, worker: int, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", SAMPLES, str(settings.data), task, str(worker), str(count)],
        cwd=ROOT,
        env={**os.environ, **where(settings)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def where(settings: Settings) -> dict[str, str]:
    database = settings.database.get_secret_value()
    return {"NORMD_DATABASE": database, "NORMD_BLOBS": settings.blobs}


def run(settings: Settings, task: str, *, workers: int = 4, count: int) -> list[str]:
    """Return what all workers told, after each ended without an error."""
    processes = [start(settings, task, worker, count) for worker in range(workers)]
    told: list[str] = []
    for process in processes:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        told += output.splitlines()
    return told


def test_four_processes_add_sixty_versions_each(registry: Registry, settings: Settings) -> None:
    registry.names.create(new_name())
    told = run(settings, "add", count=60)
    assert sorted(map(int, told)) == list(range(1, 241))
    history = registry.versions.history("a", limit=500).items
    assert len({registry.versions.content(version) for version in history}) == 240


def test_processes_that_start_at_once_on_an_empty_folder_create_each_name_once(
    settings: Settings,
) -> None:
    told = run(settings, "create_same", count=20)
    assert sorted(told) == ["False 1"] * 60 + ["True 1"] * 20


def test_a_key_counts_once_in_all_processes(registry: Registry, settings: Settings) -> None:
    registry.names.create(new_name())
    told = run(settings, "append_same", count=25)
    assert told.count("True") == 25
    assert len(registry.observations.partials("a")) == 25


def test_equal_bytes_added_and_deleted_at_once(registry: Registry, settings: Settings) -> None:
    registry.names.create(new_name())
    kept = registry.versions.add("a", new_version(b"kept"), generation=1).version
    told = run(settings, "add_and_delete", count=25)
    assert len(set(told)) == 100
    assert [version.number for version in registry.versions.history("a", limit=9).items] == [1]
    assert registry.versions.content(kept) == b"kept"
    assert not has_file(registry, b"shared")


def test_compaction_in_all_processes_loses_nothing(registry: Registry, settings: Settings) -> None:
    registry.names.create(new_name())
    run(settings, "append_and_compact", count=25)
    statistics = registry.observations.open("a")
    parts = b"".join(statistics.partials).decode().split()
    assert sorted(parts) == sorted(
        f"{worker}:{index}" for worker in range(4) for index in range(25)
    )
    assert statistics.n == 100
    assert len(statistics.partials) < 40
    for worker in range(4):
        own = [part for part in parts if part.startswith(f"{worker}:")]
        assert own == [f"{worker}:{index}" for index in range(25)]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_killed_writer_loses_nothing_acknowledged(registry: Registry, settings: Settings) -> None:
    registry.names.create(new_name())
    process = start(settings, "add", 0, 10_000)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(20)]
    os.kill(process.pid, signal.SIGKILL)
    rest, _ = process.communicate(timeout=60)
    acknowledged = {int(line) for line in [*told, *rest.splitlines()] if line.strip()}
    history = registry.versions.history("a", limit=20_000).items
    assert acknowledged <= {version.number for version in history}
    assert [registry.versions.content(version) for version in history] == [
        f"0:{index}".encode() for index in range(len(history))
    ]
    assert registry.versions.add("a", new_version(b"after"), generation=1).created


def test_processes_share_a_registry_on_servers(servers: Servers, tmp_path: Path) -> None:
    settings = servers.settings(tmp_path)
    told = run(settings, "create_same", workers=2, count=5)
    assert sorted(told) == ["False 1"] * 5 + ["True 1"] * 5
    with closing(Registry(settings)) as registry:
        registry.names.create(new_name())
        told = run(settings, "add_and_delete", workers=2, count=15)
        assert len(set(told)) == 30
        assert not has_file(registry, b"shared")
        told = run(settings, "add", workers=2, count=10)
        assert sorted(map(int, told)) == list(range(31, 51))
        history = registry.versions.history("a", limit=500).items
        assert len({registry.versions.content(version) for version in history}) == 20
