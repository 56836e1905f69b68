"""Version files, wherever they are kept: one a hash, written whole or not at all."""

from __future__ import annotations

import hashlib
import re
from typing import Protocol

from normalizers.errors import CorruptVersion

SUFFIX = ".safetensors"
HASH = re.compile("[0-9a-f]{64}")
# A file that no row names is left alone so long: its writer may be about to add the row.
ABANDONED_SECONDS = 3600.0


class Files(Protocol):
    """Files named by the SHA-256 of what they hold."""

    def exists(self, hash: str) -> bool:
        """Return whether there is a file of `hash`."""

    def write(self, hash: str, content: bytes) -> None:
        """Keep `content` so that it survives the death of the machine; mend a damaged file.

        Raises
        ------
        CorruptVersion
            When `content` does not have this hash.
        Unavailable
            When it cannot be kept now.
        """

    def read(self, hash: str) -> bytes:
        """Return what the file of `hash` holds, unchanged since it was written.

        Raises
        ------
        FileNotFoundError
            When there is none.
        CorruptVersion
            When a byte of it changed.
        """

    def remove(self, hash: str) -> None:
        """Remove the file of `hash`, if there is one."""

    def sweep(self) -> None:
        """Remove what writers left that died long ago; a living one may write right now."""

    def old_hashes(self) -> list[str]:
        """Return the hashes of the files that no living writer has just written."""

    def ready(self) -> str | None:
        """Return why no file can be written now, or None when one can."""


def require_hash(hash: str, content: bytes) -> None:
    """Refuse content that is not what it is named by.

    Raises
    ------
    CorruptVersion
        When a byte of it changed.
    """
    if hashlib.sha256(content).hexdigest() != hash:
        raise CorruptVersion("the version file does not have the hash it is named by")


def place_of(hash: str) -> str:
    """Return where the file of `hash` is kept, below the folder or the prefix of all."""
    return f"{hash[:2]}/{hash}{SUFFIX}"
