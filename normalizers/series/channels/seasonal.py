"""Series without their season: every step told from the stored mean of its phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    like,
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import integers
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidParams, NotEnoughData
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.statistics import Grouped, Moments

LONGEST_PERIOD = 100_000
PHASES = "phase of the first row of each window, 0 unless it is sent"


class Seasonal(SeriesNormalizer):
    """Subtract the mean of the same phase: ``y[t] = x[t] - mean[(phase + t) mod period]``.

    With ``variant: ratio`` each step is divided by that mean. A fit stores one mean for each
    phase and channel.

    Notes
    -----
    Windows begin at phase 0, or at that in `phases`, in a fit, a transform and on the way back: a
    forecast that follows on n rows of phase p begins at phase p + n. Missing values are left out
    of the means and stay missing; a phase without a value in the fit is refused. Over a mean of 0
    there is no ratio: it is missing and flagged ``zero_denominator``. Constants give zeros, or
    ratios of 1, and ties need no rule. Cost O(N).

    References
    ----------
    The seasonal means of classical decomposition; sktime, ``Deseasonalizer``.

    Examples
    --------
    >>> from normalizers import Seasonal
    >>> method = Seasonal(period=2).fit([1.0, 10.0, 3.0, 14.0])
    >>> method.transform([2.0, 13.0, 5.0]).tolist()
    [0.0, 1.0, 3.0]
    >>> method.inverse_transform([1.0, 0.0], phases=[1]).tolist()
    [13.0, 2.0]
    """

    name = "seasonal"
    kinds = ("fitted",)
    aliases = {"deseasonalize": {}}
    traits = replace(SeriesNormalizer.traits, fit_options=frozenset({"layout"}))
    example = Example(
        params={"period": 2},
        fit={"x": [1.0, 10.0, 3.0, 14.0]},
        input={"x": [2.0, 13.0, 5.0]},
    )

    period: int | None = param(
        default=None,
        resolves="required",
        affects="statistics",
        ge=1,
        le=LONGEST_PERIOD,
        help="steps in a season",
    )
    variant: Literal["difference", "ratio"] | None = param(
        default=None,
        default_value="difference",
        affects="answer",
        help="whether the mean is subtracted, or divides",
    )

    @property
    def fits(self) -> Fields:
        """Whole windows, with their phases where these are not 0."""
        phases = optional(integers("n", help=PHASES))
        return Fields(x=series(help="rows to take the means of", ragged=False), phases=phases)

    @property
    def takes(self) -> Fields:
        """Windows, with their phases where these are not 0."""
        phases = optional(integers("m", help=PHASES))
        return Fields(x=series("m t c", help="rows in order", ragged=False), phases=phases)

    @property
    def gives(self) -> Fields:
        """Rows without their season."""
        return Fields(y=like("x", series("m t c", help="rows without their season", ragged=False)))

    @property
    def inverse_takes(self) -> Fields:
        """Rows without their season, with their phases where these are not 0."""
        phases = optional(integers("m", help=PHASES))
        return Fields(y=series("m t c", help="rows, or a forecast", ragged=False), phases=phases)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The moments of each phase."""
        return {"moments": Grouped(Moments(), ["phase"])}

    def check(self, path: str) -> None:
        """Require a period."""
        if self.period is None:
            raise InvalidParams(
                f"'{self.name}' needs 'period', the steps in a season", path=f"{path}.period"
            )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the moments of their phases."""
        kept = cast("Grouped[Moments]", statistics["moments"])
        x = batch.array("x")
        rows = x.reshape(-1, x.shape[2])
        codes = self._phases(batch, x).reshape(-1)
        names = [str(phase) for phase in range(unwrap(self.period))]
        return statistics.replace(moments=kept.update(Labels.of_distinct(names, codes), rows))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of each phase and channel."""
        kept = cast("Grouped[Moments]", statistics["moments"])
        keys = [(str(phase),) for phase in range(unwrap(self.period))]
        held = {tuple(key) for key in kept.keys}
        for phase, key in enumerate(keys):
            if key not in held or not np.asarray(kept[key].observed).all():
                raise NotEnoughData(f"phase {phase} has a channel without a value", path="fit.x")
        means = np.stack([kept[key].mean for key in keys])
        return Fitted({"means": means}, {"c": means.shape[1]})

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return rows without their season; the parts behind them are the means."""
        x = batch.array("x")
        means = fitted["means"][self._phases(batch, x)]
        if self.variant == "ratio":
            zero = means == 0
            y = x / np.where(zero, np.nan, means)
            marked = (zero & ~np.isnan(x)).any(axis=1)
            answer = Answer({"y": y}).flagged("zero_denominator", np.argwhere(marked))
        else:
            answer = Answer({"y": x - means})
        parts = {"means": means.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return rows with their season."""
        y = batch.array("y")
        means = fitted["means"][self._phases(batch, y)]
        return Answer({"x": y * means if self.variant == "ratio" else y + means})

    def _phases(self, batch: Batch, x: Array) -> Array:
        """Return the phase of each step, shape (n, t)."""
        windows, steps, _ = x.shape
        first = batch.array("phases") if "phases" in batch else np.zeros(windows)
        places = first.astype(np.int64)[:, None] + np.arange(steps)
        return np.asarray(places % unwrap(self.period))
