"""What outlived its use: files that no row names, and keys that nobody sends any more."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select, tuple_

from app.registry.clock import now
from app.registry.database import Database
from app.registry.files import Files
from app.registry.rows import release_abandoned
from app.registry.schema import keys

# So few that a writer waits for none of it for long.
KEYS_AT_ONCE = 1000


def tidy(database: Database, files: Files, key_days: float) -> None:
    """Remove what dead writers left, and keys that are older than `key_days`."""
    files.sweep()
    release_abandoned(database, files)
    while forget_keys(database, key_days) == KEYS_AT_ONCE:
        pass


def forget_keys(database: Database, key_days: float) -> int:
    """Forget some idempotency keys that are too old; return how many.

    Age counts back from the newest key where the clock is ahead of it: a clock that jumped forward
    makes no key of today an old one.
    """
    of_key = (keys.c.name, keys.c.scope, keys.c.key)
    with database.read() as connection:
        newest: str | None = connection.execute(select(func.max(keys.c.created))).scalar()
        oldest = _before(min(newest or "", now()), key_days)
        query = select(*of_key).where(keys.c.created < oldest).limit(KEYS_AT_ONCE)
        found = [tuple(row) for row in connection.execute(query)]
    if found:
        with database.write() as connection:
            connection.execute(keys.delete().where(tuple_(*of_key).in_(found)))
    return len(found)


def _before(moment: str, days: float) -> str:
    """Return the time `days` before another, as it is written; no time is before all."""
    if not moment:
        return ""
    return (datetime.fromisoformat(moment) - timedelta(days=days)).isoformat(
        timespec="microseconds"
    )
