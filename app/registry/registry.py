"""The registry: a database and the version files."""

from __future__ import annotations

from app.registry.aliases import Aliases
from app.registry.manifest_cache import ManifestCache
from app.registry.names import Names
from app.registry.observations import Observations
from app.registry.stores import database_of, files_of
from app.registry.tidying import tidy
from app.registry.versions import Versions
from app.settings import Settings


class Registry:
    """Names, versions, aliases and observations of one deployment.

    Any number of processes may hold one at once: on one machine where a folder keeps it, on many
    where a database server and a bucket do.

    Parameters
    ----------
    settings : Settings
        Where it is kept, how long to wait for the write lock, when to compact.

    Raises
    ------
    Unavailable
        When what keeps it cannot be made or written.
    UnknownSchema
        When a later release wrote it.
    """

    def __init__(self, settings: Settings) -> None:
        self._database = database_of(settings)
        self._files = files_of(settings)
        self.names = Names(self._database, self._files)
        self.versions = Versions(self._database, self._files, ManifestCache(self._database.token))
        self.aliases = Aliases(self._database)
        self.observations = Observations(self._database, settings.compact_after)
        self._database.prepare()
        self._key_days = settings.key_days
        self.tidy()

    def ready(self) -> str | None:
        """Return why the registry cannot serve now, or None when it can."""
        return self._database.ready() or self._files.ready()

    def tidy(self) -> None:
        """Remove what outlived its use: files without a row, and old idempotency keys."""
        tidy(self._database, self._files, self._key_days)

    def close(self) -> None:
        """Close the database."""
        self._database.close()
