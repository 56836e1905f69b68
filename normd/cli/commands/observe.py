"""``normd observe``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from normd.cli.display.console import print_json, print_text, say
from normd.cli.display.progress import progress
from normd.cli.errors import Misuse
from normd.cli.files.npy import row_count
from normd.cli.io.backend import observed_fields
from normd.cli.io.reading import Block, Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

if TYPE_CHECKING:
    from normd.client import Client


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(observe)


def observe(
    name: arguments.Name,
    files: arguments.Files = None,
    *,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="TEXT", help="the same files under the same key count once"),
    ] = None,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Add files to the open statistics of a name; a version is made of them by merge.

    A large file is counted block by block. What was counted before a failure is told, and does
    not count twice when the call is repeated with the key that is told with it.
    """
    given = arguments.sources(files, form, header, delimiter)
    chosen = arguments.choice(columns, field, lists)
    if not given and not chosen.fields:
        raise Misuse("name the files to observe, or - for standard input")
    with Target(url, data).client(writes=True) as client:
        reader = Reader(observed_fields(client, name), chosen)
        counting = Counting(client, name, key or uuid4().hex)
        total = row_count(given[0]) if len(given) == 1 else None
        with progress(f"observe {name}", total, quiet=quiet) as advance:
            for block in reader.blocks(given, cut=True):
                counting.add(block)
                advance(block.rows)
    document = {"name": name, "rows": counting.rows, "counted": counting.counted}
    if as_json:
        print_json(document)
        return
    print_text(f"{name}: {counting.rows} rows observed")
    if not counting.counted and not quiet:
        say("note: they had been counted before under this key, and do not count again")


class Counting:
    """Blocks that are counted one after the other, each under a key of its own.

    Parameters
    ----------
    client : Client
        Connected to the service that counts.
    name : str
        Where they count.
    key : str
        Beginning of the keys.
    """

    def __init__(self, client: Client, name: str, key: str) -> None:
        self._client, self._name, self._key = client, name, key
        self._blocks = 0
        self.rows = 0
        self.counted = False

    def add(self, block: Block) -> None:
        """Count one block."""
        key = f"{self._key}-{self._blocks}"
        try:
            counted = self._client.observe(self._name, block.values, key=key)
        except Exception:
            if self._blocks:
                say(
                    f"note: {self.rows} rows were counted before this failure; --key {self._key} "
                    "with the same files goes on without counting them twice"
                )
            raise
        self._blocks += 1
        self.rows += block.rows
        self.counted = self.counted or counted["counted"]
