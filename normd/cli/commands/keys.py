"""``normd keys``."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

import typer

from normd import service
from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.errors import Misuse
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command

SCOPES = "transform, fit, admin, metrics"


class Verb(StrEnum):
    """What is done with keys."""

    LIST = "list"
    ADD = "add"
    REMOVE = "remove"


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(keys)


def keys(
    verb: Annotated[Verb, typer.Argument(metavar="list|add|remove", help="what to do")] = Verb.LIST,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="whose key it is; it stands in logs")
    ] = None,
    *,
    scopes: Annotated[
        str, typer.Option("--scopes", metavar="LIST", help=f"what it may do: {SCOPES}")
    ] = "transform",
    as_json: arguments.Json = False,
    data: arguments.Data = None,
) -> None:
    """Make, list and remove the keys of the service on a data folder.

    A running service reads them anew: nothing is restarted. The first key closes the service to
    everyone without one. A key is shown once, when it is made.
    """
    if (verb is Verb.LIST) != (name is None):
        raise Misuse("normd keys add NAME, normd keys remove NAME, or normd keys list")
    file = service.key_file(data)
    if verb is Verb.ADD:
        _add(file, str(name), scopes, as_json=as_json)
    elif verb is Verb.REMOVE:
        file.remove(str(name))
        print_text(f"the key '{name}' is removed")
    else:
        _list(file, as_json=as_json)


def _add(file: service.KeyFile, name: str, scopes: str, *, as_json: bool) -> None:
    words = [word for word in scopes.replace(",", " ").split() if word]
    secret = file.add(name, words, datetime.now(UTC).isoformat(timespec="seconds"))
    if as_json:
        print_json({"name": name, "scopes": words, "key": secret})
    else:
        print_text(secret)


def _list(file: service.KeyFile, *, as_json: bool) -> None:
    items = [
        {"name": key.name, "scopes": sorted(key.scopes), "created": key.created}
        for key in file.read() or ()
    ]
    if as_json:
        print_json({"items": items})
    else:
        rows = [[item["name"], ", ".join(item["scopes"]), item["created"]] for item in items]
        print_table(("name", "scopes", "created"), rows)
