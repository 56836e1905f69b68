"""Version files in a folder."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from app.registry.errors import Unavailable
from app.registry.files import ABANDONED_SECONDS, HASH, SUFFIX, place_of, require_hash

UNAVAILABLE = {
    errno.ENOSPC: "full",
    errno.EDQUOT: "full: the quota is used up",
    errno.EROFS: "read-only",
    errno.EACCES: "not writable for this user",
    errno.EPERM: "not writable for this user",
    errno.EIO: "failing",
    errno.ENOTDIR: "not usable: a file stands where a folder belongs",
    errno.EEXIST: "not usable: a file stands where a folder belongs",
    errno.EMFILE: "not reached: too many files are open",
    errno.ENFILE: "not reached: too many files are open",
}


class FolderFiles:
    """Files named by the SHA-256 of what they hold, under `folder`.

    Parameters
    ----------
    folder : Path
        Made when the first file is written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, hash: str) -> Path:
        """Return where the file of `hash` is kept."""
        return self.folder / place_of(hash)

    def exists(self, hash: str) -> bool:
        """Return whether there is a file of `hash`."""
        return self.path(hash).is_file()

    def write(self, hash: str, content: bytes) -> None:
        """Keep `content` so that it survives the death of the machine; mend a damaged file.

        Raises
        ------
        CorruptVersion
            When `content` does not have this hash.
        Unavailable
            When the disk is full or read-only.
        """
        require_hash(hash, content)
        with _translated():
            if not self._holds(hash, content):
                self._replace(self.path(hash), content)

    def read(self, hash: str) -> bytes:
        """Return what the file of `hash` holds, unchanged since it was written.

        Raises
        ------
        FileNotFoundError
            When there is none.
        CorruptVersion
            When a byte of it changed.
        """
        with _translated():
            content = self.path(hash).read_bytes()
        require_hash(hash, content)
        return content

    def remove(self, hash: str) -> None:
        """Remove the file of `hash`, if there is one."""
        with _translated(), suppress(FileNotFoundError):
            self.path(hash).unlink()

    def sweep(self) -> None:
        """Remove what writers left that died long ago; a living one may write right now."""
        for partial in self._old("*/.*.partial"):
            with suppress(OSError):
                partial.unlink()

    def old_hashes(self) -> list[str]:
        """Return the hashes of the files that no living writer has just written."""
        return [file.stem for file in self._old(f"*/*{SUFFIX}") if HASH.fullmatch(file.stem)]

    def ready(self) -> str | None:
        """Return why no file can be written now, or None when one can."""
        folder = self.folder if self.folder.is_dir() else self.folder.parent
        return None if os.access(folder, os.W_OK) else "the data folder is not writable"

    def _old(self, pattern: str) -> Iterator[Path]:
        oldest = time.time() - ABANDONED_SECONDS
        for file in self.folder.glob(pattern):
            with suppress(OSError):
                if file.stat().st_mtime < oldest:
                    yield file

    def _holds(self, hash: str, content: bytes) -> bool:
        try:
            return self.path(hash).read_bytes() == content
        except FileNotFoundError:
            return False

    def _replace(self, path: Path, content: bytes) -> None:
        self._make(path.parent)
        partial = path.parent / f".{uuid4().hex}.partial"
        try:
            _write_synced(partial, content)
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _sync_folder(self.folder)
            _sync_folder(self.folder.parent)


def _write_synced(path: Path, content: bytes) -> None:
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in UNAVAILABLE:
            raise
        raise Unavailable(f"the disk of the data folder is {UNAVAILABLE[error.errno]}") from error
