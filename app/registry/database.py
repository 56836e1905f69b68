"""The SQLite file: one transaction a write, begun with the lock it needs."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from app.registry import schema
from app.registry.errors import Unavailable

# By the start of SQLite's own name of the error.
REASONS = {
    "SQLITE_BUSY": "locked by another writer",
    "SQLITE_LOCKED": "locked by another writer",
    "SQLITE_FULL": "on a full disk",
    "SQLITE_READONLY": "on a read-only disk or file",
    "SQLITE_CANTOPEN": "not to be opened; see the rights of the data folder",
    "SQLITE_IOERR": "on a disk that fails to read or write",
}

# Switching a new file to WAL does not wait for other processes that do the same.
WAL_PAUSE_SECONDS = 0.02


class Database:
    """Connections to one SQLite file in WAL mode, synced at each commit.

    Parameters
    ----------
    file : Path
        The database; its folder must exist.
    busy_timeout_seconds : float
        Longest wait for the write lock.
    connections : int
        Most connections at once.
    """

    def __init__(self, file: Path, *, busy_timeout_seconds: float, connections: int) -> None:
        self.busy_timeout_seconds = busy_timeout_seconds
        self.engine = _engine(file, busy_timeout_seconds, connections)

    def prepare(self) -> None:
        """Bring the file into WAL mode and create the tables.

        Raises
        ------
        Unavailable
            When the file cannot be written.
        UnknownSchema
            When another release wrote it.
        """
        with _translated():
            self._use_wal()
        with self.write() as connection:
            schema.prepare(connection)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Run the block in one transaction that holds the write lock from its start.

        A deferred transaction that reads before it writes fails at once when another process
        wrote meanwhile, whatever the timeout; BEGIN IMMEDIATE waits.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run the block on one snapshot."""
        with self._transaction("BEGIN") as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        with _translated(), self.engine.connect() as connection:
            connection.exec_driver_sql(begin)
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    def _use_wal(self) -> None:
        deadline = time.monotonic() + self.busy_timeout_seconds
        while True:
            try:
                with self.engine.connect() as connection:
                    connection.execute(text("PRAGMA journal_mode = WAL"))
                    return
            except OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(WAL_PAUSE_SECONDS)


def _engine(file: Path, busy_timeout_seconds: float, connections: int) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(file)),
        isolation_level="AUTOCOMMIT",
        pool_size=connections,
        max_overflow=0,
        pool_timeout=busy_timeout_seconds,
        connect_args={"timeout": busy_timeout_seconds},
        json_serializer=partial(json.dumps, allow_nan=False),
    )
    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _roll_back(connection: Connection) -> None:
    """Give the lock back; after some errors SQLite already has."""
    driver = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection) and driver.in_transaction:
        connection.exec_driver_sql("ROLLBACK")


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        raise Unavailable(f"the registry is {_reason(error)}") from error
    except PoolTimeout as error:
        raise Unavailable("the registry is busy: all connections are in use") from error


def _reason(error: OperationalError) -> str:
    name = getattr(error.orig, "sqlite_errorname", "")
    reasons = [reason for start, reason in REASONS.items() if name.startswith(start)]
    return reasons[0] if reasons else "unavailable"
