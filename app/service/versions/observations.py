"""Observations: data or statistics folded into a name's open statistics."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial

from app.registry.errors import Conflict, RegistryError
from app.registry.records import JsonObject, NewObservation
from app.service.context import Context
from app.service.normalizers import require_streaming
from app.service.requests.bodies import ObservationBody
from app.service.requests.cancellation import raise_if_cancelled
from app.service.requests.places import at
from app.service.requests.sources import Source, read_source
from app.service.versions.newest import CurrentState, newest, with_changes
from app.service.versions.partials import opening_settings, packed, parameters_of, sum_partials
from normalizers.contract.resolution import given_statistics_params
from normalizers.data.batch import Batch
from normalizers.data.frames import require_columns
from normalizers.errors import InvalidInput, NormalizerError
from normalizers.statistics import Statistics
from normalizers.versions import fitting

logger = logging.getLogger("normd")


@dataclass(frozen=True)
class Observed:
    """What one observation did."""

    created: bool
    compaction_due: bool


def fold(context: Context, name: str, body: ObservationBody, key: str | None) -> Observed:
    """Fold an observation into the open statistics, durably, once for each key."""
    state = newest(context, name)
    require_streaming(state.resolved_method, name)
    if body.fit is None and body.statistics is None:
        raise InvalidInput("an observation is fit (data) or statistics", path="fit")
    source = read_source(context, state.method, body)
    if source.settled:
        raise InvalidInput(
            "statistics that come with the package are a fit of their own: send them to versions",
            path="fit",
        )
    known = state.version.columns if state.version is not None else None
    require_columns(source.columns, known, f"fit.{state.method.fits.main}")
    digest = source.digest(state.method)
    if key is not None and context.registry.observations.seen(name, key, digest):
        return Observed(created=False, compaction_due=False)
    settled = _settled(state, source)
    _require_same_params(context, state, body, settled)
    raise_if_cancelled()
    part = _part(state, source, settled)
    if part.is_empty:
        return Observed(created=True, compaction_due=False)
    _require_room(context, state, part)
    begin = opening_settings(settled, part)
    new = NewObservation(packed(part), part.n, begin, state.generation, digest)
    raise_if_cancelled()
    appended = context.registry.observations.append(name, new, key=key)
    due = appended.waiting > context.settings.compact_after
    return Observed(appended.created, due)


def total(context: Context, state: CurrentState) -> Statistics:
    """Return the open statistics of a name."""
    opened = context.registry.observations.open(state.name)
    settled = parameters_of(opened.begun) if opened.begun is not None else state.settled
    return sum_partials(state.method, settled, opened.partials)


def compact(context: Context, name: str) -> None:
    """Merge partials that wait, behind the answer; what cannot be merged now waits on."""
    try:
        state = newest(context, name)
        opening = context.registry.observations.open(name).begun
        if opening is not None:
            merge = partial(_merged, state, opening)
            context.registry.observations.compact(name, merge)
    except (RegistryError, NormalizerError) as error:
        logger.warning("observations of %s are not compacted: %s", name, error)


def _merged(state: CurrentState, opening: JsonObject, partials: list[bytes]) -> bytes:
    return packed(sum_partials(state.method, parameters_of(opening), partials))


def _part(state: CurrentState, source: Source, settled: JsonObject) -> Statistics:
    if source.statistics is None:
        with at(source.kind):
            return fitting.partial(state.method, source.batch or Batch({}), settled)
    if not source.statistics.mergeable:
        raise InvalidInput(
            "statistics without 'n' fit, but they do not add up; post 'n' too", path="statistics"
        )
    return source.statistics


def _require_room(context: Context, state: CurrentState, part: Statistics) -> None:
    """Refuse what would make the sum too large, before it is stored.

    The rows are counted first: only near a limit are the partials added up.
    """
    rows = context.registry.observations.rows(state.name)
    if part.limit is not None and rows and rows + part.n > part.limit:
        total(context, state).merge(part)


def _require_same_params(
    context: Context, state: CurrentState, body: ObservationBody, settled: JsonObject
) -> None:
    """Refuse parameters by which other statistics would be kept."""
    asked = given_statistics_params(with_changes(context, state, body.params, refit=True))
    different = [name for name in sorted(asked) if settled.get(name, asked[name]) != asked[name]]
    if body.params and different:
        raise Conflict(
            f"the open statistics of '{state.name}' are kept with another {', '.join(different)}",
            hint="send the data without params, or create another name",
        )


def _settled(state: CurrentState, source: Source) -> dict[str, object]:
    """Return what the open statistics are kept with: the newest version's, or the first part's."""
    opening = state.settled or fitting.stream_settings(state.method)
    if source.statistics is None:
        return opening
    told = state.method.decide(source.statistics)
    if state.settled:
        fitting.require_same_settings(state.settled, {**state.settled, **told})
    return {**opening, **told}
