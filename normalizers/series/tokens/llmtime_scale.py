"""The scaler of LLMTime: a quantile of the history becomes 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal, cast

import numpy as np

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
    param,
    series,
    unwrap,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.kernels.loc_scale import standardize
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.base.layouts import Windows
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.statistics import Quantiles

# The smallest scale of the basic form, as in the source.
SMALLEST = 0.01


class LlmtimeScale(SeriesNormalizer):
    """Scale a series for language models: ``y = (x - low) / q`` by the history it was fitted on.

    ``low = min - beta (max - min)`` and q is the `alpha` quantile of ``x - low``, 1 where that is
    0. With `basic` nothing is subtracted, and q is the `alpha` quantile of ``|x|``, at least 0.01.
    With ``scope: window`` every window and channel is its own history.

    Notes
    -----
    Missing values are left out of the history and stay missing. A constant history has
    ``x - low`` 0 and q 1, so that the constant comes out as 0. A window without observed values
    has low 0 and q 1 and is flagged ``empty``. Ties need no rule; quantiles are linear between
    values. Cost O(N log N).

    The way back is ``x = low + q y``, for a window with the ``loc`` and ``scale`` of the answer.

    References
    ----------
    Gruver, Finzi, Qiu, Wilson, "Large Language Models Are Zero-Shot Time Series Forecasters",
    NeurIPS 2023; ngruver/llmtime (MIT), ``get_scaler``.

    Examples
    --------
    >>> from normalizers import LlmtimeScale
    >>> method = LlmtimeScale(basic=True, alpha=1.0).fit([1.0, 2.0, 4.0])
    >>> method.transform([2.0, 8.0]).tolist()
    [0.5, 2.0]
    """

    name = "llmtime_scale"
    kinds: ClassVar[tuple[Kind, ...]] = ("window", "fitted")
    examples = (
        Example(fit={"x": [1.0, 2.0, 4.0, 9.0]}, input={"x": [2.0, 8.0]}),
        Example(name="window", params={"scope": "window"}, input={"x": [1.0, 2.0, 4.0, 9.0]}),
    )

    scope: Literal["fitted", "window"] | None = param(
        default=None,
        default_value="fitted",
        affects="statistics",
        fits_when=lambda scope: scope != "window",
        help="whose history: one that was fitted, or each window itself",
    )
    basic: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        help="divide by a quantile of the sizes alone",
    )
    alpha: float | None = param(
        default=None,
        default_value=0.95,
        affects="solution",
        ge=0,
        le=1,
        help="which quantile becomes 1",
    )
    beta: float | None = param(
        default=None,
        default_value=0.3,
        affects="solution",
        ge=0,
        help="how far below the smallest value 0 lies, in ranges",
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """A fit takes series in any layout."""
        return replace(SeriesNormalizer.traits, monotone=True, fit_options=frozenset({"layout"}))

    @property
    def fits(self) -> Fields:
        """The history."""
        if self.scope == "window":
            return NO_FIELDS
        return Fields(x=series(help="the history; windows are taken together"))

    @property
    def takes(self) -> Fields:
        """Series or windows."""
        return Fields(x=series(help="series or windows"))

    @property
    def gives(self) -> Fields:
        """Scaled series, and for windows of their own what undoing needs."""
        gives = Fields(y=like("x", series(help="scaled values")))
        if self.scope != "window":
            return gives
        return gives.with_fields(
            loc=like("x", series("n 1 c", help="what was subtracted")),
            scale=like("x", series("n 1 c", help="what divided, greater than 0")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Scaled values, or a forecast of any length."""
        if self.scope == "window":
            return forecast_fields("1")
        return Fields(y=series("n h c", help="scaled values, or a forecast of any length"))

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The values of the history, or their sizes."""
        return {} if self.scope == "window" else {"quantiles": Quantiles()}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the values of a batch."""
        x = batch["x"]
        steps = x.values[:, np.newaxis] if isinstance(x, Ragged) else np.asarray(x)
        rows = steps.reshape(-1, steps.shape[-1])
        kept = cast(Quantiles, statistics["quantiles"])
        return statistics.replace(quantiles=kept.update(np.abs(rows) if self.basic else rows))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return what is subtracted and what divides, by channel."""
        kept = cast(Quantiles, statistics["quantiles"])
        low, high = kept.ends()
        loc, scale = self._scales(low, high, np.ravel(kept.quantile(unwrap(self.alpha))))
        report = {"loc": loc.tolist(), "scale": scale.tolist()}
        return Fitted({"loc": loc, "scale": scale}, sizes={"c": len(loc)}, report=report)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scaled values."""
        x = batch["x"]
        if self.scope != "window":
            loc, scale = fitted["loc"], fitted["scale"]
            y = _each(x, lambda values: standardize(values, loc, scale))
            parts = {"loc": loc.tolist(), "scale": scale.tolist()}
            return Answer({"y": y}, explain=parts if options.explain else None)
        windows = Windows.of(cast("Array | Ragged", x))
        lists = windows.lists
        seen = segments.compress(lists, ~np.isnan(lists.values))
        empty = seen.lengths == 0
        if self.basic:
            seen = seen.with_values(np.abs(seen.values))
        ends = segments.minima(seen), segments.maxima(seen)
        quantile = np.array([_quantile(part, unwrap(self.alpha)) for part in seen])
        found = self._scales(*(np.where(empty, 0.0, each) for each in (*ends, quantile)))
        loc, scale = np.where(empty, 0.0, found[0]), np.where(empty, 1.0, found[1])
        y = standardize(
            lists.values, segments.broadcast(loc, lists), segments.broadcast(scale, lists)
        )
        sides = {"loc": windows.by_window(loc), "scale": windows.by_window(scale)}
        answer = Answer({"y": windows.restored(y), **sides})
        answer = answer.flagged("empty", windows.positions(empty))
        parts = {name: np.asarray(side).tolist() for name, side in sides.items()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return values in the units of the history."""
        if self.scope == "window":
            return Answer(restored_forecasts(batch))
        back = _each(batch["y"], lambda values: values * fitted["scale"] + fitted["loc"])
        return Answer({"x": back})

    def _scales(self, low: Array, high: Array, quantile: Array) -> tuple[Array, Array]:
        """Return location and scale from ends and quantile of values, or of their sizes."""
        if self.basic:
            return np.zeros_like(low), np.maximum(quantile, SMALLEST)
        loc = low - unwrap(self.beta) * (high - low)
        scale = quantile - loc
        return loc, np.where(scale == 0, 1.0, scale)


def _quantile(values: Array, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else 0.0


def _each(value: object, change):  # type: ignore[no-untyped-def]
    if isinstance(value, Ragged):
        return value.with_values(change(value.values))
    return np.asarray(change(np.asarray(value)))
