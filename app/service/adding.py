"""New versions of a name: fitted, patched, from observations, merged, with parts removed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from app.registry.errors import Conflict, NotFound
from app.registry.records import JsonObject, VersionRecord
from app.registry.references import Reference, parse_reference
from app.service.bodies import VersionBody
from app.service.context import Context
from app.service.digest import request_digest
from app.service.newest import Newest, newest, patched
from app.service.normalizers import read_source, require_streaming
from app.service.observations import total
from app.service.partials import settings_of
from app.service.places import at
from app.service.storing import leaves, new_version, without
from normalizers import fitting
from normalizers.errors import IncompatibleStatistics, InvalidInput, NotEnoughData
from normalizers.normalizer import Normalizer
from normalizers.statistics import Statistics
from normalizers.version import Version

# The members that each origin reads beside ``params``.
READS = {
    "fit": {"fit"},
    "statistics": {"statistics"},
    "weights": {"weights"},
    "params": set(),
    "observations": set(),
    "merge": {"refs", "minus", "statistics"},
}


@dataclass(frozen=True)
class Made:
    """A version that was made, or found again by its Idempotency-Key."""

    record: VersionRecord
    created: bool


@dataclass(frozen=True)
class Sum:
    """What a merge adds up: versions, further statistics, and the leaves of both."""

    versions: list[Version] = field(default_factory=list)
    extra: list[Statistics] = field(default_factory=list)
    leaves: list[JsonObject] = field(default_factory=list)
    settled: list[Mapping[str, object]] = field(default_factory=list)


def add_version(context: Context, name: str, body: VersionBody, key: str | None) -> Made:
    """Add a version to a name."""
    _check_members(body)
    state = newest(context, name)
    digest = request_digest(body.model_dump())
    if key is not None:
        earlier = context.registry.versions.earlier(name, key, digest)
        if earlier is not None:
            return Made(earlier, created=False)
    version, parents = MAKERS[body.origin](context, state, body)
    row = new_version(version, origin=body.origin, digest=digest, parents=parents)
    added = context.registry.versions.add(name, row, generation=state.generation, key=key)
    context.versions.keep(row.hash, version, len(row.content))
    return Made(added.version, added.created)


def _check_members(body: VersionBody) -> None:
    for member in ("fit", "statistics", "weights", "refs", "minus"):
        if getattr(body, member) is not None and member not in READS[body.origin]:
            raise InvalidInput(f"from '{body.origin}' reads no '{member}'", path=member)


def _from_data(
    context: Context, state: Newest, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    if getattr(body, body.origin) is None:
        raise InvalidInput(
            f"from '{body.origin}' needs the member '{body.origin}'", path=body.origin
        )
    method = patched(context, state, body.params, refit=body.origin == "fit")
    _require_fittable(state, method)
    version = read_source(context, method, body).solve(method)
    if version is None:
        raise NotEnoughData("there is nothing to fit")
    return version, ()


def _from_params(
    context: Context, state: Newest, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    method = patched(context, state, body.params, refit=False)
    if state.version is None:
        raise Conflict(
            f"'{state.name}' has no version yet", hint="send from: 'observations' or 'fit'"
        )
    if state.version.statistics.is_empty and method.stateless:
        return fitting.stateless(method), ()
    with at("params"):
        version = fitting.solve(
            method, state.version.statistics, state.settled, columns=state.version.columns
        )
    record = state.manifest.version
    return version, record.parents if record is not None else ()


def _from_observations(
    context: Context, state: Newest, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    require_streaming(state.worker, state.name)
    method = patched(context, state, body.params, refit=False)
    opened = context.registry.observations.open(state.name)
    if opened.begun is None:
        raise NotEnoughData(f"'{state.name}' has no observations yet", path="from")
    with at("from"):
        return fitting.solve(method, total(context, state), settings_of(opened.begun)), ()


def _from_merge(
    context: Context, state: Newest, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    method = patched(context, state, body.params, refit=False)
    added = _sum(context, state, method, body)
    if not body.minus:
        with at("refs"):
            return _merged(method, added), added.leaves
    removed = [_part(context, method, reference) for reference in body.minus]
    with at("minus"):
        return _reduced(context, method, added, removed)


MAKERS: Mapping[
    str, Callable[[Context, Newest, VersionBody], tuple[Version, Sequence[JsonObject]]]
] = {
    "fit": _from_data,
    "statistics": _from_data,
    "weights": _from_data,
    "params": _from_params,
    "observations": _from_observations,
    "merge": _from_merge,
}


def _sum(context: Context, state: Newest, method: Normalizer, body: VersionBody) -> Sum:
    added = Sum()
    for reference in body.refs or ():
        if parse_reference(reference).open:
            _add_open(context, method, reference, added)
        else:
            record, version = _part(context, method, reference)
            added.versions.append(version)
            added.leaves.extend(leaves(record))
            added.settled.append(version.worker.affecting("statistics"))
    if body.statistics is not None:
        posted = fitting.read_statistics(method, body.statistics, settled=_settled(added))
        added.extra.append(posted)
        added.settled.append({**_settled(added), **method.settle_from(posted)})
        added.leaves.append({"name": None, "version": None, "hash": "posted statistics"})
    if not added.versions and not added.extra:
        raise InvalidInput("a merge adds up refs, statistics, or both", path="refs")
    return added


def _add_open(context: Context, method: Normalizer, reference: str, added: Sum) -> None:
    name = parse_reference(reference).name
    state = newest(context, name)
    _require_method(method, state.method.name, reference)
    opened = context.registry.observations.open(name)
    if opened.begun is None:
        raise NotEnoughData(f"'{name}' has no observations yet", path="refs")
    added.extra.append(total(context, state))
    added.settled.append(settings_of(opened.begun))
    added.leaves.append({"name": name, "version": None, "hash": "open statistics"})


def _part(context: Context, method: Normalizer, reference: str) -> tuple[VersionRecord, Version]:
    record, version = context.versions.find(reference)
    _require_method(method, record.method, reference)
    return record, version


def _require_method(method: Normalizer, other: str, reference: str) -> None:
    if other != method.name:
        raise IncompatibleStatistics(
            f"{parse_reference(reference)} is '{other}', this name is '{method.name}'", path="refs"
        )


def _settled(added: Sum) -> dict[str, object]:
    for other in added.settled[1:]:
        fitting.require_same_settings(added.settled[0], other)
    return dict(added.settled[0]) if added.settled else {}


def _merged(method: Normalizer, added: Sum) -> Version:
    return fitting.merge(method, added.versions, added.extra, _settled(added))


def _reduced(
    context: Context,
    method: Normalizer,
    added: Sum,
    removed: Sequence[tuple[VersionRecord, Version]],
) -> tuple[Version, Sequence[JsonObject]]:
    gone = [leaf for record, _ in removed for leaf in leaves(record)]
    remaining = without(added.leaves, gone)
    settled = _settled(added)
    for _, version in removed:
        fitting.require_same_settings(settled, version.worker.affecting("statistics"))
    whole = fitting.total(added.versions, added.extra)
    if whole.removable:
        marked = [{**leaf, "removed": True} for leaf in gone]
        parents = remaining if remaining is not None else [*added.leaves, *marked]
        versions = [version for _, version in removed]
        return fitting.minus(method, whole, versions, settled), parents
    if remaining is None:
        raise Conflict(
            "what shall be removed is not among the recorded parents of the sum",
            hint="only versions that were merged into it can be removed from this statistic",
        )
    if not remaining:
        raise NotEnoughData("nothing remains after the removal", path="minus")
    parts = [_leaf(context, leaf) for leaf in remaining]
    return fitting.merge(method, parts, (), settled), remaining


def _leaf(context: Context, leaf: JsonObject) -> Version:
    name, number = leaf.get("name"), leaf.get("version")
    if not isinstance(name, str) or not isinstance(number, int) or leaf.get("removed"):
        raise Conflict(
            "a part of the sum is not a stored version, so the sum cannot be made again",
            hint="merge the parts that shall remain",
        )
    reference = Reference(name, version=number)
    try:
        record, version = context.versions.find(str(reference))
    except NotFound:
        raise Conflict(
            f"the recorded parent {reference} is gone", hint="merge the parts that shall remain"
        ) from None
    if record.hash != leaf.get("hash"):
        raise Conflict(f"{reference} is no longer the recorded parent")
    return version


def _require_fittable(state: Newest, method: Normalizer) -> None:
    if method.fittable and (state.version is None or not state.version.statistics.is_empty):
        return
    if method.fittable and method.statistics_given() != state.method.statistics_given():
        return
    hint = "send params: {'scope': 'fitted'} with the data" if "scope" in method.parameters else ""
    raise Conflict(f"'{state.name}' was created without a fit and needs none", hint=hint)
