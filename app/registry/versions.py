"""Versions: added, read by reference, deleted; never changed."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, literal, select

from app.registry.database import Database
from app.registry.errors import Conflict, NotFound
from app.registry.files import Files
from app.registry.idempotency import Retry
from app.registry.manifest_cache import ManifestCache
from app.registry.records import Added, Manifest, NewVersion, Page, VersionRecord
from app.registry.references import Reference
from app.registry.rows import (
    find_manifest,
    find_version,
    insert_version,
    newest,
    pointed_to,
    release,
    require_name,
    written,
)
from app.registry.schema import aliases, versions
from normalizers.errors import CorruptVersion, InvalidInput

SCOPE = "versions"


class Versions:
    """The versions of one registry."""

    def __init__(self, database: Database, files: Files, remembered: ManifestCache) -> None:
        self._database = database
        self._files = files
        self._remembered = remembered

    def add(self, name: str, new: NewVersion, *, generation: int, key: str | None = None) -> Added:
        """Add a version; a retry with the same `key` gives the version the first try made.

        The file is written and synced first, then the row that names it.

        Parameters
        ----------
        name : str
            An existing name.
        new : NewVersion
            The file and what the registry tells about it.
        generation : int
            Of the name, as read when the version was fitted.
        key : str, optional
            The Idempotency-Key.

        Raises
        ------
        NotFound
            When there is no such name.
        Conflict
            When the key was used with another request, or the name was created anew meanwhile.
        """
        retry = Retry(name, SCOPE, key, new.digest) if key is not None else None
        with written(self._database, self._files, new):
            return self._add(name, new, generation, retry)

    def earlier(self, name: str, key: str, digest: str) -> VersionRecord | None:
        """Return the version that the same request with this `key` made before, if it did.

        Raises
        ------
        Conflict
            When the key was used with another request, or its version was deleted.
        """
        with self._database.read() as connection:
            return _earlier(connection, Retry(name, SCOPE, key, digest))

    def get(self, reference: Reference) -> Manifest:
        """Return what `reference` means now, read anew if anything was committed meanwhile.

        An open name has no version.

        Raises
        ------
        NotFound
            When there is no such name, version or alias.
        InvalidInput
            For ``name@open``, which is no version.
        """
        if reference.open:
            raise InvalidInput(f"{reference} is the open statistics, not a version", path="ref")
        token = self._remembered.token()
        manifest = self._remembered.get(reference, token) or self._found(reference)
        self._remembered.keep(reference, manifest, token)
        return manifest

    def known(self, reference: Reference) -> Manifest | None:
        """Return what `reference` means now if that is known without a query."""
        return self._remembered.get(reference, self._remembered.token())

    def with_hash(self, hash: str) -> VersionRecord | None:
        """Return some version whose file has this hash, None when there is none."""
        query = select(versions).where(versions.c.hash == hash).limit(1)
        with self._database.read() as connection:
            found = connection.execute(query).mappings().first()
        return VersionRecord(**found) if found is not None else None

    def content(self, version: VersionRecord) -> bytes:
        """Return the file of `version`, checked against its hash.

        Raises
        ------
        NotFound
            When the version was deleted meanwhile.
        CorruptVersion
            When the file is damaged or gone.
        """
        try:
            return self._files.read(version.hash)
        except FileNotFoundError:
            self.get(Reference(version.name, version=version.number))
            raise CorruptVersion(
                f"the file of {Reference(version.name, version=version.number)} is gone"
            ) from None

    def history(self, name: str, *, limit: int, after: int = 0) -> Page[VersionRecord]:
        """Return the versions of `name` with numbers above `after`, ascending.

        Raises
        ------
        NotFound
            When there is no such name.
        """
        query = select(versions).where(versions.c.name == name, versions.c.number > after)
        with self._database.read() as connection:
            require_name(connection, name)
            ordered = query.order_by(versions.c.number).limit(limit + 1)
            rows = connection.execute(ordered).mappings().all()
        items = [VersionRecord(**row) for row in rows[:limit]]
        return Page(items, str(items[-1].number) if len(rows) > limit else None)

    def delete(self, name: str, number: int) -> str:
        """Remove one version, and return its hash.

        Its number stays used, and its children stay whole.

        The row goes first and the file after it, if no other version has the same bytes.

        Raises
        ------
        NotFound
            When there is no such version.
        Conflict
            While an alias points to it.
        """
        with self._database.deleting():
            with self._database.write() as connection:
                version = find_version(connection, name, number)
                _refuse_aliased(connection, version)
                connection.execute(
                    versions.delete().where(versions.c.name == name, versions.c.number == number)
                )
            release(self._database, self._files, version.hash)
        return version.hash

    def _found(self, reference: Reference) -> Manifest:
        with self._database.read() as connection:
            manifest = find_manifest(connection, reference.name, _number(reference))
        if manifest.version is None and reference != Reference(reference.name):
            kind = "alias" if reference.alias else "version"
            raise NotFound(f"there is no {kind} {reference}")
        return manifest

    def _add(self, name: str, new: NewVersion, generation: int, retry: Retry | None) -> Added:
        with self._database.write() as connection:
            require_name(connection, name)
            earlier = _earlier(connection, retry) if retry else None
            if earlier is not None:
                return Added(earlier, created=False)
            require_name(connection, name, generation)
            version = insert_version(connection, self._files, name, new)
            if retry:
                retry.remember(connection, version.number)
            return Added(version, created=True)


def _number(reference: Reference) -> ColumnElement[int]:
    if reference.version is not None:
        return literal(reference.version)
    return pointed_to(reference.alias) if reference.alias is not None else newest()


def _earlier(connection: Connection, retry: Retry) -> VersionRecord | None:
    if not retry.seen(connection):
        return None
    number = retry.version(connection)
    query = select(versions).where(versions.c.name == retry.name, versions.c.number == number)
    found = connection.execute(query).mappings().first()
    if found is None:
        raise Conflict(
            f"version {number} of '{retry.name}', which this request made, was deleted",
            hint="send another Idempotency-Key",
        )
    return VersionRecord(**found)


def _refuse_aliased(connection: Connection, version: VersionRecord) -> None:
    query = select(aliases.c.alias).where(
        aliases.c.name == version.name, aliases.c.version == version.number
    )
    listed = sorted(connection.execute(query).scalars())
    if listed:
        raise Conflict(
            f"the aliases {', '.join(listed)} point to version {version.number}",
            hint="move or delete them first",
        )
