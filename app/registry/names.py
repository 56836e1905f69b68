"""Names: created once, open or with a first version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, select

from app.registry.clock import now
from app.registry.database import Database
from app.registry.errors import Conflict
from app.registry.files import Files
from app.registry.records import Created, Manifest, NewName, NewVersion, Page
from app.registry.references import parse_name
from app.registry.rows import (
    find_manifest,
    insert_version,
    manifest_of,
    manifests,
    newest,
    release,
    require_name,
    written,
)
from app.registry.schema import aliases, counters, keys, names, observations, openings, versions


class Names:
    """The names of one registry."""

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def create(self, new: NewName, first: NewVersion | None = None) -> Created:
        """Create a name with its first version, or open it with none, in one transaction.

        The same request again, by its digest, gives the version it gave first.

        Raises
        ------
        InvalidInput
            When the name breaks the rule of names.
        Conflict
            When the name is taken by another request.
        """
        parse_name(new.name)
        if first is None:
            return self._create(new, None)
        with written(self._database, self._files, first):
            return self._create(new, first)

    def earlier(self, name: str, digest: str) -> Manifest | None:
        """Return what the same create request gave before; None when the name is free.

        Raises
        ------
        Conflict
            When the name is taken by another request.
        """
        parse_name(name)
        with self._database.read() as connection:
            return _earlier(connection, name, digest)

    def list(self, *, limit: int, after: str = "") -> Page[Manifest]:
        """Return names above `after` in ascending order, each with its newest version."""
        query = manifests(newest()).where(names.c.name > after).order_by(names.c.name)
        with self._database.read() as connection:
            rows = connection.execute(query.limit(limit + 1)).mappings().all()
        items = [manifest_of(row) for row in rows[:limit]]
        return Page(items, items[-1].name.name if len(rows) > limit else None)

    def delete(self, name: str) -> Sequence[str]:
        """Remove a name with its versions, observations and idempotency keys; return the hashes.

        Its version numbers stay used.

        Raises
        ------
        NotFound
            When there is no such name.
        Conflict
            While it has an alias.
        """
        with self._database.deleting():
            with self._database.write() as connection:
                require_name(connection, name)
                _refuse_aliased(connection, name)
                hashes = _hashes(connection, name)
                for table in (keys, observations, openings, versions, names):
                    connection.execute(table.delete().where(table.c.name == name))
            release(self._database, self._files, *hashes)
        return hashes

    def _create(self, new: NewName, first: NewVersion | None) -> Created:
        with self._database.write() as connection:
            earlier = _earlier(connection, new.name, new.digest)
            if earlier is not None:
                return Created(earlier, created=False)
            _insert(connection, new)
            number = None
            if first is not None:
                number = insert_version(connection, self._files, new.name, first).number
                connection.execute(
                    names.update().where(names.c.name == new.name).values(first_version=number)
                )
            return Created(find_manifest(connection, new.name, newest()), created=True)


def _earlier(connection: Connection, name: str, digest: str) -> Manifest | None:
    found = connection.execute(
        select(names.c.digest, names.c.first_version).where(names.c.name == name)
    ).first()
    if found is None:
        return None
    if found.digest != digest:
        raise Conflict(
            f"the name '{name}' is taken by another request",
            hint=f"add a version: POST /v1/normalizers/{name}/versions",
        )
    manifest = find_manifest(connection, name, names.c.first_version)
    if found.first_version is not None and manifest.version is None:
        raise Conflict(
            f"version {found.first_version} of '{name}', which this request made, was deleted",
            hint=f"add a version: POST /v1/normalizers/{name}/versions",
        )
    return manifest


def _insert(connection: Connection, new: NewName) -> None:
    generation = _next_generation(connection, new.name)
    connection.execute(
        names.insert().values(
            {**asdict(new), "tags": [*new.tags], "generation": generation, "created": now()}
        )
    )


def _next_generation(connection: Connection, name: str) -> int:
    """Count this creation of `name`; the counters outlive a deletion."""
    of_name = counters.c.name == name
    last: int | None = connection.execute(select(counters.c.generation).where(of_name)).scalar()
    if last is None:
        connection.execute(counters.insert().values(name=name, last_version=0, generation=1))
        return 1
    connection.execute(counters.update().where(of_name).values(generation=last + 1))
    return last + 1


def _refuse_aliased(connection: Connection, name: str) -> None:
    found = connection.execute(select(aliases.c.alias).where(aliases.c.name == name)).scalars()
    listed = sorted(found)
    if listed:
        raise Conflict(
            f"'{name}' has the aliases {', '.join(listed)}", hint="delete its aliases first"
        )


def _hashes(connection: Connection, name: str) -> Sequence[str]:
    query = select(versions.c.hash).where(versions.c.name == name).distinct()
    return connection.execute(query).scalars().all()
