"""Room set aside on the disk, so that deletes work when it is full."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Below it a write may find no room for its pages in the log.
LEAST_FREE_BYTES = 256 * 1024
# The pages of a delete of many rows in the log.
RESERVE_BYTES = 1024 * 1024


class Reserve:
    """A file that holds room until a delete needs it.

    A delete writes to SQLite's log before it gives anything back.

    Parameters
    ----------
    file : Path
        Where it is kept: on the disk that deletes write to.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def is_disk_full(self) -> bool:
        """Return whether the disk has too little room for a write."""
        return shutil.disk_usage(self._file.parent).free < LEAST_FREE_BYTES

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Run the block with the room of the reserve if the disk is full, and take it back."""
        with suppress(OSError):
            if self.is_disk_full():
                self._file.unlink()
        try:
            yield
        finally:
            self._fill()

    def _fill(self) -> None:
        """Set room aside, or as much as there is: what is left free, the next write would take."""
        with suppress(OSError):
            if self._file.exists() and self._file.stat().st_size >= RESERVE_BYTES:
                return
            size = min(RESERVE_BYTES, shutil.disk_usage(self._file.parent).free)
            # Random bytes: disks that compress keep no room for zeros.
            self._file.write_bytes(os.urandom(size))
