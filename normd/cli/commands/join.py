"""``normd join``."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from normalizers.versions import fitting
from normd.cli.commands.merge import written
from normd.cli.display.console import print_json
from normd.cli.display.versions import print_version
from normd.cli.errors import Misuse
from normd.cli.io.backend import is_version_file
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(join)


def join(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME REFS...",
            help="a stored name, and the versions (NAME@3) whose items its new version has; with "
            "--out only those, version files (.safetensors) among them",
        ),
    ],
    *,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="write a version file, store nothing"),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="refuse new items that stand out as hubs")
    ] = False,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Join versions of other items over the same bank: how new items enter."""
    place = Target(url, data)
    if out is not None:
        made = written(place, words, out, partial(fitting.join, strict=strict))
    else:
        files = [word for word in words if is_version_file(word)]
        if files:
            raise Misuse(f"store {files[0]} first (normd import), or write the join with --out")
        if len(words) < 2:
            raise Misuse(f"name what {words[0]} joins, for example {words[0]}@1 and another@1")
        with place.client(writes=True) as client:
            made = client.join(words[0], words[1:], strict=strict)
    print_json(made) if as_json else print_version(made, quiet=quiet)
