"""What every window method of location and scale shares."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    Statistics,
    like,
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.constants import (
    OnConstant,
    OnFew,
    check_constant_value,
    decided_constant,
)
from normalizers.contract.fields import mask
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels import segments
from normalizers.kernels.epsilon import EpsMode, check_eps, effective_scale
from normalizers.kernels.loc_scale import LocScale, degenerate
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.base.layouts import Windows
from normalizers.series.base.series_normalizer import SeriesNormalizer

Series: TypeAlias = "Array | Ragged"


@dataclass(frozen=True)
class WindowStatistics:
    """What a method measures in each window and channel, by list.

    Parameters
    ----------
    n : int64 array of shape (q,)
        Observed values.
    loc : array of shape (q,)
        The location of the observed values.
    spread : array of shape (q,)
        What would divide, before any epsilon. Where it is 0, `on_constant` decides; where it is
        NaN though there are values, `on_few`.
    constant : bool array of shape (q,)
        Largest equal to smallest value, whatever the spread.
    imprecise : bool array of shape (q,), optional
        Not constant, but a spread near the rounding of the values; by default nowhere.
    """

    n: Array
    loc: Array
    spread: Array
    constant: Array
    imprecise: Array | None = None

    @property
    def empty(self) -> Array:
        """Which windows have no observed value."""
        return np.asarray(self.n == 0)

    @property
    def few(self) -> Array:
        """Which windows have some values, but too few for the spread."""
        return np.isnan(self.spread) & ~self.empty


class WindowNormalizer(SeriesNormalizer):
    """Base of the methods that give ``y = (x - loc) / scale`` with statistics of the window.

    A method whose spread needs no second value drops `on_few`, which then has no case:
    ``on_few = None``.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("window",)
    traits = replace(SeriesNormalizer.traits, monotone=True)

    eps: float | None = param(
        default=None, default_value=0.0, affects="answer", ge=0, help="a peer's epsilon"
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="none", affects="answer", help="where the epsilon goes"
    )
    on_constant: OnConstant | None = param(
        default=None,
        default_value="scale_one",
        resolves="value when constant_value is given",
        affects="answer",
        help="what a window gives whose spread, what divides, is 0",
    )
    constant_value: float | None = param(
        default=None,
        resolves="0 with on_constant: value",
        affects="answer",
        help="the number that a window gives whose spread is 0",
    )
    on_few: OnFew | None = param(
        default=None,
        default_value="scale_one",
        affects="answer",
        help="what a window gives that has too few values for the spread",
    )
    masked_output: Literal["missing", "transform"] | None = param(
        default=None,
        default_value="missing",
        affects="answer",
        help="a value under mask 0: missing in the answer, or transformed like any other",
    )
    mask_zero: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="zeros are missing in the statistics and stay 0",
    )

    @property
    def takes(self) -> Fields:
        """Windows, and which of their values were observed."""
        return Fields(x=series(help="windows"), mask=optional(mask("n t c")))

    @property
    def gives(self) -> Fields:
        """Normalized windows, and what undoing needs."""
        return Fields(
            y=like("x", series(help="normalized windows")),
            loc=like("x", series("n 1 c", help="what was subtracted")),
            scale=like("x", series("n 1 c", help="what divided, greater than 0")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Windows or forecasts of any length, with the ``loc`` and ``scale`` of the answer."""
        return forecast_fields("1")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """A named constant value means ``on_constant: value``, which has the value 0 otherwise."""
        return decided_constant(self.on_constant, self.constant_value)

    def check(self, path: str) -> None:
        """Refuse an epsilon without a place."""
        check_eps(self.eps, self.eps_mode or self.parameters["eps_mode"].standard, path)
        check_constant_value(self.on_constant, self.constant_value, path)

    @abstractmethod
    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the statistics of every list; a list holds its observed values alone."""

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized windows with their loc and scale."""
        windows = Windows.of(cast(Series, batch["x"]))
        x = windows.lists.values
        allowed = windows.aligned(cast(Series, batch["mask"])) if "mask" in batch else None
        observed = self._observed(x, allowed)
        lists = windows.lists
        found = self.measured(lists if observed.all() else segments.compress(lists, observed))
        scales = self._scales(found)
        of_each = scales.each(lambda numbers: segments.broadcast(numbers, lists))
        y = self._passed(x, of_each.apply(x, observed), allowed)
        answer = Answer(
            {
                "y": windows.restored(y),
                "loc": windows.by_window(scales.loc),
                "scale": windows.by_window(scales.scale),
            }
        )
        answer = _flagged(answer, windows, found)
        return replace(answer, explain=_explained(windows, found)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``, and spreads and quantiles of a forecast."""
        return Answer(restored_forecasts(batch))

    def _observed(self, x: Array, allowed: Array | None) -> Array:
        observed = ~np.isnan(x)
        if allowed is not None:
            observed &= allowed
        return observed & (x != 0) if self.mask_zero else observed

    def _passed(self, x: Array, y: Array, allowed: Array | None) -> Array:
        """Return the values with what the mask and the zeros decide."""
        if self.mask_zero:
            # A zero that means nothing was there stays one, and is no value of the window.
            y = np.where(x == 0, 0.0, y)
        if allowed is not None and self.masked_output == "missing":
            y = np.where(allowed, y, np.nan)
        return y

    def _scales(self, found: WindowStatistics) -> LocScale:
        """Return what is subtracted and divided after the rules for windows without a spread."""
        spread = effective_scale(found.spread, unwrap(self.eps), unwrap(self.eps_mode))
        # A window without a value has no mean: 0 and 1 leave a forecast as it is.
        loc, scale = np.where(found.empty, 0.0, found.loc), np.where(found.empty, 1.0, spread)
        self._refuse("on_few", found.few)
        self._refuse("on_constant", scale == 0)
        scales = degenerate(
            loc,
            scale,
            found.few,
            on_few=self.on_few,
            on_constant=unwrap(self.on_constant),
            value=self.constant_value,
        )
        if np.isinf(scales.scale).any():
            raise InvalidInput("a spread is too large for a float64", path="input.x")
        return scales.plain()

    def _refuse(self, parameter: str, where: Array) -> None:
        if getattr(self, parameter) == "error" and where.any():
            raise InvalidParams(
                f"a window has too little spread for '{self.name}', and {parameter} is 'error'",
                path=f"params.{parameter}",
            )


def _flagged(answer: Answer, windows: Windows, found: WindowStatistics) -> Answer:
    flags = {
        "constant": found.constant & ~found.few,
        "empty": found.empty,
        "insufficient": found.few,
    }
    if found.imprecise is not None:
        flags["low_precision"] = found.imprecise
    for name, where in flags.items():
        answer = answer.flagged(name, windows.positions(where))
    return answer


def _explained(windows: Windows, found: WindowStatistics) -> dict[str, object]:
    """Return the statistics of each window and channel; null where there is none."""
    parts = {"n": found.n, "loc": found.loc, "spread": found.spread}
    shown = {name: windows.by_window(numbers) for name, numbers in parts.items()}
    return {name: _plain(numbers) for name, numbers in shown.items()}


def _plain(numbers: Array) -> object:
    shown = numbers.astype(object)
    shown[np.isnan(numbers)] = None
    return shown.tolist()
