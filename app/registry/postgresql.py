"""A registry in PostgreSQL, which many machines share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial

import psycopg
from sqlalchemy import BigInteger, Column, Connection, Engine, MetaData, Table, create_engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.registry import schema
from app.registry.database import Database
from app.registry.errors import Damaged, Unavailable
from app.registry.polling import Polling, Token

# One row, changed by every write: it is the write lock, and tells who reads that something changed.
changes = Table("changes", MetaData(), Column("number", BigInteger, nullable=False))
CHANGE = "UPDATE changes SET number = number + 1 RETURNING tableoid::bigint, number"
STATE = "SELECT tableoid::bigint, number FROM changes"
# Of those who make the tables at the same time, one after the other does: any number will do.
PREPARING = "SELECT pg_advisory_xact_lock(7723519411)"

# A replica is to see what another one committed within a second.
PAUSE_SECONDS = 0.2
PATIENCE_SECONDS = 0.8
# A process that stands still keeps no lock for ever.
IDLE_SECONDS = 60

# By the start of PostgreSQL's codes of errors.
REASONS = {
    "25006": "read-only",
    "28": "not to be entered with this user and password",
    "3D000": "not there: the server has no such database",
    "42501": "not to be written by this user",
    "42P01": "without its tables: the database was emptied or replaced",
    "53100": "on a full disk",
    "53300": "out of connections",
    "55P03": "locked by another writer",
    "57014": "too slow",
    "57P": "starting or stopping",
}
DAMAGE = ("XX001", "XX002")


class PostgresqlDatabase(Database):
    """Connections to a database of a PostgreSQL server.

    Every statement names what it needs by itself, so that a pool of connections may stand between.

    Parameters
    ----------
    url : str
        ``postgresql://user:password@host:port/database``.
    busy_timeout_seconds : float
        Longest wait for a connection and for the write lock.
    connections : int
        Most connections at once.
    """

    def __init__(self, url: str, *, busy_timeout_seconds: float, connections: int) -> None:
        # One more: the question whether something changed.
        super().__init__(_engine(url, busy_timeout_seconds, connections + 1))
        self._begin = _beginning(busy_timeout_seconds)
        self._polling = Polling(
            self._state, pause_seconds=PAUSE_SECONDS, patience_seconds=PATIENCE_SECONDS
        )
        self._identity: int | None = None

    def prepare(self) -> None:
        """Create the tables where there are none.

        Raises
        ------
        Unavailable
            When the server cannot be reached, or refuses.
        UnknownSchema
            When a later release wrote the tables.
        """
        with self.transaction(self._begin) as connection:
            connection.exec_driver_sql(PREPARING)
            schema.prepare(connection)
            changes.create(connection, checkfirst=True)
            connection.exec_driver_sql(
                "INSERT INTO changes SELECT 0 WHERE NOT EXISTS (SELECT * FROM changes)"
            )
        self._identity, _ = self._state()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Run the block in one transaction that holds the write lock from its start."""
        with self.transaction(self._begin) as connection:
            row = connection.exec_driver_sql(CHANGE).one()
            identity, number = row
            self._require_same(identity)
            yield connection
        self._polling.saw((identity, number))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Run the block on one snapshot."""
        with self.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            yield connection

    def token(self) -> Token | None:
        """Return the state as it was less than a second ago; None while the server is silent."""
        return self._polling.token()

    def fault(self) -> str | None:
        """Return why nothing can be written now, or None."""
        with self.read() as connection:
            identity, _ = connection.exec_driver_sql(STATE).one()
            self._require_same(identity)
            standby = connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one()
        return "the registry is read-only" if standby else None

    def close(self) -> None:
        """Close all connections."""
        self._polling.end()
        super().close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Say in the registry's words what the server says in its own, which may name hosts."""
        try:
            yield
        except DBAPIError as error:
            code = getattr(error.orig, "sqlstate", None) or ""
            if code in DAMAGE:
                raise Damaged("the database") from error
            reason = _reason(code)
            if reason is None and not _is_lost(error):
                raise
            raise Unavailable(f"the registry is {reason or 'not to be reached'}") from error
        except PoolTimeout as error:
            raise Unavailable("the registry is busy: all connections are in use") from error

    def roll_back(self, connection: Connection) -> None:
        """Give the lock back, unless the connection is gone and the lock with it."""
        with suppress(DBAPIError):
            if not connection.invalidated and not connection.closed:
                connection.exec_driver_sql("ROLLBACK")

    def _state(self) -> Token:
        with self.translated(), self.engine.connect() as connection:
            identity, number = connection.exec_driver_sql(STATE).one()
            return identity, number

    def _require_same(self, identity: int) -> None:
        """Refuse tables that stand where others stood when the service was started."""
        if self._identity is not None and identity != self._identity:
            raise Unavailable("the database was replaced while the service runs; restart it")


def _engine(url: str, busy_timeout_seconds: float, connections: int) -> Engine:
    return create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        isolation_level="AUTOCOMMIT",
        pool_size=connections,
        max_overflow=0,
        pool_timeout=busy_timeout_seconds,
        # A server that was started anew has forgotten the connections of before.
        pool_pre_ping=True,
        connect_args={
            # Whole seconds, and less than 2 means for ever.
            "connect_timeout": max(2, round(busy_timeout_seconds)),
            "tcp_user_timeout": round(1000 * max(2.0, busy_timeout_seconds)),
            # A pooler gives each transaction another connection, which knows no statement.
            "prepare_threshold": None,
            "application_name": "normd",
        },
        json_serializer=partial(json.dumps, allow_nan=False),
    )


def _beginning(busy_timeout_seconds: float) -> str:
    """Return what begins a write; a commit is acknowledged when it is on disk, and not before."""
    lock = max(1, round(1000 * busy_timeout_seconds))
    return (
        f"BEGIN; SET LOCAL lock_timeout = {lock}; "
        f"SET LOCAL idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'; "
        "SELECT set_config('synchronous_commit', 'on', true) "
        "WHERE current_setting('synchronous_commit') = 'off'"
    )


def _reason(code: str) -> str | None:
    found = [reason for start, reason in REASONS.items() if code.startswith(start)]
    return found[0] if found else None


def _is_lost(error: DBAPIError) -> bool:
    return error.connection_invalidated or isinstance(error.orig, psycopg.OperationalError)
