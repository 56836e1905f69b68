"""Rolling z-scores: every step with mean and deviation of the last steps; state carried."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.carried_state import Binding, Carried, read_carried
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    like,
    param,
    series,
    unwrap,
)
from normalizers.contract.constants import OnConstant, check_constant_value
from normalizers.contract.fields import state
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import IncompatibleState, InvalidInput, InvalidParams
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.base.layouts import columns, from_columns
from normalizers.series.base.rolling import RollingStatistics, RollingWindow
from normalizers.series.base.series_normalizer import SeriesNormalizer

LARGEST_WINDOW = 1_000_000


class RollingZScore(SeriesNormalizer):
    """Standardize each step with the last `window` steps: ``y = (x - mean) / std``.

    The window of a step ends with it, or just before it (``include_current: false``);
    ``std = sqrt(sum (x - mean)^2 / (m - ddof))`` of its m observed values.

    Notes
    -----
    Causal: a step's answer depends on no later step. The answer carries a ``state`` (the last
    ``window - 1`` rows, ``window`` without the current one); sent back with the next rows it gives
    the same bits as one request, in any chunks. It is bound to the method, the parameters that
    shape it, the windows and the channels. Ragged series are normalized without a state.

    Missing values are left out and missing in the answer, and so is a step whose window holds
    fewer than `min_periods` observed values, or too few for `ddof` (flag ``insufficient``), unless
    `constant_value` is named, which covers these too. A window without spread is divided by 1, so
    the constant itself gives 0 (flag ``constant``). ``loc`` and ``scale`` of every step come back
    for the inverse, which also takes those of one step for a forecast. Windows are merged from
    blocks and nothing is ever subtracted: a spike leaves no trace. Cost O(N log window).

    References
    ----------
    Chan, Golub, LeVeque, "Algorithms for computing the sample variance", 1983.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import RollingZScore
    >>> method = RollingZScore(window=2, ddof=1)
    >>> first = method.apply_to(x=[1.0, 2.0, 4.0])
    >>> first["y"].round(4).tolist()
    [nan, 0.7071, 0.7071]
    >>> method.apply_to(x=[3.0], state=first["state"])["y"].round(4).tolist()
    [-0.7071]
    """

    name = "rolling_z_score"
    kinds = ("causal",)
    aliases = {"rolling_zscore": {}}
    traits = replace(
        SeriesNormalizer.traits, options=SeriesNormalizer.traits.options | {"start_step"}
    )
    example = Example(
        params={"window": 3, "min_periods": 2}, input={"x": [11.1, 1.9, 7.8, 5.9, 6.1]}
    )

    window: int | None = param(
        default=None,
        resolves="required",
        affects="answer",
        ge=1,
        le=LARGEST_WINDOW,
        help="steps in a window",
    )
    min_periods: int | None = param(
        default=None,
        resolves="the window",
        affects="answer",
        ge=1,
        help="observed values that statistics need",
    )
    include_current: bool | None = param(
        default=None,
        default_value=True,
        affects="answer",
        help="whether the window of a step contains it",
    )
    center: Literal["mean", "none"] | None = param(
        default=None, default_value="mean", affects="answer", help="which location is subtracted"
    )
    ddof: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="the divisor is n - ddof"
    )
    on_constant: OnConstant | None = param(
        default=None,
        default_value="scale_one",
        resolves="value when constant_value is given",
        affects="answer",
        help="what a step gives whose window has no spread",
    )
    constant_value: float | None = param(
        default=None,
        resolves="0 where on_constant is value",
        affects="answer",
        help="the number without spread; named, also the one without statistics",
    )

    @property
    def takes(self) -> Fields:
        """Rows in order, and what the answer before them carried."""
        return Fields(x=series(help="rows in order"), state=state())

    @property
    def gives(self) -> Fields:
        """Normalized rows, what the next request needs, and what undoing needs."""
        return Fields(
            y=like("x", series(help="normalized rows")),
            state=state(help="send it with the rows that follow; none for ragged series"),
            loc=like("x", series(help="what was subtracted, by step")),
            scale=like("x", series(help="what divided, by step")),
        )

    @property
    def inverse_takes(self) -> Fields:
        """Rows with their ``loc`` and ``scale``, or a forecast with those of one step."""
        return forecast_fields("s")

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Statistics need a full window unless `min_periods` says otherwise."""
        decided: dict[str, object] = {"min_periods": self.window}
        if self.constant_value is not None:
            decided["on_constant"] = "value"
        return decided

    def check(self, path: str) -> None:
        """Require a window."""
        if self.window is None:
            raise InvalidParams(
                f"'{self.name}' needs 'window', the number of steps", path=f"{path}.window"
            )
        if self.min_periods is not None and self.min_periods > self.window:
            raise InvalidParams("min_periods is at most the window", path=f"{path}.min_periods")
        check_constant_value(self.on_constant, self.constant_value, path)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized rows, and the state for the rows that follow."""
        ragged = batch["x"]
        if isinstance(ragged, Ragged):
            return self._ragged(ragged, batch, options)
        x = batch.array("x")
        binding, roller = self._binding(x), self._roller()
        before = read_carried(batch.state(), binding, options.start_step)
        rows, previous = columns(x), columns(before.rows)
        rolled = roller.rolled(rows, previous)
        sizes = x.shape[0], x.shape[2]
        after = from_columns(roller.carried(rows, previous), *sizes)
        answer = Answer(
            {
                "y": from_columns(rolled.y, *sizes),
                "state": Carried(before.step + len(rows), after).members(binding),
                "loc": from_columns(rolled.loc, *sizes),
                "scale": from_columns(rolled.scale, *sizes),
            }
        )
        for name, where in (("constant", rolled.constant), ("insufficient", rolled.insufficient)):
            marked = where.any(axis=0).reshape(sizes)
            answer = answer.flagged(name, np.argwhere(marked))
        counts = from_columns(rolled.n, *sizes).tolist()
        return replace(answer, explain={"n": counts}) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``."""
        return Answer(restored_forecasts(batch))

    def _ragged(self, x: Ragged, batch: Batch, options: Options) -> Answer:
        """Return series of unequal length, each on its own and from its beginning."""
        if batch.state() is not None:
            raise InvalidInput(
                "ragged series carry no state; send windows of one length", path="input.state"
            )
        if options.start_step:
            raise IncompatibleState("ragged series begin at step 0", path="options.start_step")
        roller, nothing = self._roller(), np.empty((0, 1))
        parts = [roller.rolled(part[:, None], nothing) for part in x]
        joined = {name: _joined(parts, name) for name in ("y", "loc", "scale")}
        answer = Answer({name: x.with_values(numbers) for name, numbers in joined.items()})
        for name in ("constant", "insufficient"):
            marked = [[bool(getattr(part, name).any())] for part in parts]
            answer = answer.flagged(name, np.argwhere(np.reshape(marked, (-1, 1))))
        counts = [part.n[:, 0].tolist() for part in parts]
        return replace(answer, explain={"n": counts}) if options.explain else answer

    def _binding(self, x: Array) -> Binding:
        window, include_current = unwrap(self.window), unwrap(self.include_current)
        return Binding(
            self.name,
            {"window": window, "include_current": include_current},
            windows=x.shape[0],
            channels=x.shape[2],
            # A window that ends with its step needs the window - 1 before it; one that ends just
            # before, all.
            kept=window - 1 if include_current else window,
        )

    def _roller(self) -> RollingWindow:
        return RollingWindow(
            unwrap(self.window),
            unwrap(self.min_periods),
            unwrap(self.ddof),
            include_current=unwrap(self.include_current),
            centred=self.center == "mean",
            on_constant=unwrap(self.on_constant),
            constant_value=self.constant_value,
        )


def _joined(parts: list[RollingStatistics], name: str) -> Array:
    return np.concatenate([np.empty(0), *(getattr(part, name)[:, 0] for part in parts)])
