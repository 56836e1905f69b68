"""Names: created with a first version, or opened for observations."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.registry.errors import Conflict
from app.registry.records import JsonObject, Manifest, NewName
from app.registry.references import parse_name
from app.service.bodies import Body, CreateBody
from app.service.context import Context
from app.service.digest import request_digest
from app.service.limits import check_fit
from app.service.places import at
from app.service.storing import new_version
from normalizers import fitting
from normalizers.batch import Batch
from normalizers.errors import InvalidInput, UnsupportedOperation
from normalizers.normalizer import UNKNOWN_STATISTICS, Normalizer
from normalizers.statistics import Statistics
from normalizers.version import Version

SOURCES = ("fit", "statistics", "weights")


@dataclass(frozen=True)
class Source:
    """What a version is solved from; nothing when its parameters suffice, or to open a name."""

    kind: str
    batch: Batch | None = None
    statistics: Statistics | None = None

    def digest(self, method: Normalizer) -> str:
        """Return the digest by which the same request is recognised."""
        parts = self.statistics.to_members() if self.statistics is not None else None
        given = method.as_json(method.given)
        return request_digest(method.name, given, self.kind, dict(self.batch or {}), parts)

    def solve(self, method: Normalizer) -> Version | None:
        """Return the version, or None when there is nothing to solve it from yet."""
        if self.batch is not None:
            with at(self.kind):
                return fitting.fit_batch(method, self.batch)
        if self.statistics is not None:
            with at(self.kind):
                return fitting.solve(method, self.statistics, method.settle_from(self.statistics))
        return fitting.stateless(method) if method.stateless else None


@dataclass(frozen=True)
class Outcome:
    """What a request made or found: a name and its version."""

    manifest: Manifest
    created: bool


@dataclass(frozen=True)
class Trial:
    """What a dry run found; nothing was stored."""

    method: Normalizer
    version: Version | None
    report: JsonObject = field(default_factory=dict)


def create(context: Context, body: CreateBody) -> Outcome:
    """Create a name; the same request again finds the version it made."""
    parse_name(body.name)
    method = context.versions.create(body.method, body.params)
    source = read_source(context, method, body)
    digest = source.digest(method)
    earlier = context.registry.names.earlier(body.name, digest)
    if earlier is not None:
        return Outcome(earlier, created=False)
    version = source.solve(method)
    name = _new_name(body, method, digest, version)
    if version is None:
        created = context.registry.names.create(name)
        return Outcome(created.manifest, created.created)
    first = new_version(version, origin=source.kind, digest=digest)
    created = context.registry.names.create(name, first)
    context.versions.keep(first.hash, version, len(first.content))
    return Outcome(created.manifest, created.created)


def rehearse(context: Context, body: CreateBody) -> Trial:
    """Fit and report as `create` would, and store nothing."""
    parse_name(body.name)
    method = context.versions.create(body.method, body.params)
    version = read_source(context, method, body).solve(method)
    return Trial(method, version, version.report if version else {})


def read_source(context: Context, method: Normalizer, body: Body) -> Source:
    """Return what a body says a version is solved from."""
    sent = [name for name in SOURCES if getattr(body, name, None) is not None]
    if len(sent) > 1:
        raise InvalidInput(
            f"send one of {', '.join(SOURCES)}, not {' and '.join(sent)}", path=sent[1]
        )
    if not sent:
        return Source("params" if method.stateless else "open")
    values = getattr(body, sent[0])
    if sent[0] == "weights":
        raise UnsupportedOperation(f"'{method.name}' has no learned weights", path="weights")
    if sent[0] == "statistics":
        return Source("statistics", statistics=fitting.read_statistics(method, values))
    batch = fitting.read_fit(method, values)
    check_fit(batch, method.fits, context.settings)
    return Source("fit", batch=batch)


def delete(context: Context, name: str, number: int | None) -> None:
    """Delete one version, or a name with all of them."""
    if number is None:
        context.registry.names.delete(name)
    else:
        context.registry.versions.delete(name, number)


def require_streaming(method: Normalizer, name: str) -> None:
    """Refuse observations of a method that is not fitted from a stream.

    Parameters
    ----------
    method : Normalizer
        As the newest version resolved it; of an open name, as it was given.
    name : str
        The name.
    """
    if method.streams:
        return
    if "scope" in method.parameters and method.given.get("scope") != "fitted":
        hint = f"create a name with scope: 'fitted'; '{name}' answers from each request alone"
    elif "ordered" in method.kinds or "causal" in method.kinds:
        hint = "carry its state from answer to request instead"
    else:
        hint = "fit it at once"
    raise Conflict(f"'{method.name}' takes no observations", hint=hint)


def _new_name(
    body: CreateBody, method: Normalizer, digest: str, version: Version | None
) -> NewName:
    worker = version.worker if version else method.resolved(UNKNOWN_STATISTICS)
    return NewName(
        name=body.name,
        method=method.name,
        given=method.as_json(method.given),
        statistics_params=worker.affecting("statistics"),
        digest=digest,
        description=body.description,
        tags=body.tags,
    )
