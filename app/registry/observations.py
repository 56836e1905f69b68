"""Observations: append-only partials of a name's open statistics, compacted behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import Connection, func, select

from app.registry.clock import now
from app.registry.database import Database
from app.registry.errors import Conflict
from app.registry.idempotency import Retry
from app.registry.records import Appended, JsonObject, NewObservation, OpenStatistics
from app.registry.rows import require_name
from app.registry.schema import observations, openings

SCOPE = "observations"

Merge: TypeAlias = Callable[[list[bytes]], bytes]


@dataclass(frozen=True)
class Partial:
    """One stored row; a level's rows stand side by side in the order of positions."""

    id: int
    level: int
    position: int
    n: int
    content: bytes


class Observations:
    """The open statistics of one registry's names.

    Parameters
    ----------
    database : Database
        Where they are kept.
    compact_after : int
        Partials of one level before they are merged into one of the next level.
    """

    def __init__(self, database: Database, compact_after: int) -> None:
        self._database = database
        self._compact_after = compact_after

    def append(self, name: str, new: NewObservation, *, key: str | None = None) -> Appended:
        """Fold `new` into the open statistics of `name`, once for each `key`.

        Raises
        ------
        NotFound
            When there is no such name.
        Conflict
            When the key was used with another request, the open statistics began with other
            parameters, or the name was created anew meanwhile.
        """
        retry = Retry(name, SCOPE, key, new.digest) if key is not None else None
        with self._database.write() as connection:
            require_name(connection, name)
            if retry and retry.seen(connection):
                return Appended(created=False, waiting=_waiting(connection, name))
            require_name(connection, name, new.generation)
            _begin_or_compare(connection, name, new.begin)
            _insert(connection, name, new)
            if retry:
                retry.remember(connection)
            return Appended(created=True, waiting=_waiting(connection, name))

    def seen(self, name: str, key: str, digest: str) -> bool:
        """Return whether the same request with this `key` was counted before.

        Raises
        ------
        Conflict
            When the key was used with another request.
        """
        with self._database.read() as connection:
            return Retry(name, SCOPE, key, digest).seen(connection)

    def open(self, name: str) -> OpenStatistics:
        """Return the open statistics of `name`: what they began with and all partials, in order.

        Raises
        ------
        NotFound
            When there is no such name.
        """
        query = select(observations.c.n, observations.c.content)
        with self._database.read() as connection:
            require_name(connection, name)
            begun = _begun(connection, name)
            rows = connection.execute(
                query.where(observations.c.name == name).order_by(observations.c.position)
            ).all()
        return OpenStatistics(begun, [row.content for row in rows], sum(row.n for row in rows))

    def rows(self, name: str) -> int:
        """Return how many rows the open statistics of `name` have seen; 0 without any."""
        query = select(func.coalesce(func.sum(observations.c.n), 0))
        with self._database.read() as connection:
            rows = connection.execute(query.where(observations.c.name == name)).scalar_one()
        return int(rows)

    def partials(self, name: str) -> Sequence[bytes]:
        """Return the partials of `name` in the order they came.

        Raises
        ------
        NotFound
            When there is no such name.
        """
        return self.open(name).partials

    def compact(self, name: str, merge: Merge) -> int:
        """Merge the partials of every level that has too many; return how many merges were kept.

        A level's partials become one of the next level, so that each is rewritten a number of
        times that grows with the logarithm of their count. `merge` runs outside any lock, and its
        result is dropped when a partial it read has gone meanwhile.

        Parameters
        ----------
        name : str
            The name.
        merge : callable
            From partials in order to one.
        """
        merged = 0
        while partials := self._due(name):
            content = merge([partial.content for partial in partials])
            if not self._replace(name, partials, content):
                break
            merged += 1
        return merged

    def clear(self, name: str) -> None:
        """Empty the open statistics of `name`; a late retry is still not counted again.

        Raises
        ------
        NotFound
            When there is no such name.
        """
        with self._database.deleting(), self._database.write() as connection:
            require_name(connection, name)
            for table in (observations, openings):
                connection.execute(table.delete().where(table.c.name == name))

    def _due(self, name: str) -> Sequence[Partial]:
        """Return the partials of the lowest level that has too many, in order."""
        of_name = observations.c.name == name
        level = (
            select(observations.c.level)
            .where(of_name)
            .group_by(observations.c.level)
            .having(func.count() > self._compact_after)
            .order_by(observations.c.level)
            .limit(1)
            .scalar_subquery()
        )
        query = select(
            observations.c.id,
            observations.c.level,
            observations.c.position,
            observations.c.n,
            observations.c.content,
        )
        with self._database.read() as connection:
            rows = connection.execute(
                query.where(of_name, observations.c.level == level).order_by(
                    observations.c.position
                )
            ).mappings()
            return [Partial(**row) for row in rows]

    def _replace(self, name: str, partials: Sequence[Partial], content: bytes) -> bool:
        """Put `content` in the place of `partials`, if all of them are still there."""
        first = partials[0]
        merged = {
            "name": name,
            "level": first.level + 1,
            "position": first.position,
            "n": sum(partial.n for partial in partials),
            "content": content,
        }
        ids = observations.c.id.in_([partial.id for partial in partials])
        with self._database.write() as connection:
            there = select(func.count()).where(ids)
            if connection.execute(there).scalar_one() != len(partials):
                return False
            connection.execute(observations.delete().where(ids))
            connection.execute(observations.insert().values(merged))
        return True


def _begun(connection: Connection, name: str) -> JsonObject | None:
    return connection.execute(select(openings.c.begun).where(openings.c.name == name)).scalar()


def _begin_or_compare(connection: Connection, name: str, begin: JsonObject) -> None:
    begun = _begun(connection, name)
    if begun is None:
        row = {"name": name, "begun": begin, "created": now()}
        connection.execute(openings.insert().values(row))
        return
    asked: JsonObject = json.loads(json.dumps(begin))
    different = [key for key in sorted({*begun, *asked}) if _differ(key, begun, asked)]
    if different:
        raise Conflict(
            f"the open statistics of '{name}' began with another {', '.join(different)}",
            hint=f"empty them first: DELETE /v1/normalizers/{name}/observations",
        )
    if asked.keys() - begun.keys():
        change = openings.update().where(openings.c.name == name)
        connection.execute(change.values(begun={**asked, **begun}))


def _differ(key: str, begun: JsonObject, asked: JsonObject) -> bool:
    """Whether two parts cannot be added up for this key.

    A part without a row that is observed does not know yet how many columns there are: what only
    one side knows of the statistics, whose keys have a dot, is no difference, and is remembered.
    """
    one_knows = (key in begun) != (key in asked)
    return begun.get(key) != asked.get(key) and not ("." in key and one_knows)


def _insert(connection: Connection, name: str, new: NewObservation) -> None:
    last = select(func.max(observations.c.position)).where(observations.c.name == name)
    position = (connection.execute(last).scalar() or 0) + 1
    row = {"name": name, "level": 0, "position": position, "n": new.n, "content": new.content}
    connection.execute(observations.insert().values(row))


def _waiting(connection: Connection, name: str) -> int:
    """Return the number of partials not compacted yet."""
    query = select(func.count()).where(observations.c.name == name, observations.c.level == 0)
    return connection.execute(query).scalar_one()
