"""``normd list``, ``show``, ``versions`` and ``delete``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from normd.cli.display.console import print_json, print_table, print_text, shown_value
from normd.cli.display.differences import is_short, scalars, told_apart
from normd.cli.display.versions import print_version, print_versions
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

MOST_REPORTS = 50  # newest versions that are told apart: each is asked for its report


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(COMMANDS[name])


def list_names(
    *, as_json: arguments.Json = False, url: arguments.Url = None, data: arguments.Data = None
) -> None:
    """List the names, each with its newest version."""
    with Target(url, data).client() as client:
        items = [dict(item) for item in client.names()]
    print_json({"items": items}) if as_json else print_versions(items)


def show(
    ref: arguments.Ref,
    *,
    as_json: arguments.Json = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Show a name or version: method, parameters, rows, hash."""
    with Target(url, data).client() as client:
        manifest = dict(client.show(ref))
    if as_json:
        print_json(manifest)
        return
    print_version(manifest)
    report = manifest.get("report")
    found = [[name, value] for name, value in scalars(report) if name != "n" and is_short(value)]
    if found:
        print_table(("found", "value"), found)


def versions(
    name: arguments.Name,
    *,
    as_json: arguments.Json = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """List the versions of a name, oldest first."""
    with Target(url, data).client() as client:
        items = [dict(item) for item in client.versions(name)]
        if as_json:
            print_json({"items": items})
            return
        newest = items[-MOST_REPORTS:]
        reports = [client.report(f"{name}@{item['version']}") for item in newest]
        about = client.show(name) if items else {}
    for member in ("description", "tags"):
        if about.get(member):
            print_text(f"{member}: {shown_value(about[member])}")
    for item, told in zip(newest, told_apart(newest, reports), strict=True):
        item["differs in"] = told
    print_versions(items)


def delete(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="NAME|NAME@7", help="a name, or one version", callback=arguments.stored
        ),
    ],
    *,
    as_json: arguments.Json = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Delete one version, or a name with all of them; refused while an alias points there."""
    with Target(url, data).client(writes=True) as client:
        client.delete(ref)
    print_json({"deleted": ref}) if as_json else print_text(f"{ref} is deleted")


COMMANDS: Mapping[str, Callable[..., None]] = {
    "list": list_names,
    "show": show,
    "versions": versions,
    "delete": delete,
}
