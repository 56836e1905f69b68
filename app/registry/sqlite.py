"""The SQLite file: one transaction a write, begun with the lock it needs."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from app.registry import schema
from app.registry.database import Database
from app.registry.errors import DAMAGE, Damaged, Unavailable
from app.registry.reserve import Reserve
from app.registry.sqlite_watch import Watch

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


class SqliteDatabase(Database):
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
        super().__init__(_engine(file, busy_timeout_seconds, connections))
        self.busy_timeout_seconds = busy_timeout_seconds
        self._reserve = Reserve(file.with_name("reserve"))
        self._watch = Watch(file)
        self._file = file
        self._identity: tuple[int, int] | None = None

    def prepare(self) -> None:
        """Bring the file into WAL mode and create the tables.

        Raises
        ------
        Unavailable
            When the file cannot be made, read or written.
        UnknownSchema
            When another release wrote it.
        """
        with self.deleting():
            self._make()
            with self.translated():
                self._use_wal()
            with self.write() as connection:
                schema.prepare(connection)
            if not self.is_writable():
                raise Unavailable("the registry belongs to another user and cannot be written")
        self._identity = _identity(self._file)

    def is_writable(self) -> bool:
        """Return whether this user may write the file; SQLite opens one to read without a word."""
        return os.access(self._file, os.W_OK)

    def require_whole(self) -> None:
        """Refuse a file that was found damaged, or is no longer the one in the data folder.

        Raises
        ------
        Unavailable
            Open connections go on with a removed file, and what they write is lost.
        """
        if self._damaged:
            raise Damaged
        if self._identity is not None and _identity(self._file) != self._identity:
            raise Unavailable(
                "the data folder was removed or replaced while the service runs; restart it"
            )

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Run the block in one transaction that holds the write lock from its start.

        A deferred transaction that reads before it writes fails at once when another process
        wrote meanwhile, whatever the timeout; BEGIN IMMEDIATE waits.
        """
        with self.transaction("BEGIN IMMEDIATE") as connection:
            self.require_whole()
            yield connection
            self.require_whole()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run the block on one snapshot."""
        with self.transaction("BEGIN") as connection:
            yield connection

    def token(self) -> int:
        """Return a number that changes with every commit; to ask for it is cheap."""
        return self._watch.token()

    def deleting(self) -> AbstractContextManager[None]:
        """Return a context that lends the reserve: a delete writes before it gives back."""
        return self._reserve.lent()

    def fault(self) -> str | None:
        """Return why nothing can be written now, or None."""
        try:
            if not os.access(self._file.parent, os.W_OK):
                return "the data folder is not writable"
            if self._reserve.is_disk_full():
                return "the disk of the data folder is full"
            self.require_whole()
            if not self.is_writable():
                return "the registry belongs to another user and cannot be written"
        except OSError:
            return "the data folder cannot be read"
        return None

    def close(self) -> None:
        """Close all connections."""
        self._watch.close()
        super().close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Say in the registry's words what SQLite says in its own."""
        try:
            yield
        except OperationalError as error:
            raise Unavailable(f"the registry is {_reason(error)}") from error
        except DatabaseError as error:
            if not _name(error).startswith(DAMAGE):
                raise
            raise Damaged from error
        except PoolTimeout as error:
            raise Unavailable("the registry is busy: all connections are in use") from error

    def roll_back(self, connection: Connection) -> None:
        """Give the lock back; after some errors SQLite already has."""
        driver = connection.connection.driver_connection
        if isinstance(driver, sqlite3.Connection) and driver.in_transaction:
            connection.exec_driver_sql("ROLLBACK")

    def _make(self) -> None:
        """Make the file with the rights that the process gives: SQLite keeps others from writing.

        What stands beside it, the log and its index, takes the rights of the file.
        """
        if not self._file.exists():
            with suppress(OSError):  # SQLite says what is wrong.
                self._file.touch()

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


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name, None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _name(error: DatabaseError) -> str:
    return getattr(error.orig, "sqlite_errorname", "")


def _reason(error: OperationalError) -> str:
    name = _name(error)
    reasons = [reason for start, reason in REASONS.items() if name.startswith(start)]
    return reasons[0] if reasons else "unavailable"
