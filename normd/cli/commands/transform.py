"""``normd transform`` and ``normd inverse``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Annotated, Any, ClassVar

import typer

from normalizers.errors import NotFitted
from normd.cli.errors import Misuse
from normd.cli.files.formats import STANDARD, TABLE_FORMS, FileFormat, form_of
from normd.cli.files.sink import check_output, check_terminal
from normd.cli.files.source import Source, source
from normd.cli.io.backend import (
    Action,
    Backend,
    file_backend,
    fit_fields,
    is_version_file,
    library_backend,
    library_method,
    method_backend,
    stored_backend,
)
from normd.cli.io.fit_data import named_fit
from normd.cli.io.mapping import ColumnChoice, Values
from normd.cli.io.reading import Reader
from normd.cli.io.runs import fuses
from normd.cli.io.transform_job import TransformJob
from normd.cli.options import arguments
from normd.cli.options.dynamic import MethodGroup, Template, group_command, word_command
from normd.cli.target import Target
from normd.wire.descriptions import field_specs
from normd.wire.field_specs import FieldSpecs

METAVAR = "REF|METHOD|FILE.safetensors INPUT"
WORDS = (
    "The first word is a stored version (NAME, NAME@7, NAME@ALIAS), the path of a version file "
    "(with a slash, or ending in .safetensors), or one of the methods below with parameters of "
    "its own; a stored name that is called like a method is written NAME@VERSION."
)
SUMMARIES: Mapping[str, str] = {
    "transform": f"Transform a file. {WORDS}",
    "inverse": "Go back: the input that gives an output. What the transform returned beside its "
    "main output (loc, scale ...) goes in by name, from the same file or by --field NAME=@FILE. "
    + WORDS,
}
# What a stored version has for good.
ITS_OWN = frozenset({"fit", "param"})


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return group_command(GROUPS[name], METAVAR, SUMMARIES[name], args)


def _work(
    action: Action,
    word: str,
    params: Mapping[str, object] | None,
    input: arguments.Input = None,
    *,
    out: arguments.Out = STANDARD,
    fit: Annotated[
        str | None,
        typer.Option(
            "--fit",
            metavar="FILE",
            help="file to fit on for this one time",
        ),
    ] = None,
    form: arguments.Form = None,
    output_form: arguments.OutputForm = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    into: Annotated[
        str | None,
        typer.Option(
            "--into",
            metavar="NAME",
            help="new column for the answer, beside the columns it is made of; by default it "
            "stands in their stead",
        ),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="the parts behind each number; with --json")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="make flags and clamped sizes errors")
    ] = False,
    layout: arguments.Layout = None,
    state: Annotated[
        str | None,
        typer.Option(
            "--state",
            metavar="FILE.json",
            help="carried state: read before, where the file is there, and written after; inverse "
            "only reads it",
        ),
    ] = None,
    transformed: Annotated[
        str | None,
        typer.Option(
            "--transformed",
            metavar="FILE",
            help="of inverse: what the transform wrote; loc, scale ... of each list are taken from "
            "there",
        ),
    ] = None,
    start_step: Annotated[
        int | None, typer.Option("--start-step", help="step the carried state must stand at")
    ] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="hits of each list")] = None,
    device: Annotated[
        str | None, typer.Option("--device", metavar="cpu|cuda|auto", help="where it is computed")
    ] = None,
    param: arguments.Param = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Transform one file."""
    if explain and not as_json:
        raise Misuse("--explain goes with --json: files hold numbers, and no parts of them")
    paths = [] if input is None else [input]
    check_output(out, paths)
    given = source(input, form, header=header, delimiter=delimiter) if input else None
    form_out = _form(out, output_form, given)
    if not (as_json and out == STANDARD):
        check_terminal(out, form_out)
    if into is not None and (form_out not in TABLE_FORMS or (as_json and out == STANDARD)):
        raise Misuse(f"--into names a column: write {', '.join(TABLE_FORMS)} (-o FILE)")
    wanted = {
        "explain": explain or None,
        "strict": strict or None,
        "layout": layout,
        "start_step": start_step,
        "top_k": top_k,
        "device": device,
    }
    options = {name: value for name, value in wanted.items() if value is not None}
    chosen = arguments.choice(columns, field, lists)
    if transformed is not None and action != "inverse":
        raise Misuse("--transformed leads back what was transformed: normd inverse")
    job = TransformJob(
        given, out, form_out, chosen, options, state, as_json, quiet, into, transformed
    )
    with (
        _hinted(word, params),
        _backend(Target(url, data), action, word, params, fit, chosen) as backend,
    ):
        job.run(backend)


@contextmanager
def _hinted(word: str, params: Mapping[str, object] | None) -> Iterator[None]:
    """Say what else a word may mean that is the name of a method which needs a fit."""
    try:
        yield
    except NotFitted as error:
        if params is not None:
            error.message += f"; here: --fit FILE, or {word}@1 for a stored name that is called so"
        raise


@contextmanager
def _backend(
    place: Target,
    action: Action,
    word: str,
    params: Mapping[str, object] | None,
    fit: str | None,
    chosen: ColumnChoice,
) -> Iterator[Backend]:
    """Find what answers."""
    if params is None and is_version_file(word):
        if place.url is not None:
            raise Misuse(
                f"{word} is a file of this machine; store it first: normd import {word} --name "
                "NAME --url URL, or leave out --url and NORMD_URL"
            )
        yield file_backend(word, action)
        return
    params, named = (None, None) if params is None else named_fit(word, params)
    if named is not None and fit is not None:
        raise Misuse("--preset names a fit that comes with the package: leave out --fit")
    method = None if params is None or place.url is not None else library_method(word, params)
    if method is not None:
        found = named.values if named else _fitted(field_specs(method.fits), fit, chosen)
        yield library_backend(method, action, found)
        return
    with place.client() as client:
        if params is None:
            yield stored_backend(client, word, action)
        else:
            declared = FieldSpecs() if fit is None else fit_fields(client, word, params)
            fitted = named.values if named else _fitted(declared, fit, chosen)
            yield method_backend(client, word, action, params, fitted)


def _fitted(declared: FieldSpecs, file: str | None, chosen: ColumnChoice) -> Values | None:
    """Return what a file holds for a fit; None without one."""
    if file is None:
        return None
    fields = {name: said for name, said in chosen.fields.items() if name in declared.fields}
    reader = Reader(declared, ColumnChoice(chosen.columns, fields, chosen.lists))
    return next(reader.blocks([source(file)], cut=False)).values


def _form(out: str, named: str | None, given: Source | None) -> FileFormat:
    """Return the form of the output: the one named, else its ending, else that of the input."""
    if named is not None or out != STANDARD:
        return form_of(out, named, flag="--output-format")
    return given.form if given is not None else "jsonl"


class WordGroup(MethodGroup):
    """The methods as commands, and every other word as a reference."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command for a method, a stored version or a file."""
        if is_version_file(cmd_name) or self.place.find_method(cmd_name) is None:
            return word_command(type(self).template, cmd_name, ITS_OWN)
        return super().get_command(ctx, cmd_name)


class TransformGroup(WordGroup):
    """The way forward."""

    template: ClassVar[Template] = partial(_work, "transform")

    @classmethod
    def does(cls, described: Mapping[str, object]) -> bool:
        """Return whether files hold what a described method takes; runs are fused."""
        return not fuses(described)


class InverseGroup(WordGroup):
    """The way back."""

    template: ClassVar[Template] = partial(_work, "inverse")

    @classmethod
    def does(cls, described: Mapping[str, object]) -> bool:
        """Return whether a described method has a way back."""
        return bool(described.get("returns"))


GROUPS: Mapping[str, type[WordGroup]] = {"transform": TransformGroup, "inverse": InverseGroup}
