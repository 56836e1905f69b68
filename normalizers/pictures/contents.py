"""What a picture of a version shows, by what its report and fitted arrays hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from normalizers.data.arrays import Array
from normalizers.pictures.plots import (
    MOST_ARRAYS,
    BarsPlot,
    CurvePlot,
    Distribution,
    EcdfPlot,
    GroupPlot,
    Plot,
    ReliabilityPlot,
    ScreePlot,
    TrialsPlot,
    TwoEcdfPlot,
)

SPECTRUM, QUANTILES, GROUPS = "spectrum", "quantiles", "groups"
STATISTICS, FITTED = "statistics", "fitted"
KEYS, MEAN, STD = "keys", "mean", "std"
VALUES, COUNTS = "values", "counts"
SEARCH, BOOTSTRAP, PICTURES = "search", "bootstrap", "pictures"
CURVE, SAYS = "curve", "says"
FEWEST_DRAWN = 3
# Measures of hubs that are shares, and fit on one axis.
SHARES = ("robin_hood", "gini", "antihub_rate", "hub_occurrence")


def plots_of(report: Mapping[str, object], fitted: Mapping[str, object]) -> list[Plot]:
    """Return what there is to draw of a version."""
    found: list[Plot] = [*_of_report({FITTED: fitted, **report}), *_of_samples(report, fitted)]
    return found or _arrays(fitted)[:MOST_ARRAYS]


def before_and_after(before: Array, after: Array) -> list[Plot]:
    """Return the distributions of an input and of what it became."""
    return [
        Distribution(title, _finite(values))
        for title, values in (("before", before), ("after", after))
        if _finite(values).size
    ]


def plots_of_diagnosis(found: Mapping[str, Any]) -> list[Plot]:
    """Return the measures of hubs that are shares, before, after and of random lists."""
    names = [name for name in SHARES if name in found["measures"]]
    numbers = {
        when: np.array([found["measures"][name][when] for name in names], dtype=np.float64)
        for when in ("before", "after", "random")
    }
    return [BarsPlot(f"{found['k']} nearest of {found['n']} live queries", names, numbers)]


def two_distributions(shares: Array, fitted: Array, live: Array) -> list[Plot]:
    """Return the quantiles of a fit beside those of a sample, a plot a column."""
    if fitted.ndim == 1:
        return [TwoEcdfPlot("distribution", shares, fitted, live)]
    pairs = zip(fitted.reshape(len(shares), -1).T, live.reshape(len(shares), -1).T, strict=True)
    found = [
        TwoEcdfPlot(f"column {place + 1}", shares, before, now)
        for place, (before, now) in enumerate(pairs)
    ]
    return list(found[:MOST_ARRAYS])


def _of_report(report: Mapping[str, object]) -> Iterator[Plot]:
    yield from _searched(report)
    yield from _tried(report)
    yield from _declared(report)
    spectrum = _numbers(report.get(SPECTRUM))
    if spectrum is not None:
        yield ScreePlot("spectrum", spectrum)
    groups = report.get(GROUPS)
    if isinstance(groups, list) and groups and {KEYS, MEAN, STD} <= groups[0].keys():
        yield from _spreads(groups)


def _searched(report: Mapping[str, object]) -> Iterator[Plot]:
    """Yield the measure by the weight that was searched, where it is one number."""
    search = report.get(SEARCH)
    if not isinstance(search, Mapping):
        return
    trials, best = search.get("trials"), search.get("best")
    if not isinstance(trials, list) or not trials or not isinstance(best, Mapping):
        return
    (*names, last) = trials[0]
    numbers = [name for name in names if isinstance(trials[0][name], int | float)]
    for name in numbers if len(names) == 1 else ():
        order = sorted(trials, key=lambda trial: trial[name])
        x, y = (np.array([trial[key] for trial in order], dtype=np.float64) for key in (name, last))
        measure = str(search.get("measure", last))
        interval = _interval(report, name)
        yield CurvePlot(f"{measure} by {name}", x, {measure: y}, name, best[name], interval)


def _tried(report: Mapping[str, object]) -> Iterator[Plot]:
    """Yield the trials of a report's members that hold a ``curve`` and say which one suits."""
    for told in report.values():
        if not isinstance(told, Mapping):
            continue
        curve = told.get(CURVE)
        if not isinstance(curve, list) or not curve or SAYS not in curve[0]:
            continue
        measured = [name for name, value in curve[0].items() if type(value) is float]
        if measured:
            names, values = zip(*((one[SAYS], one[measured[-1]]) for one in curve), strict=True)
            chosen = names.index(told[SAYS])
            yield TrialsPlot("recommended", names, np.array(values), measured[-1], chosen)


def _interval(report: Mapping[str, object], name: str) -> tuple[float, float] | None:
    """Return where the choice lies on resampled queries."""
    found = report.get(BOOTSTRAP)
    chosen = found.get("chosen") if isinstance(found, Mapping) else None
    ends = chosen.get(name) if isinstance(chosen, Mapping) else None
    return (float(ends[0]), float(ends[1])) if isinstance(ends, list) and len(ends) == 2 else None


def _declared(report: Mapping[str, object]) -> Iterator[Plot]:
    """Yield the curves and bars that a report declares of its own members.

    A method writes ``"pictures": [{"title": ..., "x": member, "y": member}]`` into its report; a
    path to a member has dots, and without `x` the numbers are drawn as a distribution. `y` may be
    several members, and below ``fitted`` stand the fitted arrays.
    """
    declared = report.get(PICTURES)
    for one in declared if isinstance(declared, list) else ():
        names = [one["y"]] if isinstance(one["y"], str) else one["y"]
        told = {name: _numbers(member(report, name)) for name in names}
        drawn = {name: y for name, y in told.items() if y is not None}
        x = _numbers(member(report, one["x"])) if "x" in one else None
        if x is None:
            yield from (Distribution(one["title"], y) for y in drawn.values())
        elif drawn:
            curves = {name.rpartition(".")[2]: y for name, y in drawn.items()}
            yield CurvePlot(one["title"], x, curves, one["x"])


def member(report: Mapping[str, object], path: str) -> object:
    """Return what stands at a path of a report, None where nothing does.

    Examples
    --------
    >>> from normalizers.pictures.contents import member
    >>> member({"search": {"best": 0.5}}, "search.best")
    0.5
    """
    found: object = report
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def plots_of_evaluation(answer: Mapping[str, object]) -> list[Plot]:
    """Return the threshold curves and reliability diagrams of an evaluation."""
    found: list[Plot] = []
    for curve in _objects(answer.get("threshold_curves")):
        x = np.asarray(curve["threshold"], dtype=np.float64)
        names = [name for name in ("precision", "recall", "f1") if name in curve]
        curves = {name: np.asarray(curve[name], dtype=np.float64) for name in names}
        best = curve.get("best")
        chosen = best["threshold"] if isinstance(best, Mapping) else None
        found.append(CurvePlot(_titled("threshold", curve), x, curves, "threshold", chosen))
    for diagram in _objects(answer.get("reliability")):
        predicted, observed = (
            np.asarray(diagram[name], dtype=np.float64) for name in ("predicted", "observed")
        )
        found.append(ReliabilityPlot(_titled("reliability", diagram), predicted, observed))
    return found


def _titled(title: str, one: Mapping[str, object]) -> str:
    return f"{title}: {one['run']}" if "run" in one else title


def _objects(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _spreads(groups: Sequence[Mapping[str, Any]]) -> Iterator[Plot]:
    names = [" / ".join(map(str, group[KEYS])) for group in groups]
    means = np.array([group[MEAN] for group in groups], dtype=np.float64)
    stds = np.array([group[STD] for group in groups], dtype=np.float64)
    for column in range(means.shape[1]):
        title = "groups" if means.shape[1] == 1 else f"groups, column {column + 1}"
        yield GroupPlot(title, names, means[:, column], np.nan_to_num(stds[:, column]))


def _of_samples(report: Mapping[str, object], fitted: Mapping[str, object]) -> Iterator[Plot]:
    """Yield the distribution of the sample: exact where it is kept, else by its quantiles."""
    values, counts = _numbers(fitted.get(VALUES)), _numbers(fitted.get(COUNTS))
    if values is not None and counts is not None and len(values) == len(counts):
        yield EcdfPlot("distribution of the sample", values, np.cumsum(counts) / counts.sum())
        return
    statistics = report.get(STATISTICS)
    for name, summary in statistics.items() if isinstance(statistics, Mapping) else ():
        quantiles = summary.get(QUANTILES) if isinstance(summary, Mapping) else None
        if isinstance(quantiles, Mapping) and quantiles:
            levels = np.array([float(level) for level in quantiles])
            columns = np.array(list(quantiles.values()), dtype=np.float64)
            yield EcdfPlot(f"quantiles of {name}", columns.reshape(len(levels), -1)[:, 0], levels)


def _arrays(fitted: Mapping[str, object]) -> list[Plot]:
    """Return the distribution of each row of numbers that a fit holds."""
    rows = {name: _numbers(value) for name, value in fitted.items()}
    return [Distribution(name, values) for name, values in rows.items() if values is not None]


def _numbers(value: object) -> Array | None:
    """Return a row of at least three finite numbers, or None."""
    if not isinstance(value, list | np.ndarray):
        return None
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    drawable = array.ndim == 1 and len(array) >= FEWEST_DRAWN and bool(np.isfinite(array).all())
    return array if drawable else None


def _finite(values: Array) -> Array:
    flat = np.asarray(values, dtype=np.float64).reshape(-1)
    return flat[np.isfinite(flat)]
