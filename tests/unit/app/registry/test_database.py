from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from app.registry.errors import Unavailable, UnknownSchema
from app.registry.references import Reference
from app.registry.registry import Registry
from app.settings import Settings
from tests.unit.app.registry.samples import new_name, new_version


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", compact_after=3)


def connect(settings: Settings) -> sqlite3.Connection:
    return sqlite3.connect(settings.data / "registry.db", isolation_level=None)


def test_wal_and_full_sync(registry: Registry, settings: Settings) -> None:
    outside = connect(settings)
    assert outside.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    outside.close()
    with registry._database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_another_schema_is_refused(registry: Registry, settings: Settings) -> None:
    registry.close()
    outside = connect(settings)
    outside.execute("UPDATE schema SET number = 99")
    outside.close()
    with pytest.raises(UnknownSchema, match="schema 99, and this release reads schemas up to 2"):
        Registry(settings)


def test_a_locked_database_is_unavailable_and_recovers(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, busy_timeout_seconds=0.05)
    registry = Registry(settings)
    outside = connect(settings)
    outside.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="locked"):
        registry.names.create(new_name())
    assert registry.names.list(limit=1).items == []
    outside.execute("ROLLBACK")
    outside.close()
    assert registry.names.create(new_name()).created
    registry.close()


def test_an_error_in_a_write_rolls_back(registry: Registry) -> None:
    def fail() -> None:
        with registry._database.write() as connection:
            connection.exec_driver_sql("INSERT INTO counters VALUES ('a', 1, 1)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with registry._database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM counters").scalar() == 0


def test_a_read_only_database_is_unavailable(registry: Registry) -> None:
    with registry._database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(Unavailable, match="read-only"):
        registry.names.create(new_name())


def test_a_full_database_is_unavailable(registry: Registry) -> None:
    with registry._database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    created = []

    def fill() -> None:
        for index in range(1000):
            created.append(registry.names.create(new_name(f"a{index}")).manifest)

    with pytest.raises(Unavailable, match="full"):
        fill()
    assert len(registry.names.list(limit=1000).items) == len(created)


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="data folder"):
        Registry(Settings(data=tmp_path / "file" / "data"))


def test_whoever_may_write_the_folder_may_write_all_of_it(settings: Settings) -> None:
    """As in the image, where the number of the user changes and the group stays."""
    before = os.umask(0o002)
    try:
        registry = Registry(settings)
        files = [file for file in settings.data.rglob("*") if file.is_file()]
        assert {file.name for file in files} >= {"registry.db", "registry.db-wal"}
        assert {file.name for file in files if not file.stat().st_mode & stat.S_IWGRP} == set()
        registry.close()
    finally:
        os.umask(before)


def test_a_registry_that_another_user_wrote_is_told(
    registry: Registry, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "belongs to another user and cannot be written"
    monkeypatch.setattr(
        "app.registry.sqlite.os.access", lambda path, mode: Path(path).name != "registry.db"
    )
    assert told in str(registry.ready())
    with pytest.raises(Unavailable, match=told):
        Registry(settings)


def test_ready(registry: Registry, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry.ready() is None
    monkeypatch.setattr("app.registry.sqlite.os.access", lambda *_: False)
    assert registry.ready() == "the data folder is not writable"
    monkeypatch.undo()
    outside = connect(settings)
    outside.execute("ALTER TABLE schema RENAME TO other")
    outside.close()
    assert registry.ready() == "the registry is unavailable"


def test_a_failing_disk_is_unavailable(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    registry.names.create(new_name())
    monkeypatch.setattr("app.registry.folder_files.os.fsync", full)
    with pytest.raises(Unavailable, match="full"):
        registry.versions.add("a", new_version(), generation=1)
    assert registry.versions.get(Reference("a")).version is None
