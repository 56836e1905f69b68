"""Whether anything was committed to the SQLite file: one cheap question, whoever wrote."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

from app.registry.errors import DAMAGE, Damaged, Unavailable


class Watch:
    """A connection of its own that notices the commits of all others, in any process.

    Parameters
    ----------
    file : Path
        The database.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def token(self) -> int:
        """Return a number that changes with every commit; equal numbers mean nothing changed.

        Raises
        ------
        Unavailable
            When the file cannot be read.
        """
        with self._lock:
            try:
                return self._read()
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorname", "").startswith(DAMAGE):
                    raise Damaged from error
                raise Unavailable("the registry is not to be read now") from error

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self) -> int:
        if self._connection is None:
            self._connection = sqlite3.connect(
                self._file, check_same_thread=False, isolation_level=None
            )
        (number,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(number)
