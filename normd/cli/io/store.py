"""A fit on files that is kept under a name, and what the files of a fit hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.messages import quoted
from normd.cli.display.progress import progress
from normd.cli.errors import Misuse
from normd.cli.files.npy import row_count
from normd.cli.files.source import Source
from normd.cli.io.backend import fit_fields
from normd.cli.io.fit_data import Collected, Collector, only_block
from normd.cli.io.mapping import ColumnChoice
from normd.cli.io.reading import Reader
from normd.cli.io.version_params import without_references
from normd.client.errors import Conflict
from normd.wire.field_specs import FieldSpecs

if TYPE_CHECKING:
    from normd.client import Client


OF_ROWS = frozenset({"recommend", "canary"})


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
            found = collected(
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
        return not Collector(CATALOGUE, self.method, without_references(self.params)).works_unfitted

    def _needs_weights(self) -> bool:
        if self.method not in CATALOGUE:
            return False
        return Collector(CATALOGUE, self.method, without_references(self.params)).needs_weights

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


def collected(
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
        collector = Collector(CATALOGUE, method, without_references(params), options)
        # What the report tells of the rows needs all of them: statistics alone do not know it.
        cut = collector.streams and not OF_ROWS.intersection(options)
        return collector.collect(reader.blocks(given, cut=cut), advance)
