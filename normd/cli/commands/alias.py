"""``normd alias``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from normd.cli.display.console import print_json, print_table, print_text
from normd.cli.errors import Misuse
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(alias)


def alias(
    name: arguments.Name,
    alias: Annotated[str | None, typer.Argument(metavar="ALIAS", help="such as prod")] = None,
    version: Annotated[
        int | None, typer.Argument(metavar="VERSION", help="number of the version", min=1)
    ] = None,
    *,
    remove: Annotated[bool, typer.Option("--remove", help="remove the alias")] = False,
    as_json: arguments.Json = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Point an alias to a version; without a version list the aliases. Rollback is the same."""
    if remove and (alias is None or version is not None):
        raise Misuse("--remove takes a NAME and an ALIAS")
    if alias is not None and version is None and not remove:
        raise Misuse(f"say which version {name}@{alias} shall be: normd alias {name} {alias} 3")
    writes = alias is not None
    with Target(url, data).client(writes=writes) as client:
        if alias is None:
            items = [dict(item) for item in client.aliases(name)]
        elif remove:
            client.delete_alias(name, alias)
            items = []
        else:
            items = [dict(client.alias(name, alias, version or 0))]
    if as_json:
        print_json(items[0] if writes and items else {"items": items})
    elif alias is not None:
        print_text(f"{name}@{alias} {'is removed' if remove else f'is {name}@{version}'}")
    else:
        columns = ("alias", "version", "updated", "hash")
        print_table(columns, [[item[column] for column in columns] for item in items])
