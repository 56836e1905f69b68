"""What can go wrong between the library and the registry."""

from __future__ import annotations

from app.registry.errors import Unavailable


class ServiceError(Exception):
    """Base of the errors of this package."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class DamagedVersion(ServiceError):
    """A stored version's file no longer has its hash."""


class UnknownMethod(ServiceError):
    """A path names a method that the catalogue does not have."""


class DeadlinePassed(Unavailable):
    """The caller said how long it waits, and that has passed."""


class Cancelled(ServiceError):
    """The client of a request has gone; nobody waits for what remains to be done."""
