"""A live sample as a fit would count it, and each statistic of the fit beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

import numpy as np

from normalizers.contract.method import Method
from normalizers.contract.resolution import empty_statistics
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.labels import Labels
from normalizers.data.ragged import Ragged
from normalizers.errors import UnsupportedOperation, relocated
from normalizers.measures import drift as measures
from normalizers.measures.drift import Part
from normalizers.statistics import (
    Extrema,
    Grouped,
    Knots,
    Moments,
    Quantiles,
    Scatter,
    Statistic,
)

DISTRIBUTION, RANGE, MOMENTS = "distribution", "range", "moments"
GROUPS = "groups"
FIT_PREFIX, INPUT_PREFIX = "fit.", "input."
PROBABILITIES = "p"
# Statistics that tell of single values, by name, whether grouped or not.
SINGLE = frozenset({"quantiles", "knots", "extrema", "moments", "scatter"})
Groups: TypeAlias = Grouped[Quantiles] | Grouped[Extrema] | Grouped[Moments]


@dataclass(frozen=True)
class Sample:
    """A live sample.

    Parameters
    ----------
    name : str
        The field of the input that holds it.
    columns : array of shape (n, c)
        NaN is missing.
    statistics : mapping
        What the method's fit would keep of it; empty where a fit takes more than the input has.
    groups : Labels of n rows, or None
        Whose the rows are.
    """

    name: str
    columns: Array
    statistics: Mapping[str, Statistic]
    groups: Labels | None = None


@dataclass(frozen=True)
class Compared:
    """What the statistics of a fit tell of a sample.

    Parameters
    ----------
    parts : mapping
        ``distribution``, ``range`` and ``moments``, as far as the statistics know.
    membership : mapping
        Which groups were compared, and how many were not.
    """

    parts: Mapping[str, Part]
    membership: Mapping[str, object] = field(default_factory=dict)


def read_sample(resolved: Method, batch: Batch) -> Sample:
    """Return the input of a transform as a sample.

    Raises
    ------
    UnsupportedOperation
        For an input without numbers.
    """
    name, columns = columns_of(resolved, batch)
    groups = batch.labels(GROUPS) if GROUPS in batch else None
    return Sample(name, columns, _counted(resolved, batch), groups)


def columns_of(resolved: Method, batch: Batch) -> tuple[str, Array]:
    """Return the field of an input that holds its numbers, and those as rows of columns.

    Raises
    ------
    UnsupportedOperation
        For an input without numbers.
    """
    for name, declared in resolved.takes.items():
        value = batch.get(name)
        numbers = value.values if isinstance(value, Ragged) else value
        if declared.numeric and isinstance(numbers, np.ndarray):
            width = numbers.shape[-1] if numbers.ndim > 1 else 1
            rows = prod(numbers.shape[:-1]) if numbers.ndim > 1 else numbers.size
            return name, numbers.astype(np.float64).reshape(rows, width)
    raise UnsupportedOperation(f"the input of '{resolved.name}' holds no numbers to compare")


def comparable(method: Method) -> bool:
    """Return whether a fit of a method keeps anything of single values."""
    by_group = "groups" in method.takes
    names = [
        kept.name for kept in method.keeps.values() if by_group or not isinstance(kept, Grouped)
    ]
    return not SINGLE.isdisjoint(names)


def compared(kept: Mapping[str, Statistic], sample: Sample) -> Compared:
    """Return what every statistic of a fit tells of a sample, by group where it has groups."""
    grouped = {name: one for name, one in kept.items() if isinstance(one, Grouped)}
    if grouped and sample.groups is not None:
        return _by_group(grouped, sample, sample.groups)
    parts: dict[str, Part] = {}
    for name, fitted in kept.items():
        live = sample.statistics.get(name)
        if live is not None and live.is_empty:
            continue  # another part of the fit: the input is none of its rows
        parts |= _beside(fitted, sample.statistics.get(name), sample.columns)
    return Compared(parts)


def _counted(resolved: Method, batch: Batch) -> Mapping[str, Statistic]:
    """Return the statistics a fit would keep of the input, or none where it takes more."""
    fits = resolved.fits
    shared = {name: batch[name] for name in fits if name in batch}
    required = {name for name, declared in fits.items() if declared.required}
    alternatives = fits.any_of or fits.one_of
    chosen = any(shared.keys() >= set(names) for names in alternatives) or not alternatives
    if not shared or required - shared.keys() or not chosen:
        return {}
    with relocated(_of_input):
        named = Batch(shared, batch.forms).named(batch.columns)
        return resolved.accumulate(empty_statistics(resolved), named)


def _of_input(path: str) -> str:
    """Return the place in the input for that in a fit, which a method names itself."""
    if not path.startswith(FIT_PREFIX):
        return path
    return INPUT_PREFIX + path.removeprefix(FIT_PREFIX)


def _beside(fitted: Statistic, live: Statistic | None, columns: Array) -> dict[str, Part]:
    """Return what one statistic tells; nothing for one that knows no single values."""
    match fitted:
        case Quantiles():
            return _samples(fitted, live, columns)
        case Knots() if columns.shape[1] == 1:
            return _samples(measures.sample_of_knots(fitted), None, columns)
        case Extrema():
            now = live if isinstance(live, Extrema) else Extrema().update(columns)
            return {RANGE: measures.span(fitted, now, columns)}
        case Moments():
            moments = live if isinstance(live, Moments) else Moments().update(columns)
            before, after = map(measures.spread_of_moments, (fitted, moments))
            return {MOMENTS: measures.moments(before, after)}
        case Scatter() if isinstance(live, Scatter):
            before, after = map(measures.spread_of_scatter, (fitted, live))
            return {MOMENTS: measures.moments(before, after)}
        case _:
            return {}


def _samples(fitted: Quantiles, live: Statistic | None, columns: Array) -> dict[str, Part]:
    now = live if isinstance(live, Quantiles) else Quantiles().update(columns)
    return {
        DISTRIBUTION: measures.distribution(fitted, now),
        RANGE: measures.span_of_samples(fitted, now),
    }


def _by_group(kept: Mapping[str, Groups], sample: Sample, groups: Labels) -> Compared:
    """Compare the groups that both the fit and the sample have."""
    first = next(iter(kept.values()))
    positions = first.positions(groups)
    rows = {key: positions == index for index, key in enumerate(first)}
    present = {key: own for key, own in rows.items() if own.any()}
    found = [_of_group(kept, sample, key, own) for key, own in present.items()]
    membership = {
        GROUPS: [list(key) if len(key) > 1 else key[0] for key in present],
        "groups_absent": len(rows) - len(present),
        "rows_of_unknown_groups": int((positions < 0).sum()),
    }
    return Compared(_stacked(found), membership)


def _of_group(
    kept: Mapping[str, Groups], sample: Sample, key: tuple[str, ...], rows: Array
) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for name, groups in kept.items():
        counted = sample.statistics.get(name)
        live = counted[key] if isinstance(counted, Grouped) and key in counted else None
        if key in groups:
            parts |= _beside(groups[key], live, sample.columns[rows])
    return parts


def _stacked(found: list[dict[str, Part]]) -> dict[str, Part]:
    """Return the parts of all groups on a first axis of groups."""
    if not found:
        return {}
    return {
        name: {
            one: part[one] if one == PROBABILITIES else np.stack([own[name][one] for own in found])
            for one in part
        }
        for name, part in found[0].items()
    }
