"""What every window method of location and scale shares."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal, NamedTuple, cast

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
from normalizers.kernels.loc_scale import UNCHANGED, LocScale, degenerate, standardize
from normalizers.series.base.forecasts import forecast_fields, unscaled
from normalizers.series.base.layouts import Series, Windows, blocks, in_block
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class WindowNormalizer(SeriesNormalizer):
    """Base of the methods that give ``y = (x - loc) / scale`` with statistics of the window.

    A method writes `measured`. One whose spread needs no second value drops `on_few`, which then
    has no case: ``on_few = None``. One that maps what was scaled writes `after_scaling` and
    `before_scaling`, which must increase, and says ``straight = False`` where that is no line:
    deviations and variances of a forecast then do not come back, quantiles do.
    """

    straight: ClassVar[bool] = True
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
        """Windows or forecasts of any length, with the ``loc`` and ``scale`` of the answer.

        Deviations and variances come back through a line alone; quantiles through any map.
        """
        return forecast_fields("1", spreads=self.straight)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """A named constant value means ``on_constant: value``, which has the value 0 otherwise."""
        return decided_constant(self.on_constant, self.constant_value)

    def check(self, path: str) -> None:
        """Refuse an epsilon without a place."""
        if "eps_mode" in self.parameters:
            check_eps(self.eps, self.eps_mode or self.parameters["eps_mode"].standard, path)
        check_constant_value(self.on_constant, self.constant_value, path)
        for name, rule in (("on_constant", self.on_constant), ("on_few", self.on_few)):
            if rule in UNCHANGED and not self.straight:
                raise InvalidParams(
                    f"'{self.name}' maps what it scaled: a value that stays as it is has no way "
                    "back",
                    path=f"{path}.{name}",
                )

    @abstractmethod
    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the statistics of every list; a list holds its observed values alone."""

    def after_scaling(self, z: Array) -> Array:
        """Return what the scaled values become; the map increases. By default they stay."""
        return z

    def before_scaling(self, y: Array) -> Array:
        """Return the scaled values behind an answer; NaN where no value gives it."""
        return y

    @property
    def scale_of_nothing(self) -> float:
        """The scale of a window without observed values."""
        return 1.0

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized windows with their loc and scale."""
        x = cast(Series, batch["x"])
        allowed = cast("Series | None", batch.get("mask"))
        parts = [
            self._scaled(in_block(x, block), None if allowed is None else in_block(allowed, block))
            for block in blocks(x)
        ]
        windows = Windows(parts[0].windows.lists, None if isinstance(x, Ragged) else x.shape)
        found = WindowStatistics.joined([part.found for part in parts])
        answer = Answer(
            {
                "y": parts[0].y if len(parts) == 1 else _joined(parts, cast(Array, x)),
                "loc": windows.by_window(np.concatenate([part.loc for part in parts])),
                "scale": windows.by_window(np.concatenate([part.scale for part in parts])),
            }
        )
        for name, where in found.flags.items():
            answer = answer.flagged(name, windows.positions(where))
        return replace(answer, explain=_explained(windows, found)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y`` of what was scaled, and spreads and quantiles of a forecast."""
        return unscaled(batch, self.before_scaling, self._line()[1] if self.straight else None)

    def _scaled(self, x: Series, mask: Series | None) -> _Part:
        """Return what a block of windows gives."""
        windows = Windows.of(x)
        values, lists = windows.values, windows.lists
        allowed = None if mask is None else windows.aligned(mask).reshape(values.shape)
        observed = self._observed(values, allowed)
        seen = lists if observed.all() else segments.compress(lists, observed.reshape(-1))
        found = self.measured(seen)
        unchanged, scales = self._scales(found)
        loc, scale = windows.each(scales.loc), windows.each(scales.scale)
        y = self.after_scaling(standardize(values, loc, scale))
        if not np.isnan(scales.fixed).all():
            fixed = windows.each(scales.fixed)
            y = np.where(observed & ~np.isnan(fixed), fixed, y)
        if unchanged.any():
            y = np.where(windows.each(unchanged), values, y)
        back = self._way_back(scales, unchanged)
        return _Part(windows, windows.restored(self._passed(values, y, allowed)), *back, found)

    def _way_back(self, scales: LocScale, unchanged: Array) -> tuple[Array, Array]:
        """Return loc and scale that lead the answers back through `before_scaling`."""
        loc, scale = scales.loc, scales.scale
        fixed = ~np.isnan(scales.fixed)
        if fixed.any():
            # The scale is 1 there: the location under which the one answer gives the old one.
            behind = np.nan_to_num(self.before_scaling(scales.fixed))
            loc = np.where(fixed, loc - behind, loc)
        if unchanged.any():
            # a + s (x - a) / s = x: what a line with offset a and slope s leaves as it is.
            offset, slope = self._line()
            loc, scale = np.where(unchanged, offset, loc), np.where(unchanged, slope, scale)
        return loc, np.asarray(scale, dtype=np.float64)

    def _line(self) -> tuple[float, float]:
        """Return offset and slope of a map that is a straight line."""
        low, high = self.after_scaling(np.array([0.0, 1.0])).tolist()
        return low, high - low

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

    def _scales(self, found: WindowStatistics) -> tuple[Array, LocScale]:
        """Return which lists stay as they are, and what the others are scaled by."""
        spread = effective_scale(found.spread, self.eps or 0.0, self.eps_mode or "none")
        # A window without a value has no mean: 0 and 1 leave a forecast as it is.
        loc, scale = (
            np.where(found.empty, 0.0, found.loc),
            np.where(found.empty, self.scale_of_nothing, spread),
        )
        few, flat = found.few, scale == 0
        self._refuse("on_few", few)
        self._refuse("on_constant", flat)
        on_constant = self.on_constant or "scale_one"
        scales = degenerate(
            loc,
            scale,
            few,
            on_few=self.on_few,
            on_constant=on_constant,
            value=self.constant_value,
        )
        if np.isinf(scales.scale).any():
            raise InvalidInput("a spread is too large for a float64", path="input.x")
        stays = (few & (self.on_few in UNCHANGED)) | (flat & (on_constant in UNCHANGED))
        return stays, scales

    def _refuse(self, parameter: str, where: Array) -> None:
        if getattr(self, parameter) == "error" and where.any():
            raise InvalidParams(
                f"a window has too little spread for '{self.name}', and {parameter} is 'error'",
                path=f"params.{parameter}",
            )


class _Part(NamedTuple):
    """What a block of windows gives: normalized windows, and by list what leads them back."""

    windows: Windows
    y: Series
    loc: Array
    scale: Array
    found: WindowStatistics


def _joined(parts: Sequence[_Part], x: Array) -> Array:
    y, start = np.empty(x.shape), 0
    for part in parts:
        block = cast(Array, part.y)
        y[start : start + len(block)] = block
        start += len(block)
    return y


def _explained(windows: Windows, found: WindowStatistics) -> dict[str, object]:
    """Return the statistics of each window and channel; null where there is none."""
    parts = {"n": found.n, "loc": found.loc, "spread": found.spread}
    shown = {name: windows.by_window(numbers) for name, numbers in parts.items()}
    return {name: _plain(numbers) for name, numbers in shown.items()}


def _plain(numbers: Array) -> object:
    shown = numbers.astype(object)
    shown[np.isnan(numbers)] = None
    return shown.tolist()
