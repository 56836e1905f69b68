"""What windows share that are scaled by mean and deviation."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.contract import param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.kernels.segments import ListMoments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics

# A mean of float64 values is known to a few units in the last place.
ROUNDING = 4 * float(np.finfo(np.float64).eps)
SMALLEST_NORMAL = float(np.finfo(np.float64).smallest_normal)


class ZScoreWindow(WindowNormalizer):
    """Base of ``(x - mean) / std`` of the observed values of each window and channel.

    Notes
    -----
    ``std = sqrt(sum (x - mean)^2 / (m - ddof))`` of the m observed values. A window's answer
    depends on that window alone, and the values of early steps on later ones of the same window.
    Missing and masked values are left out of the statistics and missing in the answer. Ties need
    no rule. A window without spread (maximum = minimum, exactly) comes out as exact zeros with
    scale 1 and is flagged ``constant``; one without observed values gets loc 0, scale 1 and the
    flag ``empty``; one with too few for `ddof` the flag ``insufficient``; one whose spread is
    near the rounding of its values the flag ``low_precision``. There is no epsilon: windows of
    1e-200 or 1e300 are as exact as any other. Cost O(N).
    """

    center: Literal["mean", "none"] | None = param(
        default=None, default_value="mean", affects="answer", help="which location is subtracted"
    )
    scale: Literal["std", "rms", "none"] | None = param(
        default=None, default_value="std", affects="answer", help="which spread divides"
    )
    ddof: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="the divisor is n - ddof"
    )
    ddof_floor: int | None = param(
        default=None, affects="answer", ge=1, help="smallest divisor of a variance"
    )

    def check(self, path: str) -> None:
        """Refuse an epsilon without a spread."""
        if self.scale == "none" and self.eps:
            raise InvalidParams("eps has no meaning with scale: 'none'", path=f"{path}.eps")

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return mean and deviation of every list."""
        moments = segments.centred_moments(observed)
        spread = self._spread(moments)
        constant = segments.constant(observed)
        loc = moments.mean if self.center == "mean" else np.zeros(len(observed))
        rounding = np.maximum(ROUNDING * np.abs(moments.mean), SMALLEST_NORMAL)
        deviation = moments.std()
        imprecise = ~constant & (deviation <= rounding) & (self.scale == "std")
        return WindowStatistics(moments.n, loc, spread, constant, imprecise)

    def _spread(self, moments: ListMoments) -> Array:
        match self.scale:
            case "none":
                return np.ones(len(moments.n))
            case "rms":
                return _root_mean_square(moments)
            case _:
                return _deviation(moments, unwrap(self.ddof), self.ddof_floor)


def _deviation(moments: ListMoments, ddof: int, floor: int | None) -> Array:
    if floor is None:
        return moments.std(ddof)
    # m2 is 0 where n is 1: a floor answers 0 there in place of 0 / 0.
    divisor = np.maximum(moments.n - ddof, floor)
    deviation = np.ldexp(np.sqrt(moments.m2 / divisor), moments.exponent)
    return np.where(moments.n > 0, deviation, np.nan)


def _root_mean_square(moments: ListMoments) -> Array:
    mean = np.ldexp(moments.mean, -moments.exponent)
    # mean of x^2 = m2 / n + mean^2, in units in which no square leaves the range.
    square = moments.m2 / np.maximum(moments.n, 1) + mean * mean
    return np.where(moments.n > 0, np.ldexp(np.sqrt(square), moments.exponent), np.nan)
