"""A copy of a data folder, made while the service runs; and whether a folder is whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.registry.errors import RegistryError
from app.registry.folder_files import FolderFiles

DATABASE = "registry.db"
VERSIONS = "versions"
# What says who may call: it belongs to the service as its names do.
KEYS = ("keys.json", "pepper")
# Pages of the database that are copied before writers are let in between.
PAGES = 256
Advance = Callable[[int], None]


class BackupError(RegistryError):
    """A backup cannot be made, or is not whole."""


@dataclass(frozen=True)
class Fault:
    """A version whose file is not what its row says.

    Parameters
    ----------
    version : str
        ``name@7``.
    reason : str
        What is wrong with its file.
    """

    version: str
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What was found in a data folder.

    Parameters
    ----------
    versions, bytes : int
        Versions, and the bytes of their files.
    faults : tuple of Fault
        Versions that cannot be served.
    database : str
        What SQLite finds wrong with the database, empty where it is whole.
    """

    versions: int
    bytes: int
    faults: tuple[Fault, ...]
    database: str

    @property
    def is_whole(self) -> bool:
        """Whether everything is there, unchanged."""
        return not self.faults and not self.database


def backup(data: Path, target: Path, advance: Advance | None = None) -> Verdict:
    """Copy a data folder into an empty one, while services write to it.

    The database is copied first, by SQLite's own backup: what it names was synced before it was
    named. A version that is deleted meanwhile stays in the copy, as it was when that began.

    Raises
    ------
    BackupError
        The target is not empty, a version is damaged or was deleted meanwhile, or a disk fails.
    """
    _require_database(data)
    _require_empty(target)
    try:
        target.mkdir(parents=True, exist_ok=True)
        _copy_database(data / DATABASE, target / DATABASE)
        _copy_versions(data, target, advance)
        for name in KEYS:
            if (data / name).exists():
                _copy(data / name, target / name)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror}") from error
    return verify(target)


def restore(source: Path, data: Path, advance: Advance | None = None) -> Verdict:
    """Bring a backup into an empty data folder, after it was found whole.

    Raises
    ------
    BackupError
        The backup is damaged, or something stands in the data folder.
    """
    found = verify(source)
    if not found.is_whole:
        raise BackupError(f"{source} is not whole: {_told(found)}; nothing was restored")
    return backup(source, data, advance)


def verify(data: Path, advance: Advance | None = None) -> Verdict:
    """Read every version file and compare it with its hash; ask SQLite about the database."""
    _require_database(data)
    rows = _rows(data / DATABASE)
    files = FolderFiles(data / VERSIONS)
    faults = []
    for version, hash, _ in rows:
        reason = _fault(files, hash)
        if reason:
            faults.append(Fault(version, reason))
        if advance is not None:
            advance(1)
    sizes = sum(size for _, _, size in rows)
    return Verdict(len(rows), sizes, tuple(faults), _database_fault(data / DATABASE))


def _copy_versions(data: Path, target: Path, advance: Advance | None) -> None:
    source, copies = FolderFiles(data / VERSIONS), FolderFiles(target / VERSIONS)
    rows = _rows(target / DATABASE)
    for version, hash, _ in rows:
        reason = _fault(source, hash)
        if reason:
            raise BackupError(f"{version}: {reason}; run the backup again if it was just deleted")
        copies.write(hash, source.read(hash))
        if advance is not None:
            advance(1)


def _copy_database(source: Path, target: Path) -> None:
    with closing(_opened(source)) as running, closing(sqlite3.connect(target)) as copy:
        running.backup(copy, pages=PAGES)


def _rows(database: Path) -> list[tuple[str, str, int]]:
    """Return each version with its hash and size, in the order they were made."""
    query = "SELECT name, number, hash, size FROM versions ORDER BY created, name, number"
    try:
        with closing(_opened(database)) as connection:
            found: Iterator[tuple[str, int, str, int]] = connection.execute(query)
            return [(f"{name}@{number}", hash, size) for name, number, hash, size in found]
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{database} is damaged: {error}") from error


def _fault(files: FolderFiles, hash: str) -> str:
    path = files.path(hash)
    if not path.is_file():
        return "its file is gone"
    with path.open("rb") as file:
        whole = hashlib.file_digest(file, "sha256").hexdigest() == hash
    return "" if whole else "its file does not have its hash"


def _database_fault(database: Path) -> str:
    try:
        with closing(_opened(database)) as connection:
            (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if answer == "ok" else str(answer)


def _opened(database: Path) -> sqlite3.Connection:
    """Return a connection that makes no file where there is none."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True, timeout=60)


def _copy(source: Path, target: Path) -> None:
    """Copy a secret, which only its owner may read at any moment."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with source.open("rb") as opened, os.fdopen(descriptor, "wb") as written:
        shutil.copyfileobj(opened, written)


def _require_database(data: Path) -> None:
    if not (data / DATABASE).is_file():
        raise BackupError(f"{data} is no data folder: it has no {DATABASE}")


def _require_empty(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty; name a new folder")
    if folder.exists() and not folder.is_dir():
        raise BackupError(f"{folder} is a file; name a new folder")


def _told(found: Verdict) -> str:
    faults = [f"{fault.version}: {fault.reason}" for fault in found.faults]
    return "; ".join([*faults, *([found.database] if found.database else [])])
