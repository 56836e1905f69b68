"""Exponentially weighted z-scores: every step with a mean and deviation that forget."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from normalizers.bases.carried_arrays import CarriedArray
from normalizers.contract import Example, param, unwrap
from normalizers.contract.spellings import Spelling, alpha_of_span, complement
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.exponential import exponential_moments
from normalizers.series.base.causal import require_possible
from normalizers.series.base.causal_scaling import CausalScaler, StepStatistics
from normalizers.series.base.steps import Steps

ROUNDING = 4 * float(np.finfo(np.float64).eps)


class EwmZScore(CausalScaler):
    """Standardize each step with weights that fade into the past: ``y = (x - mean) / std``.

    With ``adjust: true`` a value that is k steps old weighs ``(1 - alpha)^k``; with ``false``
    ``mean <- mean + alpha (x - mean)`` and ``variance <- (1 - alpha) (variance + alpha
    (x - mean)^2)``, from the first value on. ``bias: false`` divides the variance by
    ``1 - sum w^2 / (sum w)^2``. All as in pandas.

    Notes
    -----
    Exactly one of `alpha`, `span` (alpha = 2 / (span + 1)) and `decay` (alpha = 1 - decay) says
    how fast. Missing steps age the weights unless `ignore_na` is set.

    The recursion never takes a difference of squares, so that neither an offset nor a spike
    leaves a wrong or negative variance; what is forgotten leaves no trace beyond its weight. A
    value that is its mean up to rounding gives 0.

    The state holds ``n``, ``mean``, ``variance`` (in units of ``4 ** exponent``), ``weight`` (the
    sum of the weights), ``evenness`` (``1 - sum w^2 / weight^2``), ``lowest`` and ``highest``. It
    is bound to alpha, `adjust` and `ignore_na`. Ties need no rule. Cost O(N).

    References
    ----------
    pandas, ``DataFrame.ewm``. Welford, "Note on a method for calculating corrected sums of
    squares and products", 1962.

    Examples
    --------
    >>> from normalizers import EwmZScore
    >>> method = EwmZScore(alpha=0.25, min_periods=2)
    >>> first = method.apply_to(x=[4.658, 4.12, 4.333])
    >>> first["y"].round(4).tolist()
    [nan, -0.6061, -0.04]
    >>> method.apply_to(x=[5.014], state=first["state"])["y"].round(4).tolist()
    [1.005]
    """

    name = "ewm_z_score"
    aliases = {"ewm_zscore": {}}
    example = Example(params={"alpha": 0.25}, input={"x": [4.7, 4.1, 4.3, 5.0, 3.8]})

    alpha: float | None = param(
        default=None,
        resolves="required, or span or decay",
        affects="answer",
        gt=0,
        le=1,
        help="weight of the newest value",
    )
    span: float | None = param(
        default=None,
        affects="answer",
        ge=1,
        spells=Spelling("alpha", alpha_of_span),
        help="2 / alpha - 1, in its place",
    )
    decay: float | None = param(
        default=None,
        affects="answer",
        ge=0,
        lt=1,
        spells=Spelling("alpha", complement),
        help="1 - alpha, in its place",
    )
    adjust: bool | None = param(
        default=None,
        default_value=True,
        affects="answer",
        help="whether the first values weigh as much as their age says",
    )
    bias: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="whether the variance is that of the weighted values themselves",
    )
    ignore_na: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="whether missing steps leave the weights as they are",
    )

    @property
    def bound_params(self) -> Mapping[str, object]:
        """What the weights follow from."""
        return {"alpha": unwrap(self.alpha), "adjust": self.adjust, "ignore_na": self.ignore_na}

    @property
    def carries(self) -> Mapping[str, CarriedArray]:
        """The weighted moments of all steps, and their ends."""
        return {
            "n": CarriedArray(least=0, whole=True),
            "mean": CarriedArray(),
            "variance": CarriedArray(least=0),
            "exponent": CarriedArray(least=-2200, most=2200, whole=True),
            "weight": CarriedArray(least=0),
            "evenness": CarriedArray(least=0, most=1),
            "lowest": CarriedArray(missing=True, start=np.nan),
            "highest": CarriedArray(missing=True, start=np.nan),
        }

    def check(self, path: str) -> None:
        """Require a weight of the newest value."""
        if self.in_one_spelling().alpha is None:
            raise InvalidParams(
                f"'{self.name}' needs 'alpha', the weight of the newest value, or span or decay",
                path=f"{path}.alpha",
            )

    def check_carried(self, arrays: Mapping[str, Array]) -> None:
        """Refuse ends that contradict each other or the mean."""
        begun = arrays["n"] > 0
        ordered = (arrays["lowest"] <= arrays["highest"]) | ~begun
        require_possible(ordered, "the lowest value is above the highest", "lowest")
        rounding = ROUNDING * np.maximum(np.abs(arrays["lowest"]), np.abs(arrays["highest"]))
        within = (arrays["mean"] >= arrays["lowest"] - rounding * arrays["n"]) & (
            arrays["mean"] <= arrays["highest"] + rounding * arrays["n"]
        )
        require_possible(within | ~begun, "the mean is beyond all values", "mean")

    def measured(self, steps: Steps) -> tuple[StepStatistics, Mapping[str, Array]]:
        """Return the weighted mean and deviation up to each step."""
        found = exponential_moments(
            steps.lists,
            steps.before,
            unwrap(self.alpha),
            adjust=unwrap(self.adjust),
            ignore_na=unwrap(self.ignore_na),
        )
        after = found.last(steps.before)
        if not self.include_current:
            found = found.before(steps.before)
        # A mean that has come within rounding of a value stays beside it, while the deviation
        # fades: the quotient of the two would say nothing.
        x = steps.values
        reached = np.abs(x - found.mean) <= ROUNDING * np.abs(x)
        loc = np.where(found.constant, found.lowest, np.where(reached, x, found.mean))
        spread = found.std(bias=unwrap(self.bias))
        return StepStatistics(found.n, loc, spread, found.constant), after
