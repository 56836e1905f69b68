"""The registry: one folder with a database and the version files."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import select

from app.registry import schema
from app.registry.aliases import Aliases
from app.registry.database import Database
from app.registry.errors import RegistryError, Unavailable
from app.registry.files import Files
from app.registry.manifest_cache import ManifestCache
from app.registry.names import Names
from app.registry.observations import Observations
from app.registry.rows import release_abandoned
from app.registry.versions import Versions
from app.registry.watch import Watch
from app.settings import Settings


class Registry:
    """Names, versions, aliases and observations of one data folder.

    Any number of processes on one machine may hold one at once.

    Parameters
    ----------
    settings : Settings
        Where the folder is, how long to wait for the write lock, when to compact.

    Raises
    ------
    Unavailable
        When the folder cannot be made or written.
    UnknownSchema
        When another release wrote it.
    """

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.data
        _make(settings.data)
        file = settings.data / "registry.db"
        self._watch = Watch(file)
        self._database = Database(
            file,
            busy_timeout_seconds=settings.busy_timeout_seconds,
            connections=settings.worker_threads + 1,
        )
        files = Files(settings.data / "versions")
        self.names = Names(self._database, files)
        self.versions = Versions(self._database, files, ManifestCache(self._watch))
        self.aliases = Aliases(self._database)
        self.observations = Observations(self._database, settings.compact_after)
        self._database.prepare()
        files.sweep()
        release_abandoned(self._database, files)

    def ready(self) -> str | None:
        """Return why the registry cannot serve now, or None when it can."""
        if not os.access(self._folder, os.W_OK):
            return "the data folder is not writable"
        try:
            if self._database.reserve.is_disk_full():
                return "the disk of the data folder is full"
            self._database.require_whole()
            if not self._database.is_writable():
                return "the registry belongs to another user and cannot be written"
            with self._database.read() as connection:
                connection.execute(select(schema.schema.c.number)).scalar_one()
        except RegistryError as error:
            return error.message
        except OSError:
            return "the data folder cannot be read"
        return None

    def close(self) -> None:
        """Close the database."""
        self._watch.close()
        self._database.close()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the data folder cannot be made: {error.strerror}") from error
