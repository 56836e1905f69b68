"""Every way to a version: data, statistics, a stream, a merge. Fitting is a merge.

Methods come here checked, by whoever made them, but to `fit` and `from_statistics`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TypeVar, cast

import numpy as np

from normalizers.contract.fit_options import COMMON_FIT_OPTIONS, NO_FIT_OPTIONS, FitOptions
from normalizers.contract.fitted import Fitted
from normalizers.contract.method import UNKNOWN_STATISTICS, Method
from normalizers.contract.resolution import (
    empty_statistics,
    given_statistics_params,
    params_affecting,
    unfitted,
)
from normalizers.data.arrays import allow_overflow
from normalizers.data.batch import Batch, notice
from normalizers.data.frames import column_differences, require_columns
from normalizers.errors import (
    FitError,
    IncompatibleStatistics,
    InvalidInput,
    InvalidParams,
    NotEnoughData,
    UnsupportedOperation,
)
from normalizers.messages import printable_name
from normalizers.runtime.apply import read
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.total import total as added
from normalizers.validation.limits import Limits
from normalizers.versions.canary import CANARY, kept_canary
from normalizers.versions.version import Version, require_fit
from normalizers.versions.weights import require_mergeable

CLAMPED = "_clamped"
SUSPECT = "suspect"

M = TypeVar("M", bound=Method)


def stateless(method: Method) -> Version:
    """Return the version of a checked method that needs no fit, from its parameters alone."""
    if not method.stateless:
        raise require_fit(method)
    resolved = method.resolved(None)
    return Version(method, resolved, unfitted(resolved))


def read_fit(
    method: Method,
    values: Mapping[str, object],
    path: str = "fit",
    *,
    limits: Limits | None = None,
    options: FitOptions = NO_FIT_OPTIONS,
) -> Batch:
    """Return the validated data of a fit, with what it is asked for."""
    if not method.fittable:
        raise UnsupportedOperation(_not_fittable(method), path=path)
    resolved = method.resolved(UNKNOWN_STATISTICS)
    _require_honoured(resolved, options)
    batch = read(resolved, resolved.fits, values, path, layout=options.layout, limits=limits)
    return batch.asking(options.given)


def _require_honoured(method: Method, options: FitOptions) -> None:
    for name in sorted(options.asked - COMMON_FIT_OPTIONS - method.traits.fit_options):
        raise InvalidParams(
            f"the option '{name}' has no meaning for a fit of '{method.name}'",
            path=f"options.{name}",
        )


def fit(
    method: Method,
    values: Mapping[str, object],
    *,
    path: str = "fit",
    columns: Sequence[str] | None = None,
    options: FitOptions = NO_FIT_OPTIONS,
) -> Version:
    """Return the version fitted on all the data of one fit."""
    checked = method.validated()
    batch = read_fit(checked, values, path, options=options)
    return fit_batch(checked, batch, columns=columns)


def fit_batch(method: Method, batch: Batch, *, columns: Sequence[str] | None = None) -> Version:
    """Return the version fitted on a validated batch, whose columns may have names."""
    with allow_overflow():
        settled = method.decide(batch)
        resolved = method.resolved(UNKNOWN_STATISTICS, settled)
        statistics = resolved.accumulate(empty_statistics(resolved), batch)
    version = solve(method, statistics, settled, columns=columns or batch.columns)
    with allow_overflow():
        notes = version.resolved_method.report(batch, version.fitted)
    fitted = _with_canary(replace(version, notes=notes), batch)
    if batch.asked.get("strict"):
        _require_unclamped(fitted, batch)
    return fitted


def _with_canary(version: Version, batch: Batch) -> Version:
    """Return the version with the rows that its fit was asked to keep, in its report."""
    asked = batch.asked.get(CANARY)
    if asked is None:
        return version
    kept = kept_canary(version, asked, f"options.{CANARY}")
    return replace(version, notes={**version.notes, CANARY: kept})


def _refuse_canary(batch: Batch) -> None:
    """Refuse to keep rows where no version is made that could."""
    if batch.asked.get(CANARY) is not None:
        raise InvalidParams(
            "a canary is kept by a fit at once, not by a part of a stream",
            path=f"options.{CANARY}",
        )


def _require_unclamped(version: Version, batch: Batch) -> None:
    """Refuse a fit with a size that was clamped, as ``strict`` asks."""
    told = (*batch.notices, *version.fitted.warnings)
    clamped = [noted.code for noted in told if noted.code.endswith(CLAMPED)]
    if clamped:
        raise InvalidInput(f"strict: the fit carries {', '.join(clamped)}", path="options.strict")


def partial(method: Method, batch: Batch, settled: Mapping[str, object]) -> Statistics:
    """Return the statistics of one batch of a stream."""
    if method.ordered:
        raise UnsupportedOperation(
            f"'{method.name}' is fitted in order with these parameters, not added up from a "
            "stream; go on from a version: partial_fit, or from 'fit' with 'after'"
        )
    if not method.streams:
        raise UnsupportedOperation(f"'{method.name}' is not fitted from a stream; fit it at once")
    _refuse_canary(batch)
    resolved = method.resolved(UNKNOWN_STATISTICS, settled)
    with allow_overflow():
        return resolved.accumulate(empty_statistics(resolved), batch).told()


def go_on(
    method: Method, before: Statistics | None, batch: Batch, settled: Mapping[str, object]
) -> Statistics:
    """Return the statistics that a further batch leaves of those before it, if there are some."""
    if not method.ordered:
        part = partial(method, batch, settled)
        return part if before is None else before.merge(part)
    resolved = method.resolved(UNKNOWN_STATISTICS, settled)
    with allow_overflow():
        return resolved.accumulate(before or empty_statistics(resolved), batch)


def after(method: Method, version: Version, batch: Batch) -> Version:
    """Return the version that a further batch makes of an earlier one.

    Raises
    ------
    IncompatibleStatistics
        A version of another method, of other columns, or kept with other parameters.
    """
    _require_same_method(method, version.method)
    require_columns(batch.columns, version.columns, "fit")
    settled = params_affecting(version.resolved_method, "statistics")
    given = given_statistics_params(method)
    require_same_settings(given, {name: settled.get(name) for name in given})
    statistics = go_on(method, version.statistics, batch, settled)
    made = solve(method, statistics, settled, columns=version.columns or batch.columns)
    with allow_overflow():
        notes = made.resolved_method.report(batch, made.fitted)
    gone_on = _with_canary(replace(made, notes=notes), batch)
    if batch.asked.get("strict"):
        _require_unclamped(gone_on, batch)
    return gone_on


def stream_settings(method: Method) -> dict[str, object]:
    """Return the parameters that affect the statistics of a stream that begins."""
    return params_affecting(method.resolved(UNKNOWN_STATISTICS), "statistics")


def read_statistics(
    method: Method,
    members: Mapping[str, object],
    path: str = "statistics",
    settled: Mapping[str, object] | None = None,
) -> Statistics:
    """Return posted statistics after every check."""
    if not method.fittable:
        raise UnsupportedOperation(_not_fittable(method), path=path)
    resolved = method.resolved(UNKNOWN_STATISTICS, settled)
    statistics = empty_statistics(resolved).from_arrays(members, path)
    resolved.check_statistics(statistics, path)
    return statistics


def from_statistics(
    method: Method,
    members: Mapping[str, object],
    *,
    path: str = "statistics",
    columns: Sequence[str] | None = None,
) -> Version:
    """Return the version solved from posted statistics."""
    checked = method.validated()
    statistics = read_statistics(checked, members, path)
    return solve(checked, statistics, checked.decide(statistics), columns=columns)


def solve(
    method: Method,
    statistics: Statistics,
    settled: Mapping[str, object],
    *,
    columns: Sequence[str] | None = None,
) -> Version:
    """Return the version that these statistics determine."""
    if statistics.is_empty:
        raise NotEnoughData("there is nothing to fit: no rows, or none that is observed")
    statistics = statistics.told()
    resolved = method.resolved(statistics, settled)
    with allow_overflow():
        fitted = resolved.solve(statistics)
    _require_finite(fitted)
    names = tuple(columns) if columns is not None else None
    return Version(method, resolved, fitted, statistics, names)


def merge(
    method: Method,
    versions: Sequence[Version],
    extra: Sequence[Statistics] = (),
    settled: Mapping[str, object] | None = None,
) -> Version:
    """Return the version of everything that `versions` and `extra` statistics have seen.

    The parameters of `method` hold for the merged version; what affects the statistics must agree.
    """
    require_mergeable(method)
    if versions:
        _require_same_method(method, versions[0].method)
    require_sums(method)
    together = agreed(versions) if versions else dict(settled or {})
    columns = versions[0].columns if versions else None
    return solve(method, total(versions, extra), together, columns=columns)


def join(method: Method, versions: Sequence[Version], *, strict: bool = False) -> Version:
    """Return the version of the items of all `versions`, which saw the same bank.

    The parameters of `method` hold for the version; what affects the statistics must agree. What
    stands out among the items of later versions is in the report, and refused if `strict`.
    """
    if not versions:
        raise InvalidInput("there is nothing to join", path="refs")
    _require_same_method(method, versions[0].method)
    together = agreed(versions)
    statistics = reduce(lambda mine, theirs: mine.join(theirs), (v.statistics for v in versions))
    made = solve(method, statistics, together, columns=versions[0].columns)
    return _gated(made, versions, strict=strict)


def _gated(made: Version, versions: Sequence[Version], *, strict: bool) -> Version:
    """Return a join with what its method says of the items that are new."""
    known, *others = (version.fitted for version in versions)
    if any(not fitted.report for fitted in (known, *others)):
        known, *others = (version.solved() for version in versions)
    told = [made.resolved_method.newcomers(known, fitted) for fitted in others]
    found = [one for one in told if one]
    if not found:
        return made
    suspect = [item for one in found for item in cast("list[dict[str, object]]", one[SUSPECT])]
    gate = {**found[0], "new": sum(cast(int, one["new"]) for one in found), SUSPECT: suspect}
    if "stale" in gate:
        gate["stale"] = sum(cast(int, one["stale"]) for one in found)
    gate["largest"] = max(cast(float, one["largest"]) for one in found)
    noted = replace(made, notes={**made.notes, "gate": gate})
    if not suspect:
        return noted
    first = suspect[0]["item"]
    if strict:
        raise InvalidInput(
            f"strict: {len(suspect)} of the new items stand out as hubs, '{first}' first",
            path="options.strict",
        )
    message = f"new items stand out as hubs, '{first}' first; the report names them under 'gate'"
    warning = notice("suspect_items", message, count=len(suspect))
    fitted = replace(noted.fitted, warnings=(*noted.fitted.warnings, warning))
    return replace(noted, fitted=fitted)


def total(versions: Sequence[Version], extra: Sequence[Statistics] = ()) -> Statistics:
    """Return the sum of the statistics of versions and of further statistics."""
    parts = [*(version.statistics for version in versions), *extra]
    if not parts:
        raise InvalidInput("there is nothing to merge", path="refs")
    return added(parts)


def minus(
    method: Method,
    whole: Statistics,
    removed: Sequence[Version],
    settled: Mapping[str, object],
) -> Version:
    """Return the version of the rows that remain when those of `removed` are subtracted."""
    require_sums(method)
    remaining = reduce(lambda left, version: left.minus(version.statistics), removed, whole)
    return solve(method, remaining, settled)


def agreed(versions: Sequence[Version]) -> dict[str, object]:
    """Return the parameters that affect the statistics, the same in all `versions`."""
    settled = params_affecting(versions[0].resolved_method, "statistics") if versions else {}
    for version in versions[1:]:
        _require_same_method(versions[0].method, version.method)
        require_same_settings(settled, params_affecting(version.resolved_method, "statistics"))
        if version.columns != versions[0].columns:
            told = column_differences(version.columns or (), versions[0].columns or ())
            raise IncompatibleStatistics(f"the versions were fitted on other columns: {told}")
    return settled


def require_sums(method: Method) -> None:
    """Refuse to add up or take away what was fitted in order."""
    if method.ordered:
        raise IncompatibleStatistics(
            f"'{method.name}' is fitted in order with these parameters: each batch moves what "
            "those before it left, so that two fits have no sum and no rows can be taken out; go "
            "on from one of them: partial_fit, or a version from 'fit' with 'after'"
        )


def _require_same_method(mine: Method, theirs: Method) -> None:
    if mine.name != theirs.name:
        raise IncompatibleStatistics(
            f"'{mine.name}' and '{theirs.name}' are two methods: their statistics do not merge"
        )


def require_same_settings(mine: Mapping[str, object], theirs: Mapping[str, object]) -> None:
    """Refuse statistics that were kept with other parameters."""
    for name in sorted(mine.keys() | theirs.keys()):
        if mine.get(name) != theirs.get(name):
            raise IncompatibleStatistics(
                f"statistics do not merge: '{name}' is "
                f"{printable_name(repr(mine.get(name)))} here and "
                f"{printable_name(repr(theirs.get(name)))} there",
                path=f"params.{name}",
            )


def _require_finite(fitted: Fitted) -> None:
    """Refuse a fit that no file could hold."""
    for name, array in fitted.arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise FitError(f"the fitted '{name}' is not finite; rescale the data")


def _not_fittable(method: Method) -> str:
    weights = method.resolved(UNKNOWN_STATISTICS).weight_fields
    if weights:
        return f"'{method.name}' is not fitted: it imports weights ({', '.join(weights)})"
    hint = ""
    if "scope" in method.parameters:
        hint = "; name scope: 'fitted'"
    return f"'{method.name}' is not fitted with these parameters{hint}"
