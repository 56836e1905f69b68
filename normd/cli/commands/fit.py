"""``normd fit``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.messages import quoted
from normalizers.versions.file import content_hash, to_bytes
from normd.cli.display.console import print_json
from normd.cli.display.progress import progress
from normd.cli.display.versions import file_document, print_version
from normd.cli.errors import Misuse
from normd.cli.files.npy import row_count
from normd.cli.files.sink import check_output, write_whole
from normd.cli.files.source import Source
from normd.cli.files.state_dict import read_weights
from normd.cli.io.backend import VERSION_FILE, fit_fields, read_version
from normd.cli.io.fit_data import Collected, Collector, named_fit, only_block
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.reading import Reader
from normd.cli.options import arguments
from normd.cli.options.dynamic import MethodGroup, group_command
from normd.cli.target import Target
from normd.client.errors import Conflict
from normd.wire.descriptions import field_specs
from normd.wire.field_specs import FieldSpecs

if TYPE_CHECKING:
    from normd.client import Client

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
    as_json: arguments.Json = False,
    quiet: arguments.Quiet = False,
    url: arguments.Url = None,
    data: arguments.Data = None,
) -> None:
    """Fit one method."""
    if (name is None) == (out is None):
        raise Misuse("say --name NAME to store the fit, or --out FILE to write it to a file")
    given = arguments.sources(files, form, header, delimiter)
    if opens and (given or field or out is not None):
        raise Misuse("--open takes a name alone: what is fitted is no name without a fit")
    if prefix and weights is None:
        raise Misuse("--prefix says which of the --weights are meant; name their file")
    if weights is not None and (given or field or opens):
        raise Misuse("--weights are all that a trained layer needs: leave out the files")
    chosen = arguments.choice(columns, field, lists)
    given_params, found = named_fit(method, params)
    params = dict(given_params)
    if found is not None and (given or field or opens or weights is not None):
        raise Misuse("--preset names a fit that comes with the package: leave out the files")
    if weights is not None:
        read = read_weights(weights, prefix)
        named = {} if columns is None else {"columns": columns.split(",")}
        found = Collected(weights={**read, **named})
    told = {"layout": layout, "strict": strict or None, "recommend": recommend or None}
    options = {name: value for name, value in told.items() if value is not None}
    if out is not None:
        made = _written(
            method, params, options, given, chosen, out, found, after=after, quiet=quiet
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


@dataclass(frozen=True)
class About:
    """What is said of a name for people."""

    description: str
    tags: Sequence[str]


@dataclass(frozen=True)
class Store:
    """Where a fit is kept under a name."""

    client: Client
    name: str
    method: str
    params: Mapping[str, object]
    options: Mapping[str, object]
    opens: bool = False
    after: str | None = None

    def fitted(
        self,
        given: Sequence[Source],
        chosen: ColumnChoice,
        about: About,
        found: Collected | None = None,
        *,
        again: bool,
        quiet: bool,
    ) -> Mapping[str, object]:
        """Fit on files and store the version; all of it or nothing."""
        if found is None:
            fields = fit_fields(self.client, self.method, self.params)
            found = _collected(
                self.method, self.params, self.options, given, fields, chosen, quiet=quiet
            )
        if found.origin == "params" and self._needs_weights():
            raise Misuse(f"{self.method} needs weights: name their file by --weights FILE")
        if found.origin == "params" and not self.opens and self._needs_files():
            raise Misuse(
                f"name the files to fit {self.method} on, or - for standard input; --open opens "
                f"the name {quoted(self.name)} without a fit, for normd observe"
            )
        if not again:
            return self._created(found, about)
        if self.after is not None and found.values is None:
            # What several requests would hold has been added up here.
            return self.client.add_version(
                self.name,
                "merge",
                params=self.params or None,
                refs=[self.after],
                statistics=found.members,
            )
        return self.client.add_version(
            self.name,
            found.origin,
            params=self.params or None,
            fit=found.values,
            statistics=found.members,
            weights=found.weights,
            options=self._asked(found),
            after=self.after,
        )

    def _asked(self, found: Collected) -> Mapping[str, object] | None:
        """Return the options that a request carries; what was added up here has honoured them."""
        return self.options or None if found.origin == "fit" else None

    def _needs_files(self) -> bool:
        """Return whether the parameters alone make no version; unknown methods decide later."""
        if self.method not in CATALOGUE:
            return False
        return not Collector(CATALOGUE, self.method, self.params).works_unfitted

    def _needs_weights(self) -> bool:
        if self.method not in CATALOGUE:
            return False
        return Collector(CATALOGUE, self.method, self.params).needs_weights

    def _created(self, found: Collected, about: About) -> Mapping[str, object]:
        try:
            return self.client.create(
                self.name,
                self.method,
                params=self.params,
                fit=found.values,
                statistics=found.members,
                weights=found.weights,
                options=self._asked(found),
                description=about.description,
                tags=about.tags,
            )
        except Conflict as error:
            error.message = (
                f"the name {quoted(self.name)} has another fit; --new-version adds one from these "
                "files, --name takes another name"
            )
            raise


def _written(
    method: str,
    params: Mapping[str, object],
    options: Mapping[str, object],
    given: Sequence[Source],
    chosen: ColumnChoice,
    out: str,
    found: Collected | None = None,
    *,
    after: str | None,
    quiet: bool,
) -> Mapping[str, object]:
    """Fit by the library alone and write the version."""
    if not out.endswith(VERSION_FILE):
        raise Misuse(f"--out {out}: the name of a version file ends in {VERSION_FILE}")
    check_output(out, [source.path for source in given])
    collector = Collector(CATALOGUE, method, params, options)
    if found is None:
        fields = field_specs(collector.fits)
        found = _collected(method, params, options, given, fields, chosen, quiet=quiet)
    version = collector.version(found, None if after is None else read_version(after))
    content = to_bytes(version)
    write_whole(out, content)
    return file_document(version, out, content_hash(content))


def _collected(
    method: str,
    params: Mapping[str, object],
    options: Mapping[str, object],
    given: Sequence[Source],
    fields: FieldSpecs,
    chosen: ColumnChoice,
    *,
    quiet: bool,
) -> Collected:
    """Return what the files hold; a method that only the service knows is sent them whole."""
    if not given and not chosen.fields:
        return Collected()
    if not len(fields):
        raise Misuse(f"{method} is not fitted: leave out the files")
    layout = options.get("layout")
    reader = Reader(fields, chosen, None if layout is None else str(layout))
    total = None if len(given) != 1 else row_count(given[0])
    with progress(f"fit {method}", total, quiet=quiet) as advance:
        if method not in CATALOGUE:
            return only_block(reader.blocks(given, cut=False), advance)
        collector = Collector(CATALOGUE, method, params, options)
        return collector.collect(reader.blocks(given, cut=collector.streams), advance)
