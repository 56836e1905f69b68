"""Options that several commands have, each declared once."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import Annotated

import typer

from normalizers.messages import quoted
from normd.cli.errors import Misuse
from normd.cli.files.formats import FORMS
from normd.cli.files.source import Source, source
from normd.cli.io.backend import is_version_file
from normd.cli.io.mapping import FILE, ColumnChoice, split_columns

Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        envvar="NORMD_URL",
        metavar="URL",
        help="a running service; without it the work is done here, on the data folder",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="data folder, without --url; by default NORMD_DATA, or ./data",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="print one JSON document, for programs")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="no progress, notes and warnings")]


def stored(word: str) -> str:
    """Refuse a path where something stored is to be named."""
    if is_version_file(word):
        raise Misuse(f"{word} is a path; something stored is named here: NAME, NAME@7, NAME@ALIAS")
    return word


Name = Annotated[
    str, typer.Argument(metavar="NAME", help="a stored or opened name", callback=stored)
]
Ref = Annotated[
    str, typer.Argument(metavar="REF", help="NAME, NAME@7 or NAME@ALIAS", callback=stored)
]
Files = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILES...", help=f"{', '.join(FORMS)}; - is standard input"),
]
Input = Annotated[
    str | None, typer.Argument(metavar="INPUT", help=f"{', '.join(FORMS)}; - is standard input")
]
Form = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORM",
        help="form of the input where its ending does not tell it",
    ),
]
OutputForm = Annotated[
    str | None,
    typer.Option(
        "--output-format",
        metavar="FORM",
        help="form of the output; by default its ending, else the form of the input",
    ),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="whether the first line of csv and tsv names the columns; told by itself where it can",
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        "--delimiter",
        metavar="CHARACTER",
        help="what separates columns; by default a comma, or a tab in tsv",
    ),
]
Columns = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="A,B,...",
        help="columns that are the main field, a name with a comma in quotes; by default those "
        "that are no other field",
    ),
]
FieldOption = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        metavar="NAME=COLUMN|FILE",
        help="column that is a field, or file that holds it; may be repeated",
    ),
]
ListColumn = Annotated[
    str | None,
    typer.Option(
        "--list",
        metavar="COLUMN",
        help="column that tells the list (query) each row belongs to",
    ),
]
Layout = Annotated[
    str | None,
    typer.Option(
        "--layout",
        metavar="NTC|NT|T|TC|NCT|ragged",
        help="order of the axes of series: windows, time, channels",
    ),
]
StrictFit = Annotated[bool, typer.Option("--strict", help="make clamped sizes of the fit errors")]
Canary = Annotated[
    str | None,
    typer.Option(
        "--canary",
        metavar="FILE",
        help="a few rows with a column id: a fit keeps them, and drift compares the same rows as "
        "they come now with those, so that a changed model is told from changed traffic",
    ),
]
Recommend = Annotated[
    bool, typer.Option("--recommend", help="advise in the report what would suit")
]
Out = Annotated[
    str, typer.Option("--out", "-o", metavar="FILE", help="file to write; - is standard output")
]
Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="NAME=VALUE",
        help="any parameter, its value as JSON or text; may be repeated",
    ),
]


def choice(columns: str | None, fields: list[str] | None, lists: str | None) -> ColumnChoice:
    """Return what the caller said about columns.

    Raises
    ------
    Misuse
        A ``--field`` without an equals sign, or given twice.
    """
    found: dict[str, str] = {}
    for text in fields or ():
        name, equals, said = text.partition("=")
        if not equals or not said:
            raise Misuse(f"--field {text}: write --field NAME=COLUMN or --field NAME=@FILE")
        if name in found:
            raise Misuse(f"--field {quoted(name)} is given twice")
        # A name with a suffix that a file here has is that file: who means a column renames it.
        is_file = not said.startswith(FILE) and PurePath(said).suffix and Path(said).is_file()
        found[name] = f"{FILE}{said}" if is_file else said
    return ColumnChoice(split_columns(columns) if columns else (), found, lists)


def sources(
    paths: list[str] | None, form: str | None, header: bool | None, delimiter: str | None
) -> list[Source]:
    """Return the files to read after checking that they are there."""
    return [source(path, form, header=header, delimiter=delimiter) for path in paths or ()]
