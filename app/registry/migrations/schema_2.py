"""Schema 2: idempotency keys are found by their age."""

from __future__ import annotations

from alembic.operations import Operations


def upgrade(operations: Operations) -> None:
    """Add the index by which old keys are forgotten."""
    operations.create_index("keys_by_age", "idempotency_keys", ["created"])
