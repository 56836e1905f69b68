"""Names: created with a first version, or opened for observations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.registry.errors import Conflict
from app.registry.records import JsonObject, Manifest, NewName
from app.registry.references import parse_name
from app.service.context import Context
from app.service.requests.bodies import CreateBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.sources import read_source
from app.service.storing import new_version
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.resolution import params_affecting
from normalizers.pipeline.steps import references
from normalizers.versions.manifest import params_json
from normalizers.versions.version import Version


@dataclass(frozen=True)
class Outcome:
    """What a request made or found: a name and its version."""

    manifest: Manifest
    created: bool


@dataclass(frozen=True)
class Trial:
    """What a dry run found; nothing was stored."""

    method: Method
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
    raise_if_cancelled()
    version = source.solve(method)
    raise_if_cancelled()
    name = _new_name(body, method, digest, version)
    if version is None:
        _require_kept(context, method)
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


def delete(context: Context, name: str, number: int | None) -> Sequence[str]:
    """Delete one version, or a name with all of them; return the hashes that went."""
    if number is None:
        return context.registry.names.delete(name)
    return [context.registry.versions.delete(name, number)]


def require_streaming(method: Method, name: str) -> None:
    """Refuse observations of a method that is not fitted from a stream.

    Parameters
    ----------
    method : Method
        As the newest version resolved it; of an open name, as it was given.
    name : str
        The name.
    """
    if method.streams:
        return
    if "scope" in method.parameters and method.explicit_params.get("scope") != "fitted":
        hint = f"create a name with scope: 'fitted'; '{name}' answers from each request alone"
    elif method.weight_fields:
        hint = "its weights are trained elsewhere; add a version from: 'weights'"
    elif not {"ordered", "causal"}.isdisjoint(method.acts_as):
        hint = "carry its state from answer to request instead"
    else:
        hint = "fit it at once"
    raise Conflict(f"'{method.name}' takes no observations", hint=hint)


def _require_kept(context: Context, method: Method) -> None:
    """Refuse an open name with a step of weights: without a version nothing keeps its arrays."""
    for step in references(method):
        if context.registry.versions.with_hash(step.hash or "") is None:
            raise Conflict(
                f"the weights of the step '{step.method.name}' are kept nowhere while the name "
                "is open",
                hint="store the layer under a name of its own, and refer to it",
            )


def _new_name(body: CreateBody, method: Method, digest: str, version: Version | None) -> NewName:
    resolved = version.resolved_method if version else method.resolved(UNKNOWN_STATISTICS)
    return NewName(
        name=body.name,
        method=method.name,
        given=params_json(method, method.explicit_params),
        statistics_params=params_json(resolved, params_affecting(resolved, "statistics")),
        digest=digest,
        description=body.description,
        tags=body.tags,
    )
