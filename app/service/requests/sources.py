"""What a version is solved from: data, statistics, imported weights, or parameters alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.service.context import Context
from app.service.requests.bare_arrays import named
from app.service.requests.bodies import Body
from app.service.requests.digest import request_digest
from app.service.requests.limits import check_statistics, too_large
from app.service.requests.named_methods import with_methods
from app.service.requests.places import at
from normalizers.contract.fit_options import FitOptions
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.data.batch import Batch
from normalizers.data.devices import Device
from normalizers.errors import InvalidInput
from normalizers.statistics import Statistics
from normalizers.validation.limits import TooMany
from normalizers.versions import fitting
from normalizers.versions.manifest import params_json
from normalizers.versions.shipped import shipped_fit
from normalizers.versions.version import Version, require_fit
from normalizers.versions.weights import from_weights, read_weights

FIT, STATISTICS, WEIGHTS = "fit", "statistics", "weights"
SOURCES = (FIT, STATISTICS, WEIGHTS)


@dataclass(frozen=True)
class Source:
    """What a body sent; nothing when parameters suffice, or to open a name."""

    kind: str
    batch: Batch | None = None
    statistics: Statistics | None = None
    columns: tuple[str, ...] | None = None
    settled: Mapping[str, object] = field(default_factory=dict)

    def digest(self, method: Method) -> str:
        """Return the digest by which the same request is recognised."""
        parts = self.statistics.to_arrays() if self.statistics is not None else None
        given = params_json(method, method.explicit_params)
        named = () if self.columns is None else (self.columns,)
        told = {} if self.batch is None else self.batch.asked
        # What it only refuses, and how its axes stood, make no other version.
        more = {name: value for name, value in told.items() if name not in ("strict", "layout")}
        asked = (more,) if more else ()
        values = dict(self.batch or {})
        return request_digest(method.name, given, self.kind, values, parts, *named, *asked)

    def solve(self, method: Method) -> Version | None:
        """Return the version, or None when there is nothing to solve it from yet."""
        if self.statistics is not None:
            with at(self.kind):
                settled = {**method.decide(self.statistics), **self.settled}
                return fitting.solve(method, self.statistics, settled)
        if self.batch is None:
            return fitting.stateless(method) if method.stateless else None
        with at(self.kind):
            if self.kind == WEIGHTS:
                return from_weights(method, self.batch)
            return fitting.fit_batch(method, self.batch, columns=self.columns)


def read_source(
    context: Context, method: Method, body: Body, device: Device | None = None
) -> Source:
    """Return what a body says a version is solved from; a fit is computed on `device`.

    By default that is the service's.
    """
    kinds = [name for name in SOURCES if getattr(body, name, None) is not None]
    if len(kinds) > 1:
        raise InvalidInput(
            f"send one of {', '.join(SOURCES)}, not {' and '.join(kinds)}", path=kinds[1]
        )
    asked = None if body.asks is not FitOptions else getattr(body, "options", None)
    if asked is not None and kinds != [FIT]:
        raise InvalidInput("options are those of a fit, and there is no 'fit' here", path="options")
    if not kinds:
        return Source(_kind_without_data(method))
    values = getattr(body, kinds[0])
    if kinds[0] == STATISTICS:
        statistics = fitting.read_statistics(method, values)
        check_statistics(statistics, context.settings)
        return Source(STATISTICS, statistics=statistics)
    if kinds[0] == WEIGHTS:
        batch = _read_weights(context, method, values)
        return Source(WEIGHTS, batch=batch, columns=batch.columns)
    resolved = method.resolved(UNKNOWN_STATISTICS)
    fits = resolved.fits
    options = _fit_options(body, resolved)
    sent = with_methods(named(values, fits, FIT), fits, context.versions, FIT)
    shipped = shipped_fit(method, sent)
    if shipped is not None:
        return Source(FIT, statistics=shipped.statistics, settled=shipped.settled)
    try:
        batch = fitting.read_fit(method, sent, limits=context.fit_limits, options=options)
    except TooMany as error:
        raise too_large(error) from None
    return Source(FIT, batch=batch.on(device or context.device), columns=batch.columns)


def _kind_without_data(method: Method) -> str:
    """Return whether parameters are enough, or data come later; weights come at once or never."""
    if method.stateless:
        return "params"
    if not method.fittable and not method.required_or_fitted:
        raise require_fit(method)
    return "open"


def _fit_options(body: Body, method: Method) -> FitOptions:
    """Return what a body asks of its fit; the options of work in one request are shared."""
    sent = getattr(body, "options", None)
    if body.asks is FitOptions:
        return FitOptions.read(sent)
    return FitOptions.shared(body.asks.read(sent), method.traits.fit_options)


def _read_weights(context: Context, method: Method, values: Mapping[str, object]) -> Batch:
    try:
        return read_weights(method, values, limits=context.input_limits)
    except TooMany as error:
        raise too_large(error) from None
