"""A registry in PostgreSQL: what differs from one in a folder."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from app.registry.errors import Unavailable, UnknownSchema
from app.registry.references import parse_reference
from app.registry.registry import Registry
from app.settings import Settings, SettingsError, read_settings
from tests.stores import Postgresql, Servers
from tests.unit.app.registry.samples import new_name, new_version

# What the specification allows a replica, and what its look at the database takes.
A_SECOND = 1.0


@pytest.fixture
def settings(servers: Servers, tmp_path: Path) -> Settings:
    return servers.settings(tmp_path / "data", busy_timeout_seconds=0.3)


def do(registry: Registry, statement: str) -> None:
    with registry._database.engine.connect() as connection:
        connection.exec_driver_sql(statement)


@pytest.fixture
def replica(registry: Registry, settings: Settings) -> Iterator[Registry]:
    with closing(Registry(settings)) as replica:
        yield replica


def test_a_replica_sees_an_alias_that_moved_within_a_second(
    registry: Registry, replica: Registry
) -> None:
    registry.names.create(new_name(), new_version())
    registry.versions.add("a", new_version(b"two"), generation=1)
    registry.aliases.put("a", "prod", 1)
    reference = parse_reference("a@prod")
    while replica.versions.known(reference) is None:
        replica.versions.get(reference)
    registry.aliases.put("a", "prod", 2)
    moved = time.monotonic()
    while True:
        known = replica.versions.known(reference) or replica.versions.get(reference)
        seen = time.monotonic() - moved
        if known.version is not None and known.version.number == 2:
            break
        assert seen < A_SECOND


def test_a_replica_that_cannot_ask_remembers_nothing(registry: Registry, replica: Registry) -> None:
    registry.names.create(new_name(), new_version())
    reference = parse_reference("a")
    while replica.versions.known(reference) is None:
        replica.versions.get(reference)
    do(registry, "ALTER TABLE changes RENAME TO gone")
    deadline = time.monotonic() + 10 * A_SECOND
    while replica.versions.known(reference) is not None:
        assert time.monotonic() < deadline
    do(registry, "ALTER TABLE gone RENAME TO changes")


def test_its_own_work_is_seen_at_once(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    registry.aliases.put("a", "prod", 1)
    reference = parse_reference("a@prod")
    for number in range(2, 12):
        content = str(number).encode()
        registry.versions.add("a", new_version(content), generation=1)
        registry.aliases.put("a", "prod", number)
        found = registry.versions.get(reference).version
        assert found is not None
        assert found.number == number


def test_a_writer_that_holds_the_lock_is_waited_for_and_told(registry: Registry) -> None:
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        with registry._database.write():
            held.set()
            go_on.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        held.wait(60)
        with pytest.raises(Unavailable, match="locked by another writer"):
            registry.names.create(new_name())
        assert registry.names.list(limit=1).items == []
        go_on.set()
        holding.result()
    assert registry.names.create(new_name()).created


def test_another_schema_is_refused(registry: Registry, settings: Settings) -> None:
    do(registry, "UPDATE schema SET number = 99")
    with pytest.raises(UnknownSchema, match="schema 99"):
        Registry(settings)


def test_tables_that_were_replaced_take_no_writes(registry: Registry) -> None:
    registry.names.create(new_name(), new_version())
    do(
        registry,
        "ALTER TABLE changes RENAME TO gone; CREATE TABLE changes AS SELECT number FROM gone",
    )
    with pytest.raises(Unavailable, match="replaced while the service runs"):
        registry.versions.add("a", new_version(b"two"), generation=1)
    assert "replaced" in str(registry.ready())


def test_a_database_that_was_emptied_is_told(registry: Registry) -> None:
    do(registry, "ALTER TABLE names RENAME TO gone; ALTER TABLE changes RENAME TO lost")
    with pytest.raises(Unavailable, match="emptied or replaced"):
        registry.names.create(new_name())
    assert "emptied or replaced" in str(registry.ready())


def test_a_read_only_database_is_told(registry: Registry, postgresql_server: Postgresql) -> None:
    registry.names.create(new_name())
    do(registry, "ALTER ROLE CURRENT_USER SET default_transaction_read_only = on")
    try:
        registry._database.engine.dispose()
        with pytest.raises(Unavailable, match="read-only"):
            registry.names.create(new_name("b"))
        assert len(registry.names.list(limit=5).items) == 1
    finally:
        postgresql_server.do(
            "SET default_transaction_read_only = off",
            "ALTER ROLE CURRENT_USER RESET default_transaction_read_only",
        )


def test_connections_that_were_cut_are_made_anew(
    registry: Registry, postgresql_server: Postgresql
) -> None:
    registry.names.create(new_name())
    postgresql_server.do(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'normd'"
    )
    assert registry.names.create(new_name("b")).created


def test_a_commit_is_on_disk_before_it_is_acknowledged(registry: Registry) -> None:
    do(registry, "ALTER ROLE CURRENT_USER SET synchronous_commit = off")
    try:
        registry._database.engine.dispose()
        with registry._database.write() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        with registry._database.read() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "off"
    finally:
        do(registry, "ALTER ROLE CURRENT_USER RESET synchronous_commit")


@pytest.mark.parametrize("url", ["mysql://a@b/c", "registry.db", "postgresql:/host"])
def test_what_is_no_address_of_a_database_is_told(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("NORMD_DATABASE", url)
    with pytest.raises(SettingsError, match="NORMD_DATABASE: a database is written") as error:
        read_settings()
    assert url not in str(error.value)


def test_a_server_that_is_not_there_is_told_without_its_address(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    url = "postgresql://somebody:secret@127.0.0.1:1/name"
    with pytest.raises(Unavailable, match="not to be reached") as error:
        Registry(Settings(data=tmp_path, database=url))  # type: ignore[arg-type]
    assert "secret" not in error.value.message
