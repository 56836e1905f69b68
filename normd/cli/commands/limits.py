"""``normd limits``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from normd import service
from normd.cli.display.console import print_json, print_table
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(limits)


def limits(*, as_json: arguments.Json = False, url: arguments.Url = None) -> None:
    """Show the limits of one request to a service; without --url, those that serve would have."""
    found: Mapping[str, object]
    if url is not None:
        with Target(url).client() as client:
            found = client.limits()
    else:
        found = service.limits()
    if as_json:
        print_json({"limits": found})
    else:
        print_table(("limit", "value"), list(found.items()))
