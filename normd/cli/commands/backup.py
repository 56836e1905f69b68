"""``normd backup``, ``normd restore`` and ``normd verify``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from normd import service
from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.display.progress import progress
from normd.cli.errors import Misuse
from normd.cli.exits import CONTRADICTED
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    commands: dict[str, Callable[..., None]] = {
        "backup": backup,
        "restore": restore,
        "verify": verify,
    }
    return simple_command(commands[name])


def backup(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="a new folder for the copy")],
    *,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    data: arguments.Data = None,
) -> None:
    """Copy the data folder, while the service runs; the copy is read again and checked."""
    with progress("copying", quiet=quiet) as advance:
        found = service.backup(data, folder, advance)
    _print(found, f"{folder} holds", as_json=as_json)


def restore(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="what `normd backup` made")],
    *,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    data: arguments.Data = None,
) -> None:
    """Bring a backup into an empty data folder; a damaged one is refused before."""
    with progress("copying", quiet=quiet) as advance:
        found = service.restore(folder, data, advance)
    _print(found, "restored", as_json=as_json)


def verify(
    *,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    data: arguments.Data = None,
) -> None:
    """Compare every version file with its hash, and ask the database; 3 where one is damaged."""
    with progress("reading", quiet=quiet) as advance:
        found = service.verify(data, advance)
    _print(found, "whole:" if found.is_whole else "damaged:", as_json=as_json)
    if not found.is_whole:
        raise typer.Exit(CONTRADICTED)


def _print(found: service.Verdict, text: str, *, as_json: bool) -> None:
    faults = [{"version": fault.version, "reason": fault.reason} for fault in found.faults]
    if as_json:
        print_json(
            {
                "versions": found.versions,
                "bytes": found.bytes,
                "faults": faults,
                "database": found.database,
            }
        )
        return
    if faults:
        rows = [[fault["version"], fault["reason"]] for fault in faults]
        print_table(("version", "fault"), rows)
    print_text(f"{text} {found.versions} versions, {found.bytes:,} bytes")
    if found.database:
        raise Misuse(f"the database is damaged: {found.database}")
