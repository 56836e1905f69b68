"""What can go wrong in the registry, as one tree.

::

    RegistryError
      NotFound            404: no such name, version or alias
      Conflict            409: carries a hint
      PreconditionFailed  412: carries the expected and the actual hash
      Unavailable         503: disk full, read-only, locked, not reached
        Damaged           503: the database is broken
      UnknownSchema       at start: the database was written by another release
"""

from __future__ import annotations

from normalizers.errors import printable

# How SQLite's own names of the errors of a damaged file start.
DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class RegistryError(Exception):
    """Base of every error the registry raises on purpose."""

    def __init__(self, message: str, *, path: str = "") -> None:
        self.message, self.path = printable(message), printable(path)
        super().__init__(self.message)


class NotFound(RegistryError):
    """No such name, version or alias."""


class Conflict(RegistryError):
    """The request contradicts what is there; `hint` says what would work."""

    def __init__(self, message: str, *, hint: str = "", path: str = "") -> None:
        super().__init__(message, path=path)
        self.hint = hint


class PreconditionFailed(RegistryError):
    """An alias or a version is another one than the caller expected."""

    def __init__(self, message: str, *, expected: str | None, actual: str | None) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual


class Unavailable(RegistryError):
    """The registry cannot be read or written now."""


class Damaged(Unavailable):
    """The database is no longer one, or some of its pages contradict each other."""

    def __init__(self, what: str = "the data folder") -> None:
        super().__init__(f"the registry is damaged; restore {what} from a backup")


class UnknownSchema(RegistryError):
    """The database has a schema this release does not know."""
