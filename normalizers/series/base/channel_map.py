"""Maps of channels by what a fit stored of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.columns.column_map import Seen
from normalizers.bases.columns.scaled import ScaledColumnMap
from normalizers.bases.columns.scales import ScaleRules
from normalizers.contract import Answer, Batch, Fitted, Options, Traits, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.min_max import clamp

Ends = tuple[float, float]
SLACK = 4 * float(np.finfo(np.float64).eps)


class ChannelMap(ScaledColumnMap[Seen]):
    """Base of the maps of channels: the columns of rows ``(n, c)``, or of windows ``(n, t, c)``.

    Notes
    -----
    Gaps are ordinary in series: a missing value is left out of the statistics and stays missing in
    its place, unless `nan_policy` refuses it.
    """

    family = "series"

    eps = None
    eps_mode = None
    on_few = None
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing value: refused, or left out and missing in its place",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="an infinite value: refused, or as a missing one",
    )

    @property
    def rules(self) -> ScaleRules:
        """What there is where channels have no scale; one value is as good as several."""
        return ScaleRules(on_constant=unwrap(self.on_constant), constant_value=self.constant_value)


class RangedChannels(ChannelMap[Seen]):
    """Base of the maps of channels to an interval, whose ends a fit stored.

    Notes
    -----
    Rows beyond the fit's ends are flagged ``out_of_range``, and with `clip` their values become the
    ends. On the way back a value at an end of a clipped range may stand for more: its row is
    flagged ``clipped``.
    """

    clip: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="clamp the answer to its range",
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """What is clamped comes back as some value of the same answer."""
        return replace(super().traits, way_back="lossy") if self.clip else super().traits

    @property
    def ends(self) -> Ends:
        """The interval that is mapped to."""
        return 0.0, 1.0

    def finish(self, y: Array) -> Array:
        """Return the values within the range, where that is asked."""
        return np.asarray(clamp(y, *self.ends)) if self.clip else y

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mapped rows, with those beyond the ends flagged."""
        answer = super().apply(fitted, batch, options)
        if self.by_request or self.by_group:
            return answer
        lowest, highest = fitted.once("ends", lambda: self._input_ends(fitted))
        x = batch.array("x")
        with np.errstate(invalid="ignore"):
            beyond = (x < lowest) | (x > highest)
        return answer.flagged("out_of_range", np.flatnonzero(beyond.any(axis=1)))

    def _input_ends(self, fitted: Fitted) -> tuple[Array, Array]:
        """Return the ends of each channel's range; one without a range has none."""
        ends = [fitted["loc"] + end * fitted["scale"] for end in self.ends]
        # The way to the ends and back was rounded: what differs by that is at an end.
        slack = SLACK * np.maximum(np.abs(ends[0]), np.abs(ends[1]))
        open_ended = fitted["constant"] > 0
        lowest = np.where(open_ended, -np.inf, np.minimum(*ends) - slack)
        return lowest, np.where(open_ended, np.inf, np.maximum(*ends) + slack)

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows behind mapped ones."""
        answer = super().undo(fitted, batch, options)
        if not self.clip:
            return answer
        low, high = self.ends
        y = batch.array("y")
        at_an_end = ((y <= low) | (y >= high)).any(axis=1)
        return answer.flagged("clipped", np.flatnonzero(at_an_end))


def check_interval(interval: list[float] | None, path: str) -> None:
    """Refuse an interval whose ends do not ascend."""
    if interval is not None and interval[0] >= interval[1]:
        raise InvalidParams("an interval is two ascending numbers", path=path)
