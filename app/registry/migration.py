"""Tables of an earlier release, brought up to date by Alembic's operations."""

from __future__ import annotations

from importlib import import_module

from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection


def migrate(connection: Connection, found: int, wanted: int) -> None:
    """Do every step from the schema that was found to the one that is wanted.

    The number of the schema says which steps were done; each is `upgrade` of a module
    ``app.registry.migrations.schema_<number>``.
    """
    operations = Operations(MigrationContext.configure(connection))
    for number in range(found + 1, wanted + 1):
        import_module(f"app.registry.migrations.schema_{number}").upgrade(operations)
