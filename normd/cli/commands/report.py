"""``normd report``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from normalizers.evaluation import refit
from normalizers.pictures.contents import before_and_after, plots_of
from normalizers.pictures.picture import check_picture, draw, form_of_picture
from normalizers.pictures.plots import Plot
from normalizers.pictures.rows import group_plots, series_plots
from normd.cli.display.console import print_json, print_text, say
from normd.cli.display.text_report import print_report
from normd.cli.display.versions import warn
from normd.cli.errors import Misuse
from normd.cli.files.sink import check_output, write_whole
from normd.cli.files.source import Source, source
from normd.cli.io.backend import Backend, is_version_file, read_version
from normd.cli.io.fit_view import Fit, Sides, answered, flat, opened_fit
from normd.cli.io.grouping import SERIES
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.reading import Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import simple_command
from normd.cli.target import Target


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return simple_command(report)


def report(
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF", help="NAME, NAME@7, NAME@ALIAS or the path of a version file"
        ),
    ],
    *,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE.png", help="draw it (png, svg, pdf; extra 'plot')"),
    ] = None,
    input: Annotated[
        str | None,
        typer.Option("--input", metavar="FILE", help="with --plot: data to draw before and after"),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help="with --input: the version file of an earlier fit; must an index be built anew?",
        ),
    ] = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Show what a fit found: rows, spectrum, quantiles, groups, warnings, advice."""
    if input is not None and plot is None and against is None:
        raise Misuse("--input is drawn, or compared: add --plot FILE.png, or --against FILE")
    if against is not None and (input is None or not is_version_file(ref)):
        raise Misuse("--against compares two version files on rows: add --input FILE")
    given = source(input, form, header=header, delimiter=delimiter) if input else None
    if plot is not None:
        check_output(plot, [input] if input else [])
        check_picture(plot)
    chosen = arguments.choice(columns, field, lists)
    with opened_fit(Target(url, data), ref) as fit:
        if plot is not None:
            _draw(fit, plot, given, chosen)
    told = dict(fit.report)
    if against is not None and given is not None:
        told = {"refit": _compared(against, ref, given, fit.backend, chosen), **told}
    if as_json:
        print_json({"ref": ref, "report": told})
    else:
        print_text(f"{ref}  ({fit.method})")
        print_report(told)
        if not quiet:
            warn(fit.report)
    if plot is not None and not quiet:
        say(f"wrote {plot}")


def _compared(
    earlier: str, later: str, given: Source, backend: Backend, chosen: ColumnChoice
) -> dict[str, object]:
    """Return how far the outputs of two version files are apart."""
    blocks = list(Reader(backend.takes, chosen).blocks([given], cut=False))
    return refit(read_version(earlier), read_version(later), blocks[0].values)


def _pictured(backend: Backend, sides: Sides) -> list[Plot]:
    """Return series as lines, groups as boxes, and other rows as distributions."""
    if backend.takes.main.kind == SERIES:
        return series_plots(sides.before, sides.after)
    before, after = flat(sides.before), flat(sides.after)
    if sides.groups is not None and len(before) == len(after):
        return group_plots(before, after, sides.groups)
    return before_and_after(before, after)


def _draw(fit: Fit, plot: str, given: Source | None, chosen: ColumnChoice) -> None:
    found: list[Plot] = plots_of(fit.report, fit.fitted)
    if given is not None:
        found += _pictured(fit.backend, answered(fit.backend, given, chosen))
    if not found:
        raise Misuse(
            f"{fit.ref} holds nothing to draw; add --input FILE to draw data before and after"
        )
    title = f"{fit.ref} ({fit.method})"
    write_whole(plot, draw(found, title, form_of_picture(plot)))
