"""Keys by which a retry is recognised, written in the transaction they protect."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Column, Connection, select

from app.registry.clock import now
from app.registry.errors import Conflict
from app.registry.schema import keys
from normalizers.errors import InvalidInput

Stored = TypeVar("Stored")

KEY = re.compile(r"[!-~]{1,255}")


@dataclass(frozen=True)
class Retry:
    """One Idempotency-Key: of what call on which name, with what request.

    Parameters
    ----------
    name : str
        The name.
    scope : str
        The call: ``versions`` or ``observations``.
    key : str
        What the client sent.
    digest : str
        Of the request.
    """

    name: str
    scope: str
    key: str
    digest: str

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.key):
            raise InvalidInput(
                "an Idempotency-Key is 1 to 255 printable ASCII characters without blanks",
                path="Idempotency-Key",
            )

    def seen(self, connection: Connection) -> bool:
        """Return whether this request was answered before.

        Raises
        ------
        Conflict
            When the key was used with another request.
        """
        digest = self._stored(connection, keys.c.digest)
        if digest is not None and digest != self.digest:
            raise Conflict(
                "the Idempotency-Key was used before with another body",
                hint="send another key with another body",
            )
        return digest is not None

    def version(self, connection: Connection) -> int | None:
        """Return the number of the version the request made."""
        return self._stored(connection, keys.c.version)

    def remember(self, connection: Connection, version: int | None = None) -> None:
        """Record the request as answered."""
        row = {"name": self.name, "scope": self.scope, "key": self.key, "digest": self.digest}
        connection.execute(keys.insert().values(**row, version=version, created=now()))

    def _stored(self, connection: Connection, column: Column[Stored]) -> Stored | None:
        row = connection.execute(
            select(column).where(
                keys.c.name == self.name, keys.c.scope == self.scope, keys.c.key == self.key
            )
        )
        return row.scalar()
