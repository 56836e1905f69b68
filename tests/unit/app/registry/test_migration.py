"""A database of any released schema becomes, by migration, what a new one is."""

from __future__ import annotations

import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, inspect

from app.registry import schema
from app.registry.errors import UnknownSchema
from app.registry.registry import Registry
from app.settings import Settings
from tests.stores import Servers
from tests.unit.app.registry.samples import new_name, new_version

pytest.importorskip("alembic", reason="alembic is not installed")
KEPT = Path(__file__).parents[3] / "kept" / "data.zip"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data")


def tables(file: Path) -> dict[str, object]:
    """Return all that a database says of its tables."""
    engine = create_engine(f"sqlite:///{file}")
    found = inspect(engine)
    told: dict[str, object] = {
        name: (
            [(column["name"], str(column["type"]), column["nullable"]) for column in columns],
            found.get_pk_constraint(name),
            sorted(map(str, found.get_foreign_keys(name))),
            sorted(map(str, found.get_indexes(name))),
        )
        for name in found.get_table_names()
        if (columns := found.get_columns(name))
    }
    engine.dispose()
    return told


def number_of(file: Path) -> int:
    with closing(sqlite3.connect(file)) as connection:
        (number,) = connection.execute("SELECT number FROM schema").fetchone()
    return int(number)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """Return a data folder of schema 1."""
    with zipfile.ZipFile(KEPT) as archive:
        archive.extractall(tmp_path / "kept")
    assert number_of(tmp_path / "kept" / "registry.db") == 1
    return tmp_path / "kept"


def test_a_kept_database_becomes_what_a_new_one_is(kept: Path, registry: Registry) -> None:
    with closing(Registry(Settings(data=kept))) as old:
        assert old.ready() is None
        assert len(old.names.list(limit=50).items) > 2
    assert number_of(kept / "registry.db") == schema.NUMBER
    new = registry._database.engine.url.database
    assert new is not None
    assert tables(kept / "registry.db") == tables(Path(new))


def test_a_migration_that_breaks_off_leaves_the_tables_of_before(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(kept / "registry.db")
    monkeypatch.setattr("app.registry.schema.NUMBER", schema.NUMBER + 1)
    with pytest.raises(ModuleNotFoundError):
        Registry(Settings(data=kept))
    assert (number_of(kept / "registry.db"), tables(kept / "registry.db")) == (1, before)


def test_many_processes_that_start_migrate_once(kept: Path) -> None:
    registries = [Registry(Settings(data=kept)) for _ in range(3)]
    for registry in registries:
        registry.names.create(new_name(f"new{id(registry)}"), new_version())
        registry.close()


def test_tables_of_a_server_are_migrated(servers: Servers, tmp_path: Path) -> None:
    settings = servers.settings(tmp_path)
    with (
        closing(Registry(settings)) as registry,
        registry._database.engine.connect() as connection,
    ):
        connection.exec_driver_sql("DROP INDEX keys_by_age; UPDATE schema SET number = 1")
        with closing(Registry(settings)) as again:
            assert again.ready() is None
        indexes = inspect(connection).get_indexes("idempotency_keys")
        assert [index["name"] for index in indexes] == ["keys_by_age"]


def test_a_later_schema_is_refused(kept: Path) -> None:
    with closing(sqlite3.connect(kept / "registry.db", isolation_level=None)) as connection:
        connection.execute("UPDATE schema SET number = 7")
    with pytest.raises(UnknownSchema, match="schema 7, and this release reads schemas up to 2"):
        Registry(Settings(data=kept))
