"""Series without their season: every step told from the mean of its phase, stored or so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal, cast

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistic,
    Statistics,
    Traits,
    like,
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import integers, sample_paths, state
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.errors import InvalidInput, InvalidParams, NotEnoughData
from normalizers.series.base.causal import CausalNormalizer
from normalizers.series.base.expanding import check_ends
from normalizers.series.base.seasons import grown_seasons, phase_means, season_arrays
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.series.base.steps import Steps, Walk
from normalizers.statistics import Grouped, Moments

LONGEST_PERIOD = 100_000
PHASES = "phase of the first row of each window, 0 unless it is sent"


class Seasonal(CausalNormalizer):
    """Subtract the mean of the same phase: ``y[t] = x[t] - mean[(phase + t) mod period]``.

    With ``variant: ratio`` each step is divided by that mean. A fit stores one mean for each
    phase and channel. With ``scope: past`` nothing is fitted: the mean is that of the same phase
    in the seasons before, of this series itself.

    Notes
    -----
    With ``scope: fitted`` there is no state. Windows begin at phase 0, or at that in `phases`, in a
    fit, a transform and on the way back: a forecast that follows on n rows of phase p begins at
    phase p + n. Missing values are left out of the means and stay missing; a phase without a value
    in the fit is refused. Over a mean of 0 there is no ratio: it is missing and flagged
    ``zero_denominator``. Constants give zeros, or ratios of 1, and ties need no rule. Cost O(N).

    With ``scope: past`` phases are counted from the first step of the series. A phase without a
    value so far has no mean: its first season is missing and flagged ``insufficient``. The state
    holds for each phase, phase 0 first, the moments that `expanding_z_score` carries; ``inverse``
    takes a forecast and the state, as that of `difference` does, and each season of it goes on
    from the one before.

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
    >>> past = Seasonal(period=2, scope="past")
    >>> answer = past.apply_to(x=[1.0, 10.0, 3.0, 14.0])
    >>> answer["y"].tolist()
    [nan, nan, 2.0, 4.0]
    >>> past.inverse_transform([0.5, -1.0], state=answer["state"]).tolist()
    [2.5, 11.0]
    """

    name = "seasonal"
    kinds: ClassVar[tuple[Kind, ...]] = ("fitted", "causal")
    aliases = {"deseasonalize": {}}
    shaping = ("period",)
    examples = (
        Example(
            params={"period": 2},
            fit={"x": [1.0, 10.0, 3.0, 14.0]},
            input={"x": [2.0, 13.0, 5.0]},
        ),
        Example(
            name="past",
            params={"period": 2, "scope": "past"},
            input={"x": [11.1, 1.9, 7.8, 5.9, 6.1, 2.4]},
        ),
    )

    masked_output = None  # a gap is sent as one
    scope: Literal["fitted", "past"] | None = param(
        default=None,
        default_value="fitted",
        affects="statistics",
        fits_when=lambda scope: scope != "past",
        help="whose means: those of a fit, or of the seasons before in the series itself",
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
    def traits(self) -> Traits:  # type: ignore[override]
        """A state goes on; a fit takes series in any layout."""
        if self.by_past:
            return replace(CausalNormalizer.traits, way_back="onward")
        return replace(SeriesNormalizer.traits, fit_options=frozenset({"layout"}))

    @property
    def by_past(self) -> bool:
        """Whether the seasons before in the series itself are the measure."""
        return self.scope == "past"

    @property
    def acts_as(self) -> tuple[Kind, ...]:
        """Causal without a fit."""
        return ("causal",) if self.by_past else ("fitted",)

    @property
    def fits(self) -> Fields:
        """Whole windows, with their phases where these are not 0."""
        if self.by_past:
            return NO_FIELDS
        phases = optional(integers("n", help=PHASES))
        return Fields(x=series(help="rows to take the means of", ragged=False), phases=phases)

    @property
    def takes(self) -> Fields:
        """Windows, with their phases where these are not 0, or with what the rows before left."""
        if self.by_past:
            return Fields(x=series(help="rows in order"), state=state())
        phases = optional(integers("m", help=PHASES))
        return Fields(x=series("m t c", help="rows in order", ragged=False), phases=phases)

    @property
    def gives(self) -> Fields:
        """Rows without their season, and what the next request needs."""
        if self.by_past:
            return super().gives
        return Fields(y=like("x", series("m t c", help="rows without their season", ragged=False)))

    @property
    def inverse_takes(self) -> Fields:
        """Rows without their season, with their phases, or with what they follow."""
        if self.by_past:
            before = state(help="the state that the transform returned with what they follow")
            return Fields(
                y=optional(series(help="rows, or a forecast")),
                samples=sample_paths(),
                state=before,
            )
        phases = optional(integers("m", help=PHASES))
        return Fields(y=series("m t c", help="rows, or a forecast", ragged=False), phases=phases)

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The moments of each phase."""
        if self.by_past:
            return {}
        return {"moments": Grouped(Moments(), ["phase"])}

    def check(self, path: str) -> None:
        """Require a period."""
        if self.period is None:
            raise InvalidParams(
                f"'{self.name}' needs 'period', the steps in a season", path=f"{path}.period"
            )

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The moments of each phase so far."""
        return season_arrays(unwrap(self.period))

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse ends that contradict each other or the count."""
        check_ends(arrays)

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
        if self.by_past:
            return super().apply(fitted, batch, options)
        x = batch.array("x")
        means = fitted["means"][self._phases(batch, x)]
        y, zero = self._told(x, means)
        answer = Answer({"y": y})
        if zero.any():
            answer = answer.flagged("zero_denominator", np.argwhere(zero.any(axis=1)))
        parts = {"means": means.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return rows with their season."""
        if self.by_past:
            if batch.state() is None:
                raise InvalidInput(
                    "seasons go on from values: send the state that the transform returned with "
                    "them",
                    path="input.state",
                )
            if "y" not in batch:
                raise InvalidInput("send y or samples to be led back", path="input.y")
            return self.walked(batch, "y", options, self._walk_back)
        y = batch.array("y")
        means = fitted["means"][self._phases(batch, y)]
        return Answer({"x": self._with_season(y, means)})

    def walk(self, steps: Steps) -> Walk:
        """Return rows without the season so far, and the means of the phases then."""
        found = phase_means(steps, unwrap(self.period))
        known = found.n > 0
        y, zero = self._told(steps.values, np.where(known, found.mean, np.nan))
        flags = {"insufficient": steps.observed & ~known}
        if self.variant == "ratio":
            flags["zero_denominator"] = zero
        return Walk({"y": y}, found.after, flags, {"n": found.n, "mean": found.mean})

    def _walk_back(self, steps: Steps) -> Walk:
        x, after = grown_seasons(steps, unwrap(self.period), self._with_season)
        return Walk({"x": x}, after)

    def _told(self, x: Array, means: Array) -> tuple[Array, Array]:
        """Return values told from means, and where a mean of 0 tells nothing."""
        if self.variant != "ratio":
            return x - means, np.zeros(x.shape, dtype=bool)
        zero = means == 0
        return x / np.where(zero, np.nan, means), zero & ~np.isnan(x)

    def _with_season(self, y: Array, means: Array) -> Array:
        return np.asarray(y * means if self.variant == "ratio" else y + means)

    def _phases(self, batch: Batch, x: Array) -> Array:
        """Return the phase of each step, shape (n, t)."""
        windows, steps, _ = x.shape
        first = batch.array("phases") if "phases" in batch else np.zeros(windows)
        places = first.astype(np.int64)[:, None] + np.arange(steps)
        return np.asarray(places % unwrap(self.period))
