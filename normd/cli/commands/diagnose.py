"""``normd diagnose``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, cast

import typer

from normalizers.evaluation.diagnosis import DIAGNOSED_BY, diagnosis, read_live
from normalizers.pictures.contents import plots_of_diagnosis
from normalizers.pictures.picture import check_picture, draw, form_of_picture
from normd.cli.display.console import print_json, print_table, print_text, say, tell_warnings
from normd.cli.errors import Misuse
from normd.cli.exits import DRIFTED
from normd.cli.files.sink import check_output, write_whole
from normd.cli.files.source import Source
from normd.cli.io.backend import is_version_file, read_version, stored_backend
from normd.cli.io.mapping import ColumnChoice, Values
from normd.cli.io.reading import Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target
from normd.wire.descriptions import field_specs
from normd.wire.field_specs import FieldSpecs


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(diagnose)


def diagnose(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF", help="NAME, NAME@7, NAME@ALIAS or the path of a version file"
        ),
    ],
    input: arguments.Input = None,
    *,
    k: Annotated[
        int, typer.Option("--k", min=1, help="nearest items of each query that count")
    ] = DIAGNOSED_BY,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    fail: Annotated[
        bool, typer.Option("--fail", help=f"exit with {DRIFTED} where the correction harms")
    ] = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE.png", help="draw before and after (png, svg, pdf)"),
    ] = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Tell without labels whether a correction of hubs helps live queries in files."""
    if plot is not None:
        check_output(plot, [input] if input else [])
        check_picture(plot)
    given = arguments.sources([input] if input else [], form, header, delimiter)
    chosen = arguments.choice(columns, field, lists)
    if not given and not chosen.fields:
        raise Misuse(
            "name a file of scores, or --field query_embeddings=@FILE and "
            "--field gallery_embeddings=@FILE"
        )
    found = _found(Target(url, data), ref, given, chosen, k)
    verdict = found["verdict"]
    if plot is not None:
        title = f"{ref}: {verdict['text']}"
        write_whole(plot, draw(plots_of_diagnosis(found), title, form_of_picture(plot)))
    if as_json:
        print_json(found)
    else:
        print_text(f"{ref}  {found['n']} live queries, {found['items']} items, k {found['k']}")
        print_text(str(verdict["text"]))
        print_table(("measure", "before", "after", "random"), _rows(found))
        print_text(_of_bank(found))
    if not quiet:
        tell_warnings(found.get("warnings"))
        for name, reason in found.get("reasons", {}).items():
            say(f"note: no {name}: {reason}")
    if fail and verdict["harms"]:
        say(f"diagnose: {verdict['text']}")
        raise typer.Exit(DRIFTED)


def _found(
    place: Target, ref: str, given: list[Source], chosen: ColumnChoice, k: int
) -> Mapping[str, Any]:
    """Return the diagnosis, of a version file by the library."""
    if is_version_file(ref):
        version = read_version(ref)
        declared = field_specs(version.resolved_method.diagnoses)
        return diagnosis(version, read_live(version, _values(ref, declared, given, chosen)), k)
    with place.client() as client:
        method = stored_backend(client, ref, "transform").method
        values = _values(ref, method.diagnoses, given, chosen)
        return client.diagnose(ref, k=k, **cast("dict[str, Any]", values))


def _values(ref: str, declared: FieldSpecs, given: list[Source], chosen: ColumnChoice) -> Values:
    if not len(declared):
        raise Misuse(f"{ref}: its method corrects no ranking of items, so that nothing is to tell")
    (block,) = Reader(declared, chosen).blocks(given, cut=False)
    return block.values


def _rows(found: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    for name, told in found["measures"].items():
        yield name, told["before"], told["after"], told["random"]


def _of_bank(found: Mapping[str, Any]) -> str:
    if found["agreement"] is None:
        return "the bank: nothing tells whether it agrees with the live queries"
    among = found["live_agreement"]
    beside = "" if among is None else f", live queries among themselves {among:.2f}"
    return f"the bank: {found['verdict']['bank']} (correlation {found['agreement']:.2f}{beside})"
