"""What every method of series shares: its options, the axes of its flags, its policies."""

from __future__ import annotations

from typing import Literal

from normalizers.contract import Answer, Batch, Fitted, Options, Traits, param
from normalizers.data.batch import State
from normalizers.normalizer import Normalizer
from normalizers.series.base.paths import SAMPLES, as_windows, beside, of_windows


class SeriesNormalizer(Normalizer):
    """Base of the methods of windows ``(n, t, c)``; flags name a window and a channel.

    Notes
    -----
    Sample paths of a forecast, ``samples (n, p, h, c)``, are led back one by one, each as a
    forecast of its window.
    """

    family = "series"
    traits = Traits(options=frozenset({"layout"}), flag_axes=(0, 2))

    nan_policy: Literal["reject", "omit", "propagate"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing value: refused, or left out and missing in its place",
    )
    inf_policy: Literal["as_nan", "reject"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="an infinity: as a missing value, or refused",
    )

    def led_back(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the way back of points, spreads and quantiles, and of each sample path."""
        if SAMPLES not in batch:
            return self.undo(fitted, batch, options)
        other = beside(batch)
        answer = Answer({}) if other is None else self.undo(fitted, other, options)
        paths = as_windows(batch, self.state_of_paths(batch, options))
        return of_windows(answer, self.undo(fitted, paths, options), batch)

    def state_of_paths(self, batch: Batch, options: Options) -> State | None:
        """Return the state that every path goes on from; None where there is none."""
        return None
