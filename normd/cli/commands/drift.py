"""``normd drift``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

from normd.cli.display.console import print_json, print_table, print_text, say
from normd.cli.errors import Misuse
from normd.cli.io.backend import stored_backend
from normd.cli.io.reading import Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target

PARTS = ("distribution", "range", "moments")
FEW = 8  # numbers that a table shows of a part


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(drift)


def drift(
    ref: arguments.Ref,
    input: arguments.Input = None,
    *,
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
    """Compare live data in a file with what a version was fitted on."""
    given = arguments.sources([input] if input else [], form, header, delimiter)
    chosen = arguments.choice(columns, field, lists)
    if not given and not chosen.fields:
        raise Misuse("name a file to read, or - for standard input")
    with Target(url, data).client() as client:
        takes = stored_backend(client, ref, "transform").takes
        (block,) = Reader(takes, chosen).blocks(given, cut=False)
        found = client.drift(ref, **cast("dict[str, Any]", block.values))
    if as_json:
        print_json(found)
        return
    print_text(f"{ref}  ({found['method']})  {found['n']} live, {found['n_fitted']} fitted")
    print_table(("part", "what", "value"), _rows(found))
    if not quiet:
        reasons = found.get("reasons")
        for name, reason in (reasons if isinstance(reasons, Mapping) else {}).items():
            say(f"note: no {name}: {reason}")


def _rows(found: Mapping[str, object]) -> Iterator[tuple[str, str, object]]:
    for name in PARTS:
        part = found[name]
        for what, value in (part if isinstance(part, Mapping) else {}).items():
            yield name, what, _shown(value)


def _shown(value: object) -> object:
    """Return a number, or the first ones of an array."""
    if not isinstance(value, np.ndarray):
        return value
    flat = value.reshape(-1).tolist()
    return flat if len(flat) <= FEW else [*flat[:FEW], "..."]
