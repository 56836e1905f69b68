"""Series as whole numbers of few digits, each one token of most vocabularies."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, cast

import numpy as np
from annotated_types import Len

from normalizers.contract import Answer, Batch, Example, Fitted, Options, param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidParams
from normalizers.kernels import segments
from normalizers.series.base.layouts import Windows
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class TokenInteger(WindowNormalizer):
    """Standardize windows and round them: ``y = clip(round(m + s (x - mean) / std), a, b)``.

    m and s are `target_mean` and `target_std`, a and b the ends of `range`. By default the
    numbers are 0..999, each of which is one token in the vocabularies cl100k_base and o200k_base.

    Notes
    -----
    Our own definition, in the spirit of TOKON, whose full formula is not published. Numbers are
    whole; halves go to the even one. What lies beyond an end is clipped: its window and channel
    are flagged ``clipped``, and the report counts the values. Missing and masked values are left
    out of the statistics and missing in the answer; a window without spread comes out as m and is
    flagged ``constant``. Ties stay ties. Cost O(N).

    The way back, ``(y - m) / s std + mean``, is off by ``std / (2 s)`` at most where nothing was
    clipped; it takes spreads and quantiles of a forecast too.

    References
    ----------
    "TOKON: TOKenization-Optimized Normalization for time series analysis with a large language
    model", arXiv:2502.05701, for the idea.

    Examples
    --------
    >>> from normalizers import TokenInteger
    >>> method = TokenInteger()
    >>> answer = method.apply_to([17.3, 17.5, 18.1, 19.0], layout="T")
    >>> answer["y"].tolist()
    [347.0, 392.0, 528.0, 733.0]
    >>> back = method.inverse_transform(
    ...     answer["y"], loc=answer["loc"], scale=answer["scale"], layout="T"
    ... )
    >>> back.round(1).tolist()
    [17.3, 17.5, 18.1, 19.0]
    """

    name = "token_integer"
    traits = replace(WindowNormalizer.traits, way_back="quantized", way_back_bound=0.01)
    example = Example(input={"x": [[[17.3], [17.5], [18.1], [19.0]]]})

    target_mean: float | None = param(
        default=None, default_value=500.0, affects="answer", help="what the mean becomes"
    )
    target_std: float | None = param(
        default=None, default_value=150.0, affects="answer", gt=0, help="what the std becomes"
    )
    range: Annotated[list[float], Len(2, 2)] | None = param(
        default=None,
        default_value=[0.0, 999.0],
        affects="answer",
        help="smallest and largest number",
    )
    ddof: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="the divisor is n - ddof"
    )

    def check(self, path: str) -> None:
        """Refuse a range that does not rise, or rules that leave values as they are."""
        if self.range is not None and not self.range[0] < self.range[1]:
            raise InvalidParams("the lower end of a range is first", path=f"{path}.range")

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return mean and deviation of every list."""
        moments = segments.centred_moments(observed)
        spread = moments.std(unwrap(self.ddof))
        return WindowStatistics(moments.n, moments.mean, spread, segments.constant(observed))

    def after_scaling(self, z: Array) -> Array:
        """Return the whole numbers within the range."""
        low, high = unwrap(self.range)
        return np.clip(np.rint(self._placed(z)), low, high)

    def before_scaling(self, y: Array) -> Array:
        """Return the z-scores that the numbers stand for."""
        return np.asarray((y - unwrap(self.target_mean)) / unwrap(self.target_std))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return whole numbers, and how many were clipped."""
        answer = super().apply(fitted, batch, options)
        windows = Windows.of(cast("Array | Ragged", batch["x"]))
        loc, scale = (np.ravel(cast("Array", answer.canonical(name))) for name in ("loc", "scale"))
        z = (windows.lists.values - segments.broadcast(loc, windows.lists)) / segments.broadcast(
            scale, windows.lists
        )
        low, high = unwrap(self.range)
        placed = np.rint(self._placed(z))
        y = windows.aligned(cast("Array | Ragged", answer.canonical("y")))
        clipped = ((placed < low) | (placed > high)) & ~np.isnan(y)
        counts = segments.counts(windows.lists, clipped)
        answer = answer.flagged("clipped", windows.positions(counts > 0))
        return replace(answer, report={"clipped": int(counts.sum())})

    def _placed(self, z: Array) -> Array:
        return np.asarray(unwrap(self.target_mean) + unwrap(self.target_std) * z)

    def _line(self) -> tuple[float, float]:
        return unwrap(self.target_mean), unwrap(self.target_std)
