"""Parameters that name versions, as the command line writes them: a file, or a stored name."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.contract.resolution import references_of
from normd.cli.errors import Misuse
from normd.cli.io.backend import VERSION_FILE, read_version


def with_versions(method: str, params: Mapping[str, object], *, stored: bool) -> dict[str, object]:
    """Return parameters with versions, or references to them, in the place of their names.

    Parameters
    ----------
    method : str
        Whose parameters they are.
    params : mapping
        As they were read from the options.
    stored : bool
        Whether the fit is stored under a name, where versions are named too; else they are files.

    Raises
    ------
    Misuse
        A version file for a fit that is stored, or a name for one that is written to a file.
    """
    found = dict(params)
    known = references_of(CATALOGUE.method(method)) if method in CATALOGUE else {}
    for name in known.keys() & found.keys():
        value, option = found[name], f"--{name.replace('_', '-')}"
        # Words of methods are methods, as they are in requests.
        if not isinstance(value, str) or value in CATALOGUE:
            continue
        is_file = value.endswith(VERSION_FILE)
        if is_file and stored:
            raise Misuse(f"{option} {value}: a stored fit refers to a stored version, NAME@3")
        if not is_file and not stored:
            raise Misuse(f"{option} {value}: a fit in a file refers to a file (*{VERSION_FILE})")
        found[name] = read_version(value) if is_file else {"ref": value}
    return found


def without_references(params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters that say something here: stored versions are known to the service."""
    return {
        name: value
        for name, value in params.items()
        if not (isinstance(value, Mapping) and set(value) == {"ref"})
    }
