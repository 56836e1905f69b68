"""The parts of pictures, each drawn on the axes of matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from normalizers.data.arrays import Array

MOST_BARS = 40
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


@dataclass(frozen=True)
class CurvePlot(Plot):
    """Values by what was tried, with what was chosen and where the choice may lie."""

    x: Array
    curves: Mapping[str, Array]
    label: str
    chosen: float | None = None
    interval: tuple[float, float] | None = None

    def draw(self, axes: Any) -> None:
        """Draw a line a curve, the choice upright, and its interval behind them."""
        if self.interval is not None:
            axes.axvspan(*self.interval, alpha=0.2, color="tab:gray", label="interval")
        for name, values in self.curves.items():
            axes.plot(self.x, values, marker="." if len(self.x) <= MOST_BARS else None, label=name)
        if self.chosen is not None:
            axes.axvline(self.chosen, linestyle="--", color="tab:orange", label="chosen")
        axes.set_xlabel(self.label)
        axes.legend()


@dataclass(frozen=True)
class TrialsPlot(Plot):
    """What each of a few trials reached, and which was chosen."""

    names: Sequence[str]
    values: Array
    label: str
    chosen: int

    def draw(self, axes: Any) -> None:
        """Draw a point a trial in the order they were tried, the choice in another colour."""
        places = np.arange(len(self.names))[::-1]
        axes.plot(self.values, places, marker="o", linestyle=":")
        chosen = self.values[self.chosen], places[self.chosen]
        axes.plot(*chosen, marker="o", color="tab:orange", linestyle="", label="chosen")
        axes.set_yticks(places, self.names)
        axes.set_xlabel(self.label)
        axes.legend()


@dataclass(frozen=True)
class BarsPlot(Plot):
    """Numbers by name, each under several conditions side by side; NaN is left out."""

    names: Sequence[str]
    bars: Mapping[str, Array]

    def draw(self, axes: Any) -> None:
        """Draw a group of bars a name, one a condition."""
        width = 0.8 / max(1, len(self.bars))
        places = np.arange(len(self.names))
        for index, (label, values) in enumerate(self.bars.items()):
            axes.bar(
                places + (index - (len(self.bars) - 1) / 2) * width, values, width, label=label
            )
        axes.set_xticks(places, self.names)
        axes.legend()


@dataclass(frozen=True)
class ReliabilityPlot(Plot):
    """Observed shares by predicted probability, beside those of perfect calibration."""

    predicted: Array
    observed: Array

    def draw(self, axes: Any) -> None:
        """Draw a point a bin and the diagonal."""
        axes.plot([0, 1], [0, 1], linestyle=":", color="tab:gray", label="calibrated")
        axes.plot(self.predicted, self.observed, marker="o", label="observed")
        axes.set_xlabel("predicted probability")
        axes.set_ylabel("observed share")
        axes.legend()


@dataclass(frozen=True)
class PartsPlot(Plot):
    """Fused scores as the sum of what each run gives to them."""

    ids: Sequence[str]
    parts: Mapping[str, Array]

    def draw(self, axes: Any) -> None:
        """Draw a bar a document, best first, with a piece a run, negative ones the other way."""
        places = np.arange(len(self.ids))[::-1]
        above, below = np.zeros(len(self.ids)), np.zeros(len(self.ids))
        for name, values in self.parts.items():
            start = np.where(values < 0, below, above)
            axes.barh(places, values, left=start, label=name)
            above, below = above + np.maximum(values, 0), below + np.minimum(values, 0)
        axes.set_yticks(places, self.ids)
        axes.set_xlabel("contribution to the score")
        axes.legend()


def _bins(values: Array) -> int:
    return int(min(MOST_BINS, max(FEWEST_BINS, np.sqrt(len(values)))))
