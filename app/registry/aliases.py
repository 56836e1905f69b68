"""Aliases: pointers from a word to a version, moved by compare and swap."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Select, select

from app.registry.clock import now
from app.registry.database import Database
from app.registry.errors import NotFound, PreconditionFailed
from app.registry.records import AliasRecord
from app.registry.references import Reference, parse_alias
from app.registry.rows import find_version, require_name
from app.registry.schema import aliases, versions

ANY = "*"


@dataclass(frozen=True)
class Pointed:
    """Where an alias points after a put, and where it pointed before, if it did."""

    alias: AliasRecord
    before: AliasRecord | None

    @property
    def created(self) -> bool:
        """Whether it is new."""
        return self.before is None


class Aliases:
    """The aliases of one registry."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(
        self,
        name: str,
        alias: str,
        version: int,
        *,
        if_match: Collection[str] | None = None,
        if_none_match: bool = False,
    ) -> Pointed:
        """Point `alias` to `version`.

        Parameters
        ----------
        name, alias, version
            What points where.
        if_match : collection of str, optional
            Hashes of which the alias must point to one now; ``*`` for any.
        if_none_match : bool
            Only create.

        Raises
        ------
        InvalidInput
            When the alias breaks the rule of aliases.
        NotFound
            When there is no such name or version.
        PreconditionFailed
            When the alias points elsewhere, or exists and must not.
        """
        parse_alias(alias)
        with self._database.write() as connection:
            require_name(connection, name)
            before = _find(connection, name, alias)
            _check(before, if_match, if_none_match)
            find_version(connection, name, version)
            _point(connection, name, alias, version)
            after = _find(connection, name, alias)
        if after is None:
            raise NotFound(f"there is no alias {Reference(name, alias=alias)}")
        return Pointed(after, before)

    def list(self, name: str) -> Sequence[AliasRecord]:
        """Return the aliases of `name`, in ascending order.

        Raises
        ------
        NotFound
            When there is no such name.
        """
        with self._database.read() as connection:
            require_name(connection, name)
            rows = connection.execute(_query(name).order_by(aliases.c.alias)).mappings().all()
        return [AliasRecord(**row) for row in rows]

    def delete(self, name: str, alias: str, *, if_match: Collection[str] | None = None) -> str:
        """Remove `alias`, and return the hash it pointed to; the version stays.

        Raises
        ------
        NotFound
            When there is no such name or alias.
        PreconditionFailed
            When it points to none of the hashes of `if_match`.
        """
        with self._database.deleting(), self._database.write() as connection:
            require_name(connection, name)
            before = _find(connection, name, alias)
            _check(before, if_match, if_none_match=False)
            if before is None:
                raise NotFound(f"there is no alias {Reference(name, alias=alias)}")
            connection.execute(aliases.delete().where(*_is(name, alias)))
        return before.hash


def _query(name: str) -> Select[tuple[str, str, int, str, str]]:
    return (
        select(
            aliases.c.name, aliases.c.alias, aliases.c.version, versions.c.hash, aliases.c.updated
        )
        .join(
            versions,
            (versions.c.name == aliases.c.name) & (versions.c.number == aliases.c.version),
        )
        .where(aliases.c.name == name)
    )


def _is(name: str, alias: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return aliases.c.name == name, aliases.c.alias == alias


def _find(connection: Connection, name: str, alias: str) -> AliasRecord | None:
    query = _query(name).where(aliases.c.alias == alias)
    row = connection.execute(query).mappings().first()
    return AliasRecord(**row) if row is not None else None


def _point(connection: Connection, name: str, alias: str, version: int) -> None:
    connection.execute(aliases.delete().where(*_is(name, alias)))
    connection.execute(
        aliases.insert().values(name=name, alias=alias, version=version, updated=now())
    )


def _check(
    before: AliasRecord | None, if_match: Collection[str] | None, if_none_match: bool
) -> None:
    actual = before.hash if before is not None else None
    if if_none_match and actual is not None:
        raise PreconditionFailed("the alias exists already", expected=None, actual=actual)
    if if_match is None or (actual is not None and (actual in if_match or ANY in if_match)):
        return
    expected = ", ".join(sorted(if_match))
    raise PreconditionFailed(
        "the alias does not point to a hash of If-Match", expected=expected, actual=actual
    )
