"""``normd fit``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.versions.file import content_hash, to_bytes
from normd.cli.display.console import print_json
from normd.cli.display.versions import file_document, print_version
from normd.cli.errors import Misuse
from normd.cli.files.sink import check_output, write_whole
from normd.cli.files.source import Source
from normd.cli.files.state_dict import read_weights
from normd.cli.io.backend import VERSION_FILE, read_version
from normd.cli.io.canary import read_canary
from normd.cli.io.fit_data import Collected, Collector, named_fit
from normd.cli.io.fusion_evidence import Search, files_of_runs, fusion_fit, require_qrels
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.store import About, Store, collected
from normd.cli.io.version_params import with_versions
from normd.cli.options import arguments
from normd.cli.options.dynamic import MethodGroup, group_command
from normd.cli.options.parameters import read_grid
from normd.cli.target import Target
from normd.wire.descriptions import field_specs
from normd.wire.field_specs import FieldSpecs

METAVAR = "METHOD FILES... --name NAME | --out FILE"


def command(name: str, args: list[str]) -> Any:
    """Return the command."""
    return group_command(
        FitGroup,
        METAVAR,
        "Fit a method on files, and store it under a new name or write a version file. "
        "`normd fit METHOD --help` lists the parameters of a method.",
        args,
    )


def fit(
    method: str,
    params: dict[str, object],
    files: arguments.Files = None,
    *,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="store it under this new name")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="fit here, write a version file (.safetensors)"
        ),
    ] = None,
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="for people")
    ] = "",
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TEXT", help="for people; repeatable")
    ] = None,
    new_version: Annotated[
        bool, typer.Option("--new-version", help="add a version to a name that exists")
    ] = False,
    after: Annotated[
        str | None,
        typer.Option(
            "--after",
            metavar="NAME@3|FILE",
            help="go on from this version, with these rows as one more batch; with --out, from a "
            "version file",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="fit and tell what was found; store and write nothing")
    ] = False,
    opens: Annotated[
        bool, typer.Option("--open", help="open the name without a fit, for normd observe")
    ] = False,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="FILE",
            help="state dict of a trained layer by its own names (.safetensors), or .json",
        ),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(
            "--prefix", metavar="TEXT", help="what the names of the layer begin with: model.bin."
        ),
    ] = "",
    qrels: Annotated[
        str | None,
        typer.Option(
            "--qrels",
            metavar="FILE",
            help="TREC judgements; the files are runs, FILE or NAME=FILE",
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure", "-m", metavar="NAME@K", help="what is made as large as possible: ndcg@10"
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option("--folds", help="choose on all but one of so many parts, test on it"),
    ] = None,
    grid: Annotated[
        str | None,
        typer.Option("--grid", metavar="STEP|A,B,...|JSON", help="values to try"),
    ] = None,
    bootstrap: Annotated[
        int | None,
        typer.Option("--bootstrap", metavar="N", help="choose again on so many resamples"),
    ] = None,
    columns: arguments.Columns = None,
    field: arguments.FieldOption = None,
    lists: arguments.ListColumn = None,
    form: arguments.Form = None,
    header: arguments.Header = None,
    delimiter: arguments.Delimiter = None,
    param: arguments.Param = None,
    layout: arguments.Layout = None,
    strict: arguments.StrictFit = False,
    recommend: arguments.Recommend = False,
    canary: arguments.Canary = None,
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Fit one method."""
    if dry_run and (method not in CATALOGUE or opens):
        raise Misuse("--dry-run fits here, by a method that is installed; leave out --open")
    if dry_run and (name, out) == (None, None):
        name = ""
    if (name is None) == (out is None):
        raise Misuse("say --name NAME to store the fit, or --out FILE to write it to a file")
    search = Search(measure, folds, read_grid(grid), bootstrap)
    if qrels is None:
        require_qrels(search.fields)
    judged = None if qrels is None else files_of_runs(files, form, header, delimiter)
    given = [] if judged else arguments.sources(files, form, header, delimiter)
    if opens and (given or field or out is not None):
        raise Misuse("--open takes a name alone: what is fitted is no name without a fit")
    if prefix and weights is None:
        raise Misuse("--prefix says which of the --weights are meant; name their file")
    if weights is not None and (given or field or opens):
        raise Misuse("--weights are all that a trained layer needs: leave out the files")
    chosen = arguments.choice(columns, field, lists)
    given_params, found = named_fit(method, params)
    params = with_versions(method, given_params, stored=out is None)
    if found is not None and (given or field or opens or weights is not None):
        raise Misuse("--preset names a fit that comes with the package: leave out the files")
    if weights is not None:
        read = read_weights(weights, prefix)
        named = {} if columns is None else {"columns": columns.split(",")}
        found = Collected(weights={**read, **named})
    if judged is not None and qrels is not None:
        if found is not None or opens or after is not None or field:
            # Columns are said of each run, and a search begins anew.
            raise Misuse("--qrels judges the files of runs: leave out other sources of a fit")
        fits = FieldSpecs.from_json(Target(url, data).method(method), "fits")
        found = fusion_fit(judged, chosen, qrels, search, method, fits)
    told: dict[str, object] = {
        "layout": layout,
        "strict": strict or None,
        "recommend": recommend or None,
    }
    if canary is not None:
        if out is not None:
            raise Misuse("--canary: a file keeps no canary; store the fit by --name")
        takes = FieldSpecs.from_json(Target(url, data).method(method), "takes")
        told["canary"] = read_canary(canary, takes, chosen)
    options = {name: value for name, value in told.items() if value is not None}
    if out is not None or dry_run:
        made = _written(
            method,
            params,
            options,
            given,
            chosen,
            None if dry_run else out,
            found,
            after=after,
            quiet=quiet,
        )
    else:
        about = About(description, tag or ())
        with Target(url, data).client(writes=True) as client:
            store = Store(client, str(name), method, params, options, opens=opens, after=after)
            again = new_version or after is not None
            made = store.fitted(given, chosen, about, found, again=again, quiet=quiet)
    print_json(made) if as_json else print_version(made, quiet=quiet)


class FitGroup(MethodGroup):
    """Every method that there is, as a command that fits it."""

    template = staticmethod(fit)

    @classmethod
    def does(cls, described: Mapping[str, object]) -> bool:
        """Return whether a described method is fitted, or imports weights."""
        return bool(described.get("fits") or described.get("weights"))


def _written(
    method: str,
    params: Mapping[str, object],
    options: Mapping[str, object],
    given: Sequence[Source],
    chosen: ColumnChoice,
    out: str | None,
    found: Collected | None = None,
    *,
    after: str | None,
    quiet: bool,
) -> Mapping[str, object]:
    """Fit by the library alone and write the version, unless nothing is to be written."""
    if out is not None:
        if not out.endswith(VERSION_FILE):
            raise Misuse(f"--out {out}: the name of a version file ends in {VERSION_FILE}")
        check_output(out, [source.path for source in given])
    collector = Collector(CATALOGUE, method, params, options)
    if found is None:
        fields = field_specs(collector.fits)
        found = collected(method, params, options, given, fields, chosen, quiet=quiet)
    version = collector.version(found, None if after is None else read_version(after))
    content = to_bytes(version)
    if out is None:
        document = file_document(version, "", content_hash(content))
        del document["file"]
        return {**document, "dry_run": True}
    write_whole(out, content)
    return file_document(version, out, content_hash(content))
