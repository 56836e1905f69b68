"""What a picture of a version shows, by what its report and fitted arrays hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from normalizers.data.arrays import Array

SPECTRUM, QUANTILES, GROUPS = "spectrum", "quantiles", "groups"
STATISTICS = "statistics"
KEYS, MEAN, STD = "keys", "mean", "std"
VALUES, COUNTS = "values", "counts"
MOST_BARS = 40
FEWEST_DRAWN = 3
FEWEST_BINS, MOST_BINS = 10, 60
MOST_ARRAYS = 4


@dataclass(frozen=True)
class Plot:
    """One part of a picture; a subclass draws it.

    Parameters
    ----------
    title : str
        What it shows.
    """

    title: str

    def draw(self, axes: Any) -> None:
        """Draw on matplotlib's axes."""
        raise NotImplementedError


@dataclass(frozen=True)
class ScreePlot(Plot):
    """Eigenvalues, largest first, and the share of the variance that they add up to."""

    values: Array

    def draw(self, axes: Any) -> None:
        """Draw eigenvalues as a line and their cumulated share on a second axis."""
        places = np.arange(1, len(self.values) + 1)
        axes.plot(places, self.values, marker="." if len(places) <= MOST_BARS else None)
        axes.set_xlabel("direction")
        axes.set_ylabel("eigenvalue")
        if self.values.min() > 0:
            axes.set_yscale("log")
        total = self.values.sum()
        if total > 0:
            share = axes.twinx()
            share.plot(places, np.cumsum(self.values) / total, color="tab:orange")
            share.set_ylim(0, 1)
            share.set_ylabel("share of the variance, cumulated")


@dataclass(frozen=True)
class EcdfPlot(Plot):
    """A distribution: the share of the sample below each value."""

    values: Array
    shares: Array

    def draw(self, axes: Any) -> None:
        """Draw shares as steps over values."""
        axes.plot(self.values, self.shares, drawstyle="steps-post")
        axes.set_ylim(0, 1)
        axes.set_xlabel("value")
        axes.set_ylabel("share at or below")


@dataclass(frozen=True)
class TwoEcdfPlot(Plot):
    """Two distributions by their quantiles, the fitted one and a live one."""

    shares: Array
    fitted: Array
    live: Array

    def draw(self, axes: Any) -> None:
        """Draw both as lines over values."""
        axes.plot(self.fitted, self.shares, marker=".", label="fitted")
        axes.plot(self.live, self.shares, marker=".", label="live")
        axes.set_ylim(0, 1)
        axes.set_xlabel("value")
        axes.set_ylabel("share at or below")
        axes.legend()


@dataclass(frozen=True)
class GroupPlot(Plot):
    """Mean and standard deviation of each group."""

    names: Sequence[str]
    means: Array
    stds: Array

    def draw(self, axes: Any) -> None:
        """Draw one point a group with a bar of one deviation to each side, by mean."""
        order = np.argsort(self.means, kind="stable")
        places = np.arange(len(order))
        axes.errorbar(self.means[order], places, xerr=self.stds[order], fmt="o", capsize=3)
        if len(order) <= MOST_BARS:
            axes.set_yticks(places, [self.names[place] for place in order])
        axes.set_xlabel("mean, and one standard deviation to each side")


@dataclass(frozen=True)
class Distribution(Plot):
    """Numbers: a bar each where they are few, else a histogram."""

    values: Array

    def draw(self, axes: Any) -> None:
        """Draw bars or a histogram."""
        if len(self.values) <= MOST_BARS:
            axes.bar(np.arange(len(self.values)), self.values)
            axes.set_xlabel("place")
            return
        axes.hist(self.values, bins=_bins(self.values))
        axes.set_xlabel("value")
        axes.set_ylabel("how many")


def plots_of(report: Mapping[str, object], fitted: Mapping[str, object]) -> list[Plot]:
    """Return what there is to draw of a version."""
    found: list[Plot] = [*_of_report(report), *_of_samples(report, fitted)]
    return found or _arrays(fitted)[:MOST_ARRAYS]


def before_and_after(before: Array, after: Array) -> list[Plot]:
    """Return the distributions of an input and of what it became."""
    return [
        Distribution(title, _finite(values))
        for title, values in (("before", before), ("after", after))
        if _finite(values).size
    ]


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
    spectrum = _numbers(report.get(SPECTRUM))
    if spectrum is not None:
        yield ScreePlot("spectrum", spectrum)
    groups = report.get(GROUPS)
    if isinstance(groups, list) and groups and {KEYS, MEAN, STD} <= groups[0].keys():
        yield from _spreads(groups)


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


def _bins(values: Array) -> int:
    return int(min(MOST_BINS, max(FEWEST_BINS, np.sqrt(len(values)))))
