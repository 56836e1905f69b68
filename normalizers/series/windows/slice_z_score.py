"""Z-scores of slices: every stretch of a window with its own mean and deviation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    like,
    optional,
    param,
    series,
    unwrap,
)
from normalizers.contract.fields import mask
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams, ShapeError
from normalizers.kernels.epsilon import EpsMode, check_eps
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.base.series_normalizer import SeriesNormalizer
from normalizers.series.base.standardized import Standardized, standardized


class SliceZScore(SeriesNormalizer):
    """Standardize slices of `period` steps: ``y = (x - mean) / (std + eps)`` within each.

    Notes
    -----
    The length of a window is a multiple of `period`; a slice's answer depends on that slice alone.
    Missing and masked values are left out of the statistics and missing in the answer. A slice
    without spread comes out as 0 and flags its window and channel ``constant``, one without
    observed values ``empty``, one with too few for `ddof` ``insufficient``. Ties need no rule.
    Cost O(N).

    ``loc`` and ``scale`` have one step a slice; ``scale`` holds the epsilon, which SAN's code adds
    later. The way back takes a forecast of as many slices, whatever their length, with the
    statistics of these, as a model of SAN predicts them.

    References
    ----------
    Liu et al., "Adaptive Normalization for Non-stationary Time Series Forecasting: A Temporal
    Slice Perspective", NeurIPS 2023; icantnamemyself/SAN (Apache-2.0).

    Examples
    --------
    >>> from normalizers import SliceZScore
    >>> method = SliceZScore(period=2, ddof=0, eps=0.0)
    >>> answer = method.apply_to([1.0, 3.0, 10.0, 30.0], layout="T")
    >>> answer["y"].tolist(), answer["loc"].tolist()
    ([-1.0, 1.0, -1.0, 1.0], [2.0, 20.0])
    """

    name = "slice_z_score"
    kinds = ("window",)
    aliases = {"slice_zscore": {}}
    example = Example(
        params={"period": 3}, input={"x": [[[1.0], [2.0], [4.0], [10.0], [12.0], [17.0]]]}
    )

    period: int | None = param(
        default=None, resolves="required", affects="answer", ge=1, help="steps of a slice"
    )
    ddof: int | None = param(
        default=None, default_value=1, affects="answer", ge=0, help="the divisor is n - ddof"
    )
    eps: float | None = param(
        default=None,
        default_value=1e-5,
        resolves="0 with eps_mode: none",
        affects="answer",
        ge=0,
        help="a peer's epsilon",
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="add_std", affects="answer", help="where the epsilon goes"
    )

    def check(self, path: str) -> None:
        """Refuse slices of no length."""
        if self.period is None:
            raise InvalidParams("say the period: how many steps a slice has", path=f"{path}.period")
        check_eps(self.eps, self.eps_mode or "add_std", path)

    def defaults(self, statistics: object) -> dict[str, object]:
        """An epsilon that goes nowhere is none."""
        return {"eps": 0.0} if self.eps_mode == "none" and self.eps is None else {}

    @property
    def takes(self) -> Fields:
        """Windows of some slices, and which of their values were observed."""
        return Fields(
            x=series(ragged=False, help="windows of a multiple of period steps"),
            mask=optional(mask("n t c")),
        )

    @property
    def gives(self) -> Fields:
        """Normalized windows, and what undoing needs, a step for each slice."""
        return Fields(
            y=like("x", series(ragged=False, help="normalized windows")),
            loc=like("x", series("n s c", help="what was subtracted, by slice")),
            scale=like("x", series("n s c", help="what divided, by slice")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """A forecast of some slices, with location and scale of each."""
        return forecast_fields("s")

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized slices with their loc and scale."""
        x = batch.array("x")
        windows, steps, channels = x.shape
        slices, rest = divmod(steps, unwrap(self.period))
        if rest:
            raise ShapeError(
                f"{steps} steps are no multiple of the period {self.period}", path="input.x"
            )
        observed = ~np.isnan(x)
        if "mask" in batch:
            observed &= batch.array("mask")
        shape = (windows * slices, unwrap(self.period), channels)
        found = standardized(
            x.reshape(shape),
            observed.reshape(shape),
            ddof=unwrap(self.ddof),
            eps=unwrap(self.eps),
            eps_mode=unwrap(self.eps_mode),
        )
        by_slice = (windows, slices, channels)
        answer = Answer(
            {
                "y": found.z.reshape(x.shape),
                "loc": np.nan_to_num(found.loc).reshape(by_slice),
                "scale": found.scale.reshape(by_slice),
            }
        )
        return self._told(answer, found, by_slice, explain=options.explain)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``, slice by slice."""
        steps = next(batch.array(name).shape[1] for name in self._points(batch))
        slices = batch.array("loc").shape[1]
        if not slices or steps % slices:
            raise ShapeError(f"{steps} steps are no multiple of {slices} slices", path="input.loc")
        each = {
            name: np.repeat(batch.array(name), steps // slices, axis=1) for name in ("loc", "scale")
        }
        return Answer(restored_forecasts(batch.replace(**each)))

    def _points(self, batch: Batch) -> list[str]:
        sent = [name for name in ("y", "quantiles", "std", "variance") if name in batch]
        return sent or ["loc"]

    def _told(
        self, answer: Answer, found: Standardized, by_slice: tuple[int, int, int], *, explain: bool
    ) -> Answer:
        for flag in ("constant", "empty", "insufficient"):
            where: Array = getattr(found, flag)
            answer = answer.flagged(flag, np.argwhere(where.reshape(by_slice).any(axis=1)))
        return replace(answer, explain=found.explained()) if explain else answer
