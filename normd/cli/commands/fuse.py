"""``normd fuse``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from normalizers.errors import UnknownName
from normalizers.pictures.picture import check_picture, draw, form_of_picture
from normd.cli.display.console import print_json, print_table, say, tell_warnings
from normd.cli.display.fused_parts import parts_plot, parts_table
from normd.cli.errors import Misuse
from normd.cli.files.formats import STANDARD, FileFormat, form_of
from normd.cli.files.piece import Piece
from normd.cli.files.sink import check_output, check_terminal, opened_table, write_whole
from normd.cli.files.writer import writer
from normd.cli.io.block_transform import Summary
from normd.cli.io.run_files import TREC, run_files, split_name
from normd.cli.io.runs import Runs, fuses, read_runs
from normd.cli.io.series import plain_output
from normd.cli.io.trec_files import is_trec, trec_lines
from normd.cli.options import arguments
from normd.cli.options.dynamic import Command, flag_value, place_of, word_command
from normd.cli.target import Target

if TYPE_CHECKING:
    from normalizers.contract.answer import Answer
    from normd.client.answers import ServedAnswer

METHOD_FLAG = "--method"
HELP_FLAGS = {"--help", "-h"}
SUMMARY = (
    "Fuse ranked lists, one file a run, into one list a query; by a stored fusion as NAME@ALIAS. "
    "`normd fuse --method METHOD --help` lists the parameters of a method."
)


def command(name: str, args: list[str]) -> Any:
    """Return the command; its parameters are those of the method among the arguments."""
    place = place_of(args)
    word = flag_value(args, METHOD_FLAG)
    if word is None:
        if args and not HELP_FLAGS & set(args):
            raise Misuse(f"say {METHOD_FLAG} METHOD; these fuse runs: {_fusions(place)}")
        return Command(fuse, "", {"name": name, "summary": SUMMARY}).build()
    if "@" in word:
        # A stored fusion has its parameters.
        return word_command(fuse, word, frozenset({"param"}))
    description = _fusion(place, word)
    if not fuses(description):
        raise Misuse(f"'{word}' fuses no runs; these do: {_fusions(place)}")
    summary = f"{SUMMARY} {description['summary']}"
    return Command(fuse, word, {**description, "summary": summary}, place).build()


def _fusion(place: Target, word: str) -> Mapping[str, object]:
    try:
        return place.method(word)
    except UnknownName as unknown:
        told = f"{unknown.message}; a stored fusion is written {word}@1, or {word}@ALIAS"
        raise Misuse(told) from None


def fuse(
    word: str,
    params: Mapping[str, Any] | None,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="RUNFILES...",
            help="FILE or NAME=FILE, a run each, called by its name without ending: lines of TREC "
            "(.trec, .run), or a table of query, id and score; its column 'run' may hold several",
        ),
    ],
    *,
    method: Annotated[
        str | None,
        typer.Option(
            METHOD_FLAG,
            metavar="METHOD",
            help="how they are fused: a method, or a stored fusion as NAME@ALIAS",
        ),
    ] = None,
    out: arguments.Out = STANDARD,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    output_form: arguments.OutputForm = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    depth: Annotated[
        int | None, typer.Option("--depth", help="hits of each run that count")
    ] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="hits that return")] = None,
    offset: Annotated[int | None, typer.Option("--offset", help="hits that are skipped")] = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", help="lowest score that returns")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="the parts of each score; with --json")
    ] = False,
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="ID", help="fuse this query alone, and tell the parts"),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot", metavar="FILE.png", help="with --query: draw the parts (png, svg, pdf)"
        ),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="make flags errors")] = False,
    param: arguments.Param = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Fuse runs."""
    place = Target(url, data)
    if explain and not as_json:
        raise Misuse("--explain goes with --json: files hold numbers, and no parts of them")
    paths = [split_name(word)[1] for word in files]
    if plot is not None:
        if query is None:
            raise Misuse("--plot draws the scores of one query: add --query ID")
        check_output(plot, paths)
        check_picture(plot)
    check_output(out, paths)
    given = run_files(files, form, header, delimiter)
    written = _output_form(
        out, output_form, TREC if is_trec(form, *paths) else given[0].source.form
    )
    shows_parts = query is not None and out == STANDARD and not as_json
    if not as_json and written != TREC and not shows_parts:
        check_terminal(out, cast(FileFormat, written))
    runs = read_runs(given, arguments.choice(None, field, lists))
    if query is not None:
        runs, explain = runs.only(query), explain or as_json or shows_parts or plot is not None
    wanted = {
        "depth": depth,
        "top_k": top_k,
        "offset": offset,
        "min_score": min_score,
        "explain": explain or None,
        "strict": strict or None,
    }
    options = {name: value for name, value in wanted.items() if value is not None}
    with place.client() as client:
        answer = client.fuse(runs.members, word, options=options, **(params or {}))
    summary = Summary()
    summary.add(answer, 0)
    summary.rows = len(runs.members)
    if plot is not None:
        parts = parts_plot(answer.explain, f"query {query}")
        write_whole(plot, draw([parts], f"{word}: query {query}", form_of_picture(plot)))
    if shows_parts:
        print_table(*parts_table(answer.explain))
    elif out != STANDARD or not as_json:
        _write(out, written, delimiter, runs, answer)
    _tell(out, summary, runs, answer, as_json=as_json, quiet=quiet)


def _output_form(out: str, named: str | None, given: str) -> str:
    """Return the form that is named, that of the path, or that of the input."""
    if is_trec(named, out):
        return TREC
    if named is None and out == STANDARD:
        return given
    return form_of(out, named, flag="--output-format")


def _write(out: str, form: str, delimiter: str | None, runs: Runs, answer: ServedAnswer) -> None:
    if form == TREC:
        with opened_table(out) as file:
            file.write(trec_lines(runs, answer))
        return
    output = {name: plain_output(value) for name, value in answer.output.items()}
    piece = Piece(output, runs.beside(output), flat=runs.queries is not None)
    with opened_table(out) as file:
        target = writer(cast(FileFormat, form), file, delimiter)
        target.add(piece)
        target.finish()


def _tell(
    out: str, summary: Summary, runs: Runs, answer: Answer, *, as_json: bool, quiet: bool
) -> None:
    if as_json:
        document: dict[str, object] = summary.document()
        if runs.queries is not None:
            document["queries"] = list(runs.queries)
        shown = {"file": out} if out != STANDARD else {"output": dict(answer.output)}
        print_json({**document, **shown})
    if quiet:
        return
    tell_warnings(summary.warnings)
    if out != STANDARD:
        say(f"wrote {out}")


def _fusions(place: Target) -> str:
    found = [name for name, description in place.methods.items() if fuses(description)]
    return ", ".join(found) or "none"
