"""Expanding min-max: every step between the lowest and the highest value up to it."""

from __future__ import annotations

from collections.abc import Mapping

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Example
from normalizers.data.arrays import Array
from normalizers.kernels.expanding import expanding_counts, expanding_ends
from normalizers.kernels.recurrences import shifted
from normalizers.series.base.causal_scaling import CausalScaler, StepStatistics
from normalizers.series.base.expanding import ENDS, check_ends
from normalizers.series.base.steps import Steps


class ExpandingMinMax(CausalScaler):
    """Scale each step by the ends of everything up to it: ``y = (x - min) / (max - min)``.

    With ``include_current: false`` the ends are those just before the step, and a new record lies
    beyond 0 or 1.

    Notes
    -----
    The state holds ``n``, ``lowest`` and ``highest``, which no arithmetic has touched. While all
    values are equal they give 0, or what `on_constant` says. Ties need no rule. Cost O(N).

    References
    ----------
    river, ``preprocessing.MinMaxScaler``.

    Examples
    --------
    >>> from normalizers import ExpandingMinMax
    >>> method = ExpandingMinMax()
    >>> first = method.apply_to(x=[2.0, 6.0, 3.0])
    >>> first["y"].tolist()
    [0.0, 1.0, 0.25]
    >>> method.apply_to(x=[4.0], state=first["state"])["y"].tolist()
    [0.5]
    """

    name = "expanding_min_max"
    aliases = {"expanding_minmax": {}}
    example = Example(params={"min_periods": 2}, input={"x": [11.1, 1.9, 7.8, 5.9, 6.1]})

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """How many values there were, and their ends."""
        return ENDS

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse ends that contradict each other."""
        check_ends(arrays)

    def measured(self, steps: Steps) -> tuple[StepStatistics, Mapping[str, Array]]:
        """Return the ends of everything up to each step."""
        before = steps.before
        lowest, highest = expanding_ends(steps.lists, before)
        n = expanding_counts(steps.lists, before["n"])
        found = {"n": n, "lowest": lowest, "highest": highest}
        after = {
            name: part[:, -1] if part.shape[1] else before[name] for name, part in found.items()
        }
        if not self.include_current:
            n, lowest, highest = (shifted(part, before[name]) for name, part in found.items())
        return StepStatistics(n, lowest, highest - lowest, lowest == highest), after
