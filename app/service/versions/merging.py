"""Versions added up, and parts taken away again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.registry.errors import Conflict, NotFound
from app.registry.records import JsonObject, VersionRecord
from app.registry.references import parse_reference
from app.service.context import Context
from app.service.requests.bodies import VersionBody
from app.service.requests.places import at
from app.service.version_loader import reference_at
from app.service.versions.lineage import Leaf, Lineage, lineage_of, summed_lineage
from app.service.versions.newest import newest
from app.service.versions.observations import total
from app.service.versions.partials import parameters_of
from app.settings import Settings, variable
from normalizers.contract.method import Method
from normalizers.contract.resolution import params_affecting
from normalizers.errors import IncompatibleStatistics, InvalidInput, NotEnoughData
from normalizers.statistics import Statistics
from normalizers.versions import fitting
from normalizers.versions.version import Version
from normalizers.versions.weights import require_mergeable
from normd.wire.codecs.errors import TooLarge

POSTED, OPEN = "statistics", "observations"


@dataclass(frozen=True)
class MergeTerm:
    """One thing that a merge adds: a version, or statistics that are none."""

    lineage: Lineage
    settled: Mapping[str, object]
    version: Version | None = None
    statistics: Statistics | None = None


@dataclass(frozen=True)
class MergeTerms:
    """What a merge adds up."""

    parts: list[MergeTerm] = field(default_factory=list)

    @property
    def lineage(self) -> Lineage:
        """The leaves of all parts."""
        return summed_lineage(part.lineage for part in self.parts)

    @property
    def settled(self) -> dict[str, object]:
        """The parameters that affect the statistics, the same in all parts."""
        for part in self.parts[1:]:
            fitting.require_same_settings(self.parts[0].settled, part.settled)
        return dict(self.parts[0].settled) if self.parts else {}

    @property
    def versions(self) -> list[Version]:
        """The versions among the parts."""
        return [part.version for part in self.parts if part.version is not None]

    @property
    def extra(self) -> list[Statistics]:
        """The statistics that are no versions."""
        return [part.statistics for part in self.parts if part.statistics is not None]


def merged(
    context: Context, method: Method, body: VersionBody
) -> tuple[Version, Sequence[JsonObject]]:
    """Return the version of a merge and what it adds up."""
    require_mergeable(method)
    added = _sum(context, method, body)
    removed = _referenced(context, method, body.minus or (), "minus")
    with at("refs"):
        lineage, settled = added.lineage, added.settled
        if not removed:
            made = fitting.merge(method, added.versions, added.extra, settled)
            return _noted(made, lineage), lineage.as_json()
    with at("minus"):
        return _reduced(context, method, added, removed)


def require_few(count: int, settings: Settings, path: str) -> None:
    """Refuse a sum of too many versions: merges of merges multiply what a short body adds up."""
    if count > settings.max_parents:
        raise TooLarge(
            "too many versions and statistics would be added up",
            limit=settings.max_parents,
            setting=variable("max_parents"),
            path=path,
        )


def _noted(version: Version, lineage: Lineage) -> Version:
    """Return the version with a word in its report on what was added more than once."""
    if not lineage.repeated:
        return version
    return replace(version, notes={**version.notes, "added_more_than_once": lineage.repeated})


def _sum(context: Context, method: Method, body: VersionBody) -> MergeTerms:
    added = MergeTerms(_referenced(context, method, body.refs or (), "refs"))
    if body.statistics is not None:
        posted = fitting.read_statistics(method, body.statistics, settled=added.settled)
        settled = {**added.settled, **method.decide(posted)}
        added.parts.append(
            MergeTerm(Lineage(nameless=Counter([POSTED])), settled, statistics=posted)
        )
    if not added.parts:
        raise InvalidInput("a merge adds up refs, statistics, or both", path="refs")
    return added


def _referenced(
    context: Context, method: Method, references: Sequence[str], member: str
) -> list[MergeTerm]:
    parts: list[MergeTerm] = []
    size = 0
    require_few(len(references), context.settings, member)
    for index, reference in enumerate(references):
        with reference_at(f"{member}[{index}]"):
            is_open = parse_reference(reference).open and member == "refs"
            read = _open_part if is_open else _version_part
            parts.append(read(context, method, reference))
        size += parts[-1].lineage.size
        require_few(size, context.settings, f"{member}[{index}]")
    return parts


def _open_part(context: Context, method: Method, reference: str) -> MergeTerm:
    name = parse_reference(reference).name
    state = newest(context, name)
    require_method(method, state.method.name, reference)
    opened = context.registry.observations.open(name)
    if opened.begun is None:
        raise NotEnoughData(f"'{name}' has no observations yet", path="refs")
    kept = total(context, state)
    return MergeTerm(
        Lineage(nameless=Counter([OPEN])), parameters_of(opened.begun), statistics=kept
    )


def _version_part(context: Context, method: Method, reference: str) -> MergeTerm:
    record, version = context.versions.find(reference)
    require_method(method, record.method, reference)
    return _part_of(record, version)


def _part_of(record: VersionRecord, version: Version) -> MergeTerm:
    return MergeTerm(
        lineage_of(record), params_affecting(version.resolved_method, "statistics"), version=version
    )


def require_method(method: Method, other: str, reference: str) -> None:
    """Refuse a version of another method."""
    if other != method.name:
        raise IncompatibleStatistics(
            f"{parse_reference(reference)} is '{other}', this name is '{method.name}'", path="refs"
        )


def _reduced(
    context: Context, method: Method, added: MergeTerms, removed: Sequence[MergeTerm]
) -> tuple[Version, Sequence[JsonObject]]:
    remaining = added.lineage.minus(summed_lineage(part.lineage for part in removed))
    settled = MergeTerms([*added.parts, *removed]).settled
    whole = fitting.total(added.versions, added.extra)
    if whole.removable:
        gone = [part.version for part in removed if part.version is not None]
        return fitting.minus(method, whole, gone, settled), remaining.as_json()
    return _rebuilt_from_leaves(context, method, remaining, settled), remaining.as_json()


def _rebuilt_from_leaves(
    context: Context, method: Method, remaining: Lineage, settled: Mapping[str, object]
) -> Version:
    """Return the sum of the leaves that remain: these statistics cannot be subtracted."""
    if remaining.leaves is None:
        raise Conflict(
            "what shall be removed is not among the recorded parents of the sum",
            hint="only versions that were merged into it can be removed from this statistic",
        )
    if not remaining.leaves:
        raise NotEnoughData("nothing remains after the removal", path="minus")
    parts = [_found_again(context, leaf) for leaf in remaining.leaves]
    return fitting.merge(method, parts, (), settled)


def _found_again(context: Context, leaf: Leaf) -> Version:
    try:
        record, version = context.versions.find(str(leaf))
    except NotFound:
        raise Conflict(
            f"the recorded parent {leaf} is gone", hint="merge the parts that shall remain"
        ) from None
    if record.hash != leaf.hash:
        raise Conflict(f"{leaf} is no longer the recorded parent")
    return version
