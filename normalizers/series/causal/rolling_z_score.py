"""Rolling z-scores: every step with mean and deviation of the last steps; state carried."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Example, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels import windows
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.causal_scaling import CausalZScore
from normalizers.series.base.steps import Steps

LARGEST_WINDOW = 1_000_000


class RollingZScore(CausalZScore):
    """Standardize each step with the last `window` steps: ``y = (x - mean) / std``.

    The window of a step ends with it, or just before it (``include_current: false``).

    Notes
    -----
    The state holds the last ``window - 1`` rows, missing ones included (``window`` without the
    current one). Windows are merged from the end of one block and the beginning of the next, and
    nothing is ever subtracted: a spike leaves no trace. Ties need no rule. Cost O(N),
    independent of the window.

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
    aliases = {"rolling_zscore": {}}
    shaping = ("window", "include_current")
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

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The rows that the windows to come reach back to."""
        # A window that ends with its step needs the window - 1 before it; one that ends just
        # before, all. At its beginning a series has fewer.
        kept = unwrap(self.window) - (1 if self.include_current else 0)
        return {"rows": CarriedArray(lambda step: min(step, kept), missing=True)}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Statistics need a full window unless `min_periods` says otherwise."""
        return {**super().defaults(statistics), "min_periods": self.window}

    def check(self, path: str) -> None:
        """Require a window."""
        if self.window is None:
            raise InvalidParams(
                f"'{self.name}' needs 'window', the number of steps", path=f"{path}.window"
            )
        if self.min_periods is not None and self.min_periods > self.window:
            raise InvalidParams("min_periods is at most the window", path=f"{path}.min_periods")

    def moments(self, steps: Steps) -> tuple[StepMoments, Mapping[str, Array]]:
        """Return the statistics of the window of each step."""
        window, current = unwrap(self.window), unwrap(self.include_current)
        held = min(steps.start, window - 1 if current else window)
        # Beside ragged series that stand further on, missing rows stand before those held.
        rows = steps.before["rows"]
        previous = rows[:, rows.shape[1] - held :]
        found = windows.rolling(
            steps.lists, window, previous, start=steps.start, include_current=current
        )
        after = windows.carried(steps.lists, window, previous, include_current=current)
        return found, {"rows": after}
