"""Whether a registry on servers is whole: every version file is read and compared."""

from __future__ import annotations

from sqlalchemy import select

from app.registry.backup import Advance, Fault, Verdict
from app.registry.errors import Damaged
from app.registry.files import Files
from app.registry.schema import versions
from app.registry.stores import database_of, files_of
from app.settings import Settings
from normalizers.errors import CorruptVersion


def verify_stores(settings: Settings, advance: Advance | None = None) -> Verdict:
    """Read every version file, wherever it is kept, and compare it with its hash.

    Raises
    ------
    Unavailable
        The database or the files cannot be reached.
    """
    database, files = database_of(settings), files_of(settings)
    columns = (versions.c.name, versions.c.number, versions.c.hash, versions.c.size)
    query = select(*columns).order_by(versions.c.name, versions.c.number)
    try:
        with database.read() as connection:
            rows = connection.execute(query).all()
    except Damaged as error:
        return Verdict(0, 0, (), error.message)
    finally:
        database.close()
    faults = []
    for row in rows:
        reason = _fault(files, row.hash)
        if reason:
            faults.append(Fault(f"{row.name}@{row.number}", reason))
        if advance is not None:
            advance(1)
    return Verdict(len(rows), sum(row.size for row in rows), tuple(faults), "")


def _fault(files: Files, hash: str) -> str:
    try:
        files.read(hash)
    except FileNotFoundError:
        return "its file is gone"
    except CorruptVersion:
        return "its file does not have its hash"
    return ""
