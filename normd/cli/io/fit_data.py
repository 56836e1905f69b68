"""A fit on files of any size: one batch as it is, several as the sum of their statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

from normalizers.catalogue.catalogue import Catalogue
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.method import UNKNOWN_STATISTICS
from normalizers.contract.shipped import PRESET
from normalizers.data.frames import require_columns
from normalizers.statistics.total import total
from normalizers.versions import fitting
from normalizers.versions.shipped import shipped_version
from normalizers.versions.weights import from_weights, read_weights
from normd.cli.errors import Misuse
from normd.cli.io.reading import Block, relocated_rows

if TYPE_CHECKING:
    from normalizers.contract.fields import Fields
    from normalizers.contract.method import Method
    from normalizers.statistics.base.statistics_set import Statistics
    from normalizers.versions.version import Version

Advance = Callable[[int], None]


@dataclass(frozen=True)
class Collected:
    """What files hold for a fit: the fields of one batch, statistics of several, or weights."""

    values: Mapping[str, object] | None = None
    statistics: Statistics | None = None
    weights: Mapping[str, object] | None = None
    rows: int = 0
    columns: Sequence[str] | None = None

    @property
    def members(self) -> Mapping[str, object] | None:
        """The statistics as a request carries them."""
        return None if self.statistics is None else self.statistics.to_arrays()

    @property
    def origin(self) -> Literal["fit", "statistics", "weights", "params"]:
        """What a version that is made of it comes from."""
        if self.weights is not None:
            return "weights"
        if self.statistics is not None:
            return "statistics"
        return "params" if self.values is None else "fit"


class Collector:
    """Collects the files of a fit by the library, which is the same wherever it runs.

    Parameters
    ----------
    catalogue : Catalogue
        Knows the method.
    name : str
        Name or alias of the method.
    params : mapping
        Its parameters, with a preset or not.
    options : mapping, optional
        What the fit is asked for.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        name: str,
        params: Mapping[str, object],
        options: Mapping[str, object] | None = None,
    ) -> None:
        self._method: Method = catalogue.create(name, params).validated()
        self._options = FitOptions.read(options)

    @property
    def fits(self) -> Fields:
        """The fields of a fit."""
        return self._method.resolved(UNKNOWN_STATISTICS).fits

    @property
    def streams(self) -> bool:
        """Whether a fit may be added up from parts."""
        return self._method.resolved(UNKNOWN_STATISTICS).streams

    @property
    def works_unfitted(self) -> bool:
        """Whether the parameters alone make a version."""
        return self._method.stateless or bool(self._method.required_or_fitted)

    @property
    def needs_weights(self) -> bool:
        """Whether it works by imported weights alone."""
        return bool(self._method.weight_fields) and not self._method.fittable

    def collect(self, blocks: Iterator[Block], advance: Advance) -> Collected:
        """Return what the blocks hold; memory does not grow with their number.

        Raises
        ------
        NormalizerError
            Data that do not fit the method.
        """
        first = next(blocks, None)
        if first is None:
            return Collected()
        second = next(blocks, None)
        if second is None:
            advance(first.rows)
            return Collected(first.values, rows=first.rows)
        return self._added(chain([first, second], blocks), advance)

    def version(self, collected: Collected, before: Version | None = None) -> Version:
        """Return the version that is fitted on what was collected, going on from one before."""
        if before is not None:
            return self._gone_on(collected, before)
        if collected.weights is not None:
            return from_weights(self._method, read_weights(self._method, collected.weights))
        if collected.values is not None:
            named = shipped_version(self._method, collected.values)
            if named is not None:
                return named
            return fitting.fit(self._method, collected.values, options=self._options)
        if collected.statistics is None:
            return fitting.stateless(self._method)
        members, names = collected.statistics.to_arrays(), collected.columns
        return fitting.from_statistics(self._method, members, columns=names)

    def _gone_on(self, collected: Collected, before: Version) -> Version:
        if collected.values is not None:
            batch = fitting.read_fit(self._method, collected.values, options=self._options)
            return fitting.after(self._method, before, batch)
        extra = [] if collected.statistics is None else [collected.statistics]
        return fitting.merge(self._method, [before], extra)

    def _added(self, blocks: Iterator[Block], advance: Advance) -> Collected:
        settled = fitting.stream_settings(self._method)
        if self._method.ordered:
            return self._in_order(blocks, settled, advance)
        rows = 0
        names: tuple[str, ...] | None = None

        def parts() -> Iterator[Statistics]:
            nonlocal rows, names
            for block in blocks:
                with relocated_rows(rows):
                    batch = fitting.read_fit(self._method, block.values, options=self._options)
                    require_columns(batch.columns, names, f"fit.{self._method.fits.main}")
                    part = fitting.partial(self._method, batch, settled)
                yield part
                rows += block.rows
                names = names or batch.columns
                advance(block.rows)

        added = total(parts())
        return Collected(statistics=added, rows=rows, columns=names)

    def _in_order(
        self, blocks: Iterator[Block], settled: Mapping[str, object], advance: Advance
    ) -> Collected:
        """Return what is left by files that are a batch each, one after the other."""
        kept: Statistics | None = None
        names: tuple[str, ...] | None = None
        rows = 0
        for block in blocks:
            batch = fitting.read_fit(self._method, block.values, options=self._options)
            require_columns(batch.columns, names, f"fit.{self._method.fits.main}")
            kept = fitting.go_on(self._method, kept, batch, settled)
            names, rows = names or batch.columns, rows + block.rows
            advance(block.rows)
        return Collected(statistics=kept, rows=rows, columns=names)


def named_fit(
    method: str, params: Mapping[str, object]
) -> tuple[Mapping[str, object], Collected | None]:
    """Return parameters, and the fit that their preset is where it names shipped statistics."""
    from normalizers.catalogue.catalogue import CATALOGUE

    name = params.get(PRESET)
    if method not in CATALOGUE or name not in CATALOGUE.method(method).shipped:
        return params, None
    rest = {param: value for param, value in params.items() if param != PRESET}
    return rest, Collected({PRESET: name})


def only_block(blocks: Iterator[Block], advance: Advance) -> Collected:
    """Return what one file holds, for a method that is not installed here.

    Raises
    ------
    Misuse
        Several files: only the method itself can add them up.
    """
    first = next(blocks)
    if next(blocks, None) is not None:
        raise Misuse("this method is not installed here, so that several files cannot be added up")
    advance(first.rows)
    return Collected(first.values, rows=first.rows)
