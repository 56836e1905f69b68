"""Where a registry is kept, by the settings: embedded in a folder, or on servers."""

from __future__ import annotations

from pathlib import Path

from app.registry.database import Database
from app.registry.errors import Unavailable
from app.registry.files import Files
from app.registry.folder_files import FolderFiles
from app.registry.sqlite import SqliteDatabase
from app.settings import Settings, SettingsError, variable

# Beyond the threads that work: whoever asks whether the service is ready.
SPARE_CONNECTIONS = 1


def database_of(settings: Settings) -> Database:
    """Return the database of a registry.

    Raises
    ------
    SettingsError
        When what it takes to reach one is not installed.
    Unavailable
        When the folder of an embedded one cannot be made.
    """
    connections = settings.worker_threads + SPARE_CONNECTIONS
    url = settings.database.get_secret_value()
    if url:
        # Inside: only who has such a server has what it takes to speak with it.
        try:
            from app.registry.postgresql import PostgresqlDatabase
        except ImportError:
            raise _missing("database", "postgres") from None
        return PostgresqlDatabase(
            url, busy_timeout_seconds=settings.busy_timeout_seconds, connections=connections
        )
    _make(settings.data)
    return SqliteDatabase(
        settings.data / "registry.db",
        busy_timeout_seconds=settings.busy_timeout_seconds,
        connections=connections,
    )


def files_of(settings: Settings) -> Files:
    """Return the version files of a registry.

    Raises
    ------
    SettingsError
        When what it takes to reach them is not installed.
    Unavailable
        When their folder cannot be made.
    """
    if settings.blobs:
        try:
            from app.registry.bucket_files import BucketFiles
        except ImportError:
            raise _missing("blobs", "s3") from None
        return BucketFiles(settings.blobs, timeout_seconds=settings.busy_timeout_seconds)
    _make(settings.data)
    return FolderFiles(settings.data / "versions")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"the data folder cannot be made: {error.strerror}") from error


def _missing(setting: str, extra: str) -> SettingsError:
    return SettingsError(f"{variable(setting)} needs an extra: pip install 'normd[{extra}]'")
