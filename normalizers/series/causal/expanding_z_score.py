"""Expanding z-scores: every step with mean and deviation of everything up to it."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Example, unwrap
from normalizers.data.arrays import Array
from normalizers.kernels.expanding import expanding_moments
from normalizers.kernels.step_moments import StepMoments
from normalizers.series.base.causal_scaling import CausalZScore
from normalizers.series.base.expanding import MOMENTS, check_ends
from normalizers.series.base.steps import Steps


class ExpandingZScore(CausalZScore):
    """Standardize each step with everything up to it: ``y = (x - mean) / std``.

    With ``include_current: false`` the statistics end just before the step.

    Notes
    -----
    The state holds ``n``, ``origin`` (the first value), ``total`` (the sum of differences to it),
    ``m2`` (the sum of squared deviations), ``lowest`` and ``highest``; where the values reach
    beyond 1e100, or are all below 1e-100, `total` and `m2` are in units of ``2 ** 600`` and
    ``2 ** -600``, and their squares. Nothing is ever subtracted from a sum. Ties need no rule.
    Cost O(N).

    References
    ----------
    pandas, ``DataFrame.expanding``; river, ``preprocessing.StandardScaler``. Welford, "Note on a
    method for calculating corrected sums of squares and products", 1962.

    Examples
    --------
    >>> from normalizers import ExpandingZScore
    >>> method = ExpandingZScore(ddof=1)
    >>> first = method.apply_to(x=[1.0, 3.0])
    >>> first["y"].round(4).tolist()
    [nan, 0.7071]
    >>> method.apply_to(x=[2.0], state=first["state"])["y"].tolist()
    [0.0]
    """

    name = "expanding_z_score"
    aliases = {"expanding_zscore": {}}
    example = Example(params={"min_periods": 2}, input={"x": [11.1, 1.9, 7.8, 5.9, 6.1]})

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The moments of all steps, and their ends."""
        return MOMENTS

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse ends that contradict each other."""
        check_ends(arrays)

    def moments(self, steps: Steps) -> tuple[StepMoments, Mapping[str, Array]]:
        """Return the statistics of everything up to each step."""
        return expanding_moments(
            steps.lists, steps.before, include_current=unwrap(self.include_current)
        )
