"""A database of the registry: one transaction a write, begun with the lock it needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from sqlalchemy import Connection, Engine, select

from app.registry import schema
from app.registry.errors import Damaged, RegistryError


class Database(ABC):
    """Connections to a database.

    Parameters
    ----------
    engine : Engine
        Gives connections that commit each statement, until a transaction is begun by hand.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._damaged = False

    @abstractmethod
    def prepare(self) -> None:
        """Create the tables where there are none, and bring those of earlier releases up to date.

        Raises
        ------
        Unavailable
            When the database cannot be made, read or written.
        UnknownSchema
            When a later release wrote it.
        """

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """Run the block in one transaction that holds the write lock from its start."""

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """Run the block on one snapshot."""

    @abstractmethod
    def token(self) -> Hashable | None:
        """Return what changes with every commit, whoever made it; None where that is not known.

        Equal tokens mean that nothing changed.

        Raises
        ------
        Unavailable
            When the database cannot be read.
        """

    @abstractmethod
    def fault(self) -> str | None:
        """Return why nothing can be written now, as far as this can be told without a query."""

    def deleting(self) -> AbstractContextManager[None]:
        """Return a context in which a deletion finds room, also where the disk is full."""
        return nullcontext()

    def ready(self) -> str | None:
        """Return why the database cannot serve now, or None when it can."""
        try:
            fault = self.fault()
            if fault is not None:
                return fault
            with self.read() as connection:
                connection.execute(select(schema.schema.c.number)).scalar_one()
        except RegistryError as error:
            return error.message
        return None

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def transaction(self, begin: str) -> Iterator[Connection]:
        """Run the block between `begin` and a commit; after an error nothing of it stays."""
        with self._noticing(), self.translated(), self.engine.connect() as connection:
            connection.exec_driver_sql(begin)
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                self.roll_back(connection)
                raise

    @abstractmethod
    def translated(self) -> AbstractContextManager[None]:
        """Return a context that says in the registry's words what the database says in its own."""

    @abstractmethod
    def roll_back(self, connection: Connection) -> None:
        """Give the lock back, if there still is a transaction."""

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember that the database is damaged, for whoever asks whether it is ready."""
        try:
            yield
        except Damaged:
            self._damaged = True
            raise
