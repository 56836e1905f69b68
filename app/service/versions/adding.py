"""New versions of a name: fitted, patched, from observations, merged, joined, with less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.registry.errors import Conflict
from app.registry.records import JsonObject, VersionRecord
from app.service.context import Context
from app.service.normalizers import require_streaming
from app.service.requests.bare_arrays import named
from app.service.requests.bodies import VersionBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.digest import request_digest
from app.service.requests.places import at
from app.service.requests.sources import WEIGHTS, Source, read_source
from app.service.storing import new_version
from app.service.version_loader import reference_at
from app.service.versions.joining import joined
from app.service.versions.lineage import Lineage, lineage_of, summed_lineage
from app.service.versions.merging import merged
from app.service.versions.newest import CurrentState, newest, with_changes
from app.service.versions.observations import total
from app.service.versions.partials import parameters_of
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.parameters import unwrap
from normalizers.contract.resolution import given_statistics_params
from normalizers.errors import InvalidInput, NotEnoughData
from normalizers.evaluation.refit import refit_notes
from normalizers.versions import fitting
from normalizers.versions.version import Version
from normalizers.versions.weights import from_weights, read_weights
from normd.wire.codecs.document import NamedColumns

# The members that each origin reads beside ``params``.
MEMBERS_OF_ORIGIN = {
    "fit": {"fit", "options", "after"},
    "statistics": {"statistics"},
    "weights": {"weights"},
    "params": set(),
    "observations": set(),
    "merge": {"refs", "minus", "statistics"},
    "join": {"refs", "options"},
}
# Those after which what the parameters say of the statistics, or the weights, may be another.
REFITS = frozenset({"fit", WEIGHTS})


@dataclass(frozen=True)
class AddedVersion:
    """A version that was made, or found again by its Idempotency-Key."""

    record: VersionRecord
    created: bool


def add_version(context: Context, name: str, body: VersionBody, key: str | None) -> AddedVersion:
    """Add a version to a name."""
    _check_members(body)
    state = newest(context, name)
    digest = _digest(state, body)
    if key is not None:
        earlier = context.registry.versions.earlier(name, key, digest)
        if earlier is not None:
            return AddedVersion(earlier, created=False)
    raise_if_cancelled()
    version, parents = MAKERS[body.origin](context, state, body)
    row = new_version(version, origin=body.origin, digest=digest, parents=parents)
    raise_if_cancelled()
    added = context.registry.versions.add(name, row, generation=state.generation, key=key)
    context.versions.keep(row.hash, version, len(row.content))
    return AddedVersion(added.version, added.created)


def _digest(state: CurrentState, body: VersionBody) -> str:
    """Return the digest of a body as it would stand in JSON, so that it is that of any form."""
    said = {name: getattr(body, name) for name in VersionBody.model_fields}
    if body.options is None:
        # The digest of a body from before there were options.
        del said["options"]
    if not isinstance(body.fit, np.ndarray | NamedColumns):
        return request_digest(said)
    fits = state.method.resolved(UNKNOWN_STATISTICS).fits
    return request_digest({**said, "fit": named(body.fit, fits, "fit")})


def _check_members(body: VersionBody) -> None:
    for member in ("fit", "statistics", "weights", "refs", "minus", "options", "after"):
        if getattr(body, member) is not None and member not in MEMBERS_OF_ORIGIN[body.origin]:
            raise InvalidInput(f"from '{body.origin}' reads no '{member}'", path=member)


def _from_data(
    context: Context, state: CurrentState, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    if getattr(body, body.origin) is None:
        raise InvalidInput(
            f"from '{body.origin}' needs the member '{body.origin}'", path=body.origin
        )
    method = with_changes(context, state, body.params, refit=body.origin in REFITS)
    if body.origin != WEIGHTS:
        _require_fittable(state, method)
    source = read_source(context, method, body)
    if body.after is not None:
        return _gone_on(context, method, source, body.after)
    version = source.solve(method)
    if version is None:
        raise NotEnoughData("there is nothing to fit")
    told = refit_notes(state.version, version, source.batch)
    return (replace(version, notes={**version.notes, **told}) if told else version), ()


def _gone_on(
    context: Context, method: Method, source: Source, reference: str
) -> tuple[Version, Sequence[JsonObject]]:
    """Return the version that further rows make of an earlier one, and what it came from."""
    with reference_at("after"):
        record, earlier = context.versions.find(reference)
    with at(source.kind):
        version = fitting.after(method, earlier, unwrap(source.batch))
    # The rows have no version of their own: they can be neither recognised nor taken out again.
    rows = Lineage(nameless=Counter([source.kind]))
    return version, summed_lineage([lineage_of(record), rows]).as_json()


def _from_params(
    context: Context, state: CurrentState, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    method = with_changes(context, state, body.params, refit=False)
    if state.version is None:
        raise Conflict(
            f"'{state.name}' has no version yet", hint="send from: 'observations' or 'fit'"
        )
    if state.version.statistics.is_empty and method.stateless:
        return fitting.stateless(method), ()
    if state.version.statistics.is_empty and state.resolved_method.weight_fields:
        with at("params"):
            kept = read_weights(method, state.version.fitted.arrays)
            return from_weights(method, kept.named(state.version.columns)), ()
    with at("params"):
        version = fitting.solve(
            method, state.version.statistics, state.settled, columns=state.version.columns
        )
    record = state.manifest.version
    return version, record.parents if record is not None else ()


def _from_observations(
    context: Context, state: CurrentState, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    require_streaming(state.resolved_method, state.name)
    method = with_changes(context, state, body.params, refit=False)
    opened = context.registry.observations.open(state.name)
    if opened.begun is None:
        raise NotEnoughData(f"'{state.name}' has no observations yet", path="from")
    with at("from"):
        return fitting.solve(method, total(context, state), parameters_of(opened.begun)), ()


def _from_merge(
    context: Context, state: CurrentState, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    method = with_changes(context, state, body.params, refit=False)
    return merged(context, method, body)


def _from_join(
    context: Context, state: CurrentState, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    method = with_changes(context, state, body.params, refit=False)
    return joined(context, method, body), ()


MAKERS: Mapping[
    str, Callable[[Context, CurrentState, VersionBody], tuple[Version, Sequence[JsonObject]]]
] = {
    "fit": _from_data,
    "statistics": _from_data,
    "weights": _from_data,
    "params": _from_params,
    "observations": _from_observations,
    "merge": _from_merge,
    "join": _from_join,
}


def _require_fittable(state: CurrentState, method: Method) -> None:
    if state.resolved_method.weight_fields:
        raise Conflict(
            f"'{state.name}' is made of weights, which no data give",
            hint="send from: 'weights' with those of the trained layer",
        )
    if method.fittable and (state.version is None or not state.version.statistics.is_empty):
        return
    if method.fittable and given_statistics_params(method) != given_statistics_params(state.method):
        return
    hint = "send params: {'scope': 'fitted'} with the data" if "scope" in method.parameters else ""
    raise Conflict(f"'{state.name}' was created without a fit and needs none", hint=hint)
