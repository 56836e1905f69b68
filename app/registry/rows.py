"""Rows to records and back: the statements several parts of the registry share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    and_,
    func,
    literal,
    select,
)

from app.registry.clock import now
from app.registry.database import Database
from app.registry.errors import Conflict, NotFound
from app.registry.files import Files
from app.registry.records import Manifest, NameRecord, NewVersion, VersionRecord
from app.registry.references import Reference
from app.registry.schema import aliases, counters, names, versions


def manifests(number: ColumnElement[int]) -> Select[tuple[object, ...]]:
    """Return the query of names, each with its version of this `number` if there is one."""
    of_name = and_(versions.c.name == names.c.name, versions.c.number == number)
    return select(names, versions).select_from(names.outerjoin(versions, of_name))


def newest() -> ColumnElement[int]:
    """Return the expression for the number of a name's newest version."""
    others = versions.alias("others")
    highest = select(func.max(others.c.number)).where(others.c.name == names.c.name)
    return highest.correlate(names).scalar_subquery()


def pointed_to(alias: str) -> ColumnElement[int]:
    """Return the expression for the number of the version that `alias` of a name points to."""
    pointer = select(aliases.c.version).where(
        aliases.c.name == names.c.name, aliases.c.alias == alias
    )
    return pointer.correlate(names).scalar_subquery()


def manifest_of(row: RowMapping) -> Manifest:
    """Return the record of one row of `manifests`."""
    has_version = row[versions.c.number] is not None
    return Manifest(
        NameRecord(**_values(row, names)),
        VersionRecord(**_values(row, versions)) if has_version else None,
    )


def find_manifest(connection: Connection, name: str, number: ColumnElement[int]) -> Manifest:
    """Return `name` with its version of this `number`, if any.

    Raises
    ------
    NotFound
        When there is no such name.
    """
    found = connection.execute(manifests(number).where(names.c.name == name)).mappings().first()
    if found is None:
        raise NotFound(f"there is no normalizer '{name}'")
    return manifest_of(found)


def find_version(connection: Connection, name: str, number: int) -> VersionRecord:
    """Return version `number` of `name`.

    Raises
    ------
    NotFound
        When there is no such version.
    """
    query = select(versions).where(versions.c.name == name, versions.c.number == number)
    found = connection.execute(query).mappings().first()
    if found is None:
        raise NotFound(f"there is no version {Reference(name, version=number)}")
    return VersionRecord(**found)


def require_name(connection: Connection, name: str, generation: int | None = None) -> None:
    """Refuse a `name` that does not exist, or is no longer the one that was read.

    Raises
    ------
    NotFound
        When there is no such name.
    Conflict
        When it was deleted and created anew since `generation` was read.
    """
    found = connection.execute(select(names.c.generation).where(names.c.name == name)).scalar()
    if found is None:
        raise NotFound(f"there is no normalizer '{name}'")
    if generation is not None and found != generation:
        raise Conflict(f"'{name}' was deleted and created anew meanwhile", hint="send it again")


def insert_version(
    connection: Connection, files: Files, name: str, new: NewVersion
) -> VersionRecord:
    """Add a version under the name's next number; runs within a write transaction.

    The file was written before the transaction, so a deletion of the same bytes may have taken it
    away since. Deletions hold the write lock too: a file seen here stays.
    """
    if not files.exists(new.hash):
        files.write(new.hash, new.content)
    connection.execute(
        counters.update()
        .where(counters.c.name == name)
        .values(last_version=counters.c.last_version + 1)
    )
    number = connection.execute(
        select(counters.c.last_version).where(counters.c.name == name)
    ).scalar_one()
    row = {key: value for key, value in asdict(new).items() if key != "content"}
    row |= {"name": name, "number": number, "size": len(new.content), "created": now()}
    connection.execute(versions.insert().values(row))
    return find_version(connection, name, number)


@contextmanager
def written(database: Database, files: Files, new: NewVersion) -> Iterator[None]:
    """Run the block with the file of `new` on disk, and remove it if no version came to need it."""
    files.write(new.hash, new.content)
    try:
        yield
    except (Conflict, NotFound):
        release(database, files, new.hash)
        raise
    release(database, files, new.hash)


def release(database: Database, files: Files, *hashes: str) -> None:
    """Remove the files that no version refers to any more."""
    with database.read() as connection:
        unused = _unused(connection, hashes)
    if unused:
        with database.write() as connection:
            for hash in _unused(connection, unused):
                files.remove(hash)


def release_abandoned(database: Database, files: Files) -> None:
    """Remove the files of writers that died before the row that would name them.

    A writer that comes to need one meanwhile writes it again, for it looks under the write lock.
    """
    with database.read() as connection:
        named = set(connection.execute(select(versions.c.hash)).scalars())
    release(database, files, *(hash for hash in files.old_hashes() if hash not in named))


def _unused(connection: Connection, hashes: Iterable[str]) -> list[str]:
    """Return those of `hashes` that no version has."""
    one = select(literal(1)).select_from(versions).limit(1)
    return [
        hash
        for hash in hashes
        if connection.execute(one.where(versions.c.hash == hash)).first() is None
    ]


def _values(row: RowMapping, table: Table) -> Mapping[str, Any]:
    return {column.name: row[column] for column in table.c}
