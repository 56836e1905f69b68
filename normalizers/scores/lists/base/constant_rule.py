"""What scores without any spread give: one rule for every method that divides by a spread."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

import numpy as np

from normalizers.contract import Notice, Statistics, notice, param, unwrap
from normalizers.contract.constants import OnConstant, check_constant_value
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.loc_scale import without_spread
from normalizers.scores.base.score_method import ScoreMethod

OnConstantList: TypeAlias = Literal[OnConstant, "one_if_positive"]


class ConstantRule(ScoreMethod):
    """Base of the methods for which scores without spread are a case of their own.

    Attributes
    ----------
    standard_constant : float
        What they give when nothing is named.
    stored_rule : str
        The rule for stored statistics when nothing is named.
    """

    standard_constant: ClassVar[float] = 0.0
    stored_rule: ClassVar[str] = "scale_one"

    on_constant: OnConstantList | None = param(
        default=None,
        resolves="value for a list's own statistics, scale_one for stored ones",
        affects="answer",
        help="what scores without spread give",
    )
    constant_value: float | None = param(
        default=None,
        resolves="a number of the method's own with on_constant: value",
        affects="answer",
        help="the number that scores without spread give",
    )

    def check(self, path: str) -> None:
        """Refuse a value beside another rule."""
        check_constant_value(self.on_constant, self.constant_value, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide what scores without spread give."""
        decided = super().defaults(statistics)
        if self.on_constant not in (None, "value"):
            return decided
        unnamed = self.on_constant is None and self.constant_value is None
        if decided.get("scope") == "fitted" and unnamed and self.stored_rule != "value":
            return {**decided, "on_constant": self.stored_rule, "constant_value": None}
        return {**decided, "on_constant": "value", "constant_value": self.standard_constant}

    def constant_warnings(self, *, constant: bool) -> tuple[Notice, ...]:
        """Return the warning of a fit whose sample is without spread, naming the rule it takes."""
        if not constant:
            return ()
        rule = unwrap(self.on_constant)
        return no_spread(f"on_constant '{rule}' says what a score gets", on_constant=rule)

    def of_constant(self, scores: Array, centred: Array) -> Array:
        """Return what `scores` without spread give.

        Parameters
        ----------
        scores, centred : array of shape (N,)
            The scores, and what they give with a scale of 1.
        """
        rule = unwrap(self.on_constant)
        if rule == "one_if_positive":
            return np.where(scores > 0, 1.0, 0.0)
        if rule == "error" and len(scores):
            raise InvalidParams(
                f"'{self.name}' met scores without any spread, and on_constant is 'error'",
                path="params.on_constant",
            )
        value = self.standard_constant if self.constant_value is None else self.constant_value
        return without_spread(scores, centred, rule, value)


def no_spread(consequence: str, **members: object) -> tuple[Notice, ...]:
    """Return the warning of a fit on one score, or on equal ones, with what follows from it."""
    return (notice("constant_scores", f"the sample has no spread: {consequence}", **members),)
