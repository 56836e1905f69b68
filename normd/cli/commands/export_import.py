"""``normd export`` and ``normd import``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from normalizers.errors import CorruptVersion
from normd.cli.display.console import print_json, say
from normd.cli.display.versions import print_version
from normd.cli.errors import BadFile
from normd.cli.files.sink import check_output, check_terminal, write_whole
from normd.cli.files.source import Source, source
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(export if name == "export" else import_)


def export(
    ref: arguments.Ref,
    *,
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help="file to write; - is standard output"),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="npz|onnx|...",
            help="the fit for another engine, where its method offers it",
        ),
    ] = None,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Write a version to one safetensors file, which the library and every service can load."""
    check_output(out, ())
    check_terminal(out, "safetensors")
    with Target(url, data).client() as client:
        content = client.export(ref, form)
    write_whole(out, content)
    if not quiet:
        say(f"wrote {out}")


def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="a version file; - is standard input")
    ],
    *,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="store it under this name")],
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Store a version file under a name; under a name that exists it becomes a new version."""
    given = source(file, "safetensors")
    content = _content(given)
    with Target(url, data).client(writes=True) as client:
        try:
            made = client.import_(name, content)
        except CorruptVersion as error:
            raise BadFile(given.name, error.message) from None
    print_json(dict(made)) if as_json else print_version(dict(made), quiet=quiet)


def _content(given: Source) -> bytes:
    with given.opened() as opened:
        content = opened.read()
    if not content:
        raise BadFile(given.name, "it is empty; export writes version files")
    return content
