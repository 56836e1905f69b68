"""What causal methods of location and scale share: ``y = (x - loc) / scale`` at every step."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistics,
    like,
    param,
    unwrap,
)
from normalizers.contract import series as series_field
from normalizers.contract.constants import OnConstant, check_constant_value, decided_constant
from normalizers.data.arrays import Array, all_finite
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.epsilon import EpsMode, check_eps, effective_scale
from normalizers.kernels.loc_scale import degenerate
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.causal import CausalNormalizer
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.base.steps import Steps, Walk


@dataclass(frozen=True)
class StepStatistics:
    """What a method measures for each step.

    Parameters
    ----------
    n : int64 array of shape (s, t)
        Observed values.
    loc : array of shape (s, t)
        Their location.
    spread : array of shape (s, t)
        What would divide, before any epsilon: 0 where `on_constant` decides, NaN where there are
        too few values.
    constant : bool array of shape (s, t)
        Largest equal to smallest value, whatever the spread.
    """

    n: Array
    loc: Array
    spread: Array
    constant: Array


class CausalScaler(CausalNormalizer):
    """Base of the causal methods of location and scale; a method writes `carries` and `measured`.

    Notes
    -----
    A step whose statistics have fewer than `min_periods` observed values, or too few for a
    spread, is missing in the answer (flag ``insufficient``), unless `constant_value` is named,
    which covers these too. Statistics without spread divide by 1, so that a constant itself gives
    0 (flag ``constant``), or as `on_constant` says.

    ``loc`` and ``scale`` of every step come back for the inverse, which also takes those of one
    step for a forecast: points and quantiles ``loc + scale q``, ``std`` times scale, ``variance``
    times scale squared.
    """

    eps: float | None = param(
        default=None, default_value=0.0, affects="answer", ge=0, help="a peer's epsilon"
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="none", affects="answer", help="where the epsilon goes"
    )
    min_periods: int | None = param(
        default=None,
        default_value=1,
        affects="answer",
        ge=1,
        help="observed values that statistics need",
    )
    include_current: bool | None = param(
        default=None,
        default_value=True,
        affects="answer",
        help="whether the statistics of a step contain it",
    )
    on_constant: OnConstant | None = param(
        default=None,
        default_value="scale_one",
        resolves="value when constant_value is given",
        affects="answer",
        help="what a step gives whose statistics have no spread",
    )
    constant_value: float | None = param(
        default=None,
        resolves="0 where on_constant is value",
        affects="answer",
        help="the number without spread; named, also the one without statistics",
    )

    @property
    def gives(self) -> Fields:
        """Normalized rows, what the next request needs, and what undoing needs."""
        return super().gives.with_fields(
            loc=like("x", series_field(help="what was subtracted, by step")),
            scale=like("x", series_field(help="what divided, by step")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Rows with their ``loc`` and ``scale``, or a forecast with those of one step."""
        return forecast_fields("s")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """A named constant value means ``on_constant: value``."""
        decided = decided_constant(self.on_constant, self.constant_value)
        return {name: value for name, value in decided.items() if name == "on_constant"}

    def check(self, path: str) -> None:
        """Refuse an epsilon without a place."""
        check_eps(self.eps, self.eps_mode, path)
        check_constant_value(self.on_constant, self.constant_value, path)

    @abstractmethod
    def measured(self, steps: Steps) -> tuple[StepStatistics, Mapping[str, Array]]:
        """Return the statistics of every step, and what is carried on."""

    def walk(self, steps: Steps) -> Walk:
        """Return normalized steps with their loc and scale."""
        found, after = self.measured(steps)
        there = ~np.isnan(steps.values)
        enough = (found.n >= unwrap(self.min_periods)) & ~np.isnan(found.spread)
        if not all_finite(found.spread) and np.isinf(found.spread[enough]).any():
            raise InvalidInput("a spread is too large for a float64", path="input.x")
        spread = found.spread
        if self.eps_mode != "none":
            spread = effective_scale(spread, unwrap(self.eps), unwrap(self.eps_mode))
        loc, scale = found.loc, spread
        if not enough.all():
            # NaN, not 0 and 1: a step without statistics has no answer, and no way back.
            loc, scale = np.where(enough, loc, np.nan), np.where(enough, scale, np.nan)
        if self.on_constant == "error" and (scale == 0).any():
            raise InvalidParams(
                "statistics have no spread, and on_constant is 'error'", path="params.on_constant"
            )
        rule, value = unwrap(self.on_constant), self.constant_value
        scales = degenerate(loc, scale, on_constant=rule, value=value).plain()
        y = scales.apply(steps.values, there)
        if value is not None:
            y = np.where(there & ~enough, value, y)
        flags = {
            "constant": enough & found.constant & steps.observed,
            "insufficient": steps.observed & ~enough,
        }
        return Walk(
            {"y": y, "loc": scales.loc, "scale": scales.scale}, after, flags, {"n": found.n}
        )

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``."""
        return Answer(restored_forecasts(batch))


class CausalZScore(CausalScaler):
    """Base of the causal z-scores, ``y = (x - mean) / std``; a method writes `moments`.

    ``std = sqrt(sum (x - mean)^2 / (m - ddof))`` of the m observed values that a step looks back
    on; ``center: none`` leaves the location at 0 and does not change the spread.
    """

    center: Literal["mean", "none"] | None = param(
        default=None, default_value="mean", affects="answer", help="which location is subtracted"
    )
    ddof: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="the divisor is n - ddof"
    )
    ddof_floor: int | None = param(
        default=None, affects="answer", ge=1, help="smallest divisor of a variance"
    )

    @abstractmethod
    def moments(self, steps: Steps) -> tuple[StepMoments, Mapping[str, Array]]:
        """Return count, mean and second moment for every step, and what is carried on."""

    def measured(self, steps: Steps) -> tuple[StepStatistics, Mapping[str, Array]]:
        """Return mean and deviation."""
        found, after = self.moments(steps)
        spread = found.std(unwrap(self.ddof), self.ddof_floor)
        loc = found.mean if self.center == "mean" else np.zeros(found.mean.shape)
        return StepStatistics(found.n, loc, spread, found.constant), after
