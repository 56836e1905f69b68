"""Power maps of series: with a stated power, or the most likely one of each channel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Batch,
    Fields,
    Fitted,
    Statistic,
    Statistics,
    param,
    series,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import FitError, InvalidParams
from normalizers.series.base.pointwise import SeriesMap, by_channel
from normalizers.statistics import Sample


class PowerMap(SeriesMap):
    """Base of the maps with a power `lam`: given, for all channels or one each, or fitted.

    Notes
    -----
    A fit keeps its rows, for no sum tells the likelihood of a power; rows with a missing value are
    left out. The power of each channel is the one under which it is most likely normal, within
    -5..5. A channel of the fit without spread has no such power and is refused. Cost of a fit
    O(n c) a power that is tried, of which there are about 250.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("stateless", "fitted")
    traits = replace(SeriesMap.traits, fit_options=frozenset({"layout"}))
    required_or_fitted = ("lam",)

    lam: float | list[float] | None = param(
        default=None,
        affects="statistics",
        resolves="found by the fit",
        fits_when=lambda lam: lam is None,
        help="the power, or one for each channel",
    )

    @property
    def fits(self) -> Fields:
        """Rows to find the powers of; none where they are given."""
        if self.lam is not None:
            return NO_FIELDS
        return Fields(x=series(help="series or windows, whose steps are taken together"))

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The rows."""
        return {"sample": Sample(["x"])} if self.lam is None else {}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the rows of a batch."""
        sample = cast(Sample, statistics["sample"])
        x = batch["x"]
        steps = x.values[:, np.newaxis] if isinstance(x, Ragged) else np.asarray(x)
        return statistics.replace(sample=sample.update(steps.reshape(-1, steps.shape[-1])))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the most likely power of each channel."""
        rows = cast(Sample, statistics["sample"])["x"]
        rows = rows.reshape(len(rows), -1)
        powers = np.array([self._found(rows[:, place], place) for place in range(rows.shape[1])])
        return Fitted({"lam": powers}, sizes={"c": len(powers)}, report={"lam": powers.tolist()})

    @abstractmethod
    def likeliest(self, column: Array, place: int) -> float:
        """Return the power of a channel that is not constant, or refuse its values."""

    def powers(self, fitted: Fitted, values: Array) -> Array:
        """Return the power of each channel, so that it broadcasts to `values`."""
        if self.lam is None:
            return by_channel(fitted["lam"], values)
        stated = np.atleast_1d(np.asarray(self.lam, dtype=np.float64))
        channels = values.shape[2] if values.ndim > 1 else 1
        if len(stated) not in (1, channels):
            raise InvalidParams(
                f"lam has {len(stated)} powers, but there are {channels} channels",
                path="params.lam",
            )
        return by_channel(stated, values)

    def parts(self, fitted: Fitted) -> dict[str, object]:
        """Return the powers."""
        return {"lam": fitted["lam"].tolist() if self.lam is None else self.lam}

    def _found(self, column: Array, place: int) -> float:
        if len(column) and column.min() == column.max():
            raise FitError(
                f"channel {place} has one value throughout: no power makes it normal; state lam",
                path="fit.x",
            )
        return self.likeliest(column, place)
