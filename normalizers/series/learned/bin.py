"""Bilinear input normalization: windows standardized over time and over channels, then mixed."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    floats,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.kernels.epsilon import EpsMode, check_eps
from normalizers.series.base.standardized import Standardized, standardized
from normalizers.series.learned.base.layer import WindowLayer, observed_values

# Names of the published class of the TLOB model for the weights of the paper.
TLOB = {
    "l2": "gamma_feature",
    "B2": "beta_feature",
    "l1": "gamma_time",
    "B1": "beta_time",
    "y2": "lambda_feature",
    "y1": "lambda_time",
}
WINDOWS = [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]
# By variant: divisor n - ddof, epsilon and where it goes.
STANDARDS: dict[str, dict[str, object]] = {
    "paper": {"ddof": 0, "eps": 0.0, "eps_mode": "none"},
    "mlproject": {"ddof": 1, "eps": 1e-4, "eps_mode": "below_to_one"},
}


class Bin(WindowLayer):
    """Mix z-scores over time and z-scores over channels by trained weights.

    With A the window standardized over time, channel by channel, and B standardized over its
    channels, step by step: ``y = lambda_A (gamma_A A + beta_A) + lambda_B (gamma_B B + beta_B)``.
    The two published forms differ in the axis along which gamma and beta run, and cannot be told
    apart by shapes where a window has as many steps as channels. So `variant` is required:

    - ``paper``: A is scaled by one number a channel (``gamma_feature``), B by one a step
      (``gamma_time``), as the statistics run; two scalar lambdas;
    - ``mlproject``, the authors' own class: A is scaled by one number a step (``gamma1``), B by
      one a channel (``gamma2``); lambdas of length 1; deviations with n - 1, those below 1e-4
      count as 1.

    The weights of TLOB's class (``l2``, ``B2``, ``l1``, ``B1``, ``y2``, ``y1``) are those of
    ``paper``, with `ddof` 1, `eps` 1e-4 and `eps_mode` below_to_one.

    Notes
    -----
    A window has as many steps and channels as the weights. Missing and masked values are left out
    of both statistics and missing in the answer. A channel without spread over time, or a step
    without spread over channels, gives 0 in that branch, so that its beta remains; the first is
    flagged ``constant``. Ties need no rule. Two z-scores cannot be told from their sum: there is
    no way back. Cost O(N).

    TLOB replaces a negative lambda by 0.01 in its forward pass; the paper constrains both to be
    at least 0. A negative one is refused with ``paper``: send 0.01 to do as TLOB.

    With all gammas and lambdas 1 and all betas 0 it is the sum of two z-scores, which needs no
    training.

    References
    ----------
    Tran, Kanniainen, Gabbouj, Iosifidis, "Bilinear Input Normalization for Neural Networks in
    Financial Forecasting", arXiv:2109.00983 and arXiv:2003.00598; viebboy/mlproject (Apache-2.0);
    LeonardoBerti00/TLOB (MIT).

    Examples
    --------
    >>> from normalizers import Bin
    >>> weights = {
    ...     "gamma_feature": [1.0, 1.0], "beta_feature": [0.0, 0.0], "lambda_feature": 1.0,
    ...     "gamma_time": [1.0, 1.0, 1.0], "beta_time": [0.0, 0.0, 0.0], "lambda_time": 0.5,
    ... }
    >>> layer = Bin(variant="paper").fit_weights(weights)
    >>> layer.transform([[[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]]]).round(3).tolist()
    [[[-1.725, 1.725], [0.0, 0.0], [1.725, -1.725]]]
    """

    name = "bin"
    presets = {"tlob": {"variant": "paper", "ddof": 1, "eps": 1e-4, "eps_mode": "below_to_one"}}
    examples = (
        Example(
            params={"variant": "paper"},
            weights={
                "gamma_feature": [1.1, 0.9],
                "beta_feature": [0.0, -0.1],
                "gamma_time": [0.8, 1.2, 1.0],
                "beta_time": [0.1, 0.0, -0.1],
                "lambda_feature": 0.7,
                "lambda_time": 0.3,
            },
            input={"x": WINDOWS},
        ),
        Example(
            name="mlproject",
            params={"variant": "mlproject"},
            weights={
                "gamma1": [0.8, 1.2, 1.0],
                "beta1": [0.1, 0.0, -0.1],
                "gamma2": [1.1, 0.9],
                "beta2": [0.0, -0.1],
                "lambda1": [0.7],
                "lambda2": [0.3],
            },
            input={"x": WINDOWS},
        ),
    )

    variant: Literal["paper", "mlproject"] | None = param(
        default=None,
        affects="statistics",
        resolves="required",
        help="along which axis gamma and beta run",
    )
    ddof: int | None = param(
        default=None,
        affects="answer",
        resolves="0 for paper, 1 for mlproject",
        ge=0,
        help="the divisor is n - ddof",
    )
    eps: float | None = param(
        default=None,
        affects="answer",
        resolves="0 for paper, 1e-4 for mlproject",
        ge=0,
        help="a peer's epsilon",
    )
    eps_mode: EpsMode | None = param(
        default=None,
        affects="answer",
        resolves="none for paper, below_to_one for mlproject",
        help="where the epsilon goes",
    )

    def check(self, path: str) -> None:
        """Refuse a layer of which nobody said which axis its weights run along."""
        if self.variant is None:
            raise InvalidParams(
                "say variant: 'paper' (gamma runs as the statistics) or 'mlproject' (across "
                "them): shapes cannot tell",
                path=f"{path}.variant",
            )
        mode = self.eps_mode or STANDARDS[self.variant]["eps_mode"]
        check_eps(self.eps, mode, path)

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Divisor and epsilon of the published class."""
        found = STANDARDS.get(self.variant or "", {})
        # An epsilon that goes nowhere is none.
        return {**found, "eps": 0.0} if self.eps_mode == "none" and self.eps is None else found

    @property
    def weight_fields(self) -> Fields:
        """Scale and shift of both branches, and their shares."""
        if self.variant == "mlproject":
            return Fields(
                gamma1=floats("t", help="scale of the z-scores over time, by step"),
                beta1=floats("t", help="shift of the z-scores over time, by step"),
                gamma2=floats("c", help="scale of the z-scores over channels, by channel"),
                beta2=floats("c", help="shift of the z-scores over channels, by channel"),
                lambda1=floats("1", help="share of the z-scores over time"),
                lambda2=floats("1", help="share of the z-scores over channels"),
            )
        return Fields(
            gamma_feature=floats("c", help="scale of the z-scores over time, by channel"),
            beta_feature=floats("c", help="shift of the z-scores over time, by channel"),
            gamma_time=floats("t", help="scale of the z-scores over channels, by step"),
            beta_time=floats("t", help="shift of the z-scores over channels, by step"),
            lambda_feature=floats("", help="share of the z-scores over time, at least 0"),
            lambda_time=floats("", help="share of the z-scores over channels, at least 0"),
        )

    @property
    def weight_spellings(self) -> dict[str, str]:
        """The names of TLOB's class."""
        return TLOB if self.variant == "paper" else {}

    def check_weights(self, weights: Batch, path: str) -> None:
        """Refuse a negative share, which the published classes do not apply as it stands."""
        for name in ("lambda_feature", "lambda_time"):
            if name in weights and weights.array(name) < 0:
                raise InvalidInput(
                    "the share of a branch is at least 0; TLOB's class puts 0.01 in its place",
                    path=f"{path}.{name}",
                )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mixed branches."""
        x, observed = batch.array("x"), observed_values(batch)
        over_time = self._standardized(x, observed)
        over_channels = self._standardized(x.swapaxes(1, 2), observed.swapaxes(1, 2))
        z = over_time.z, over_channels.z.swapaxes(1, 2)
        answer = Answer({"y": self._mixed(fitted, *z)})
        for flag in ("constant", "empty", "insufficient"):
            answer = answer.flagged(flag, np.argwhere(getattr(over_time, flag)))
        if not options.explain:
            return answer
        parts = {"over_time": over_time.explained(), "over_channels": over_channels.explained()}
        return replace(answer, explain=parts)

    def _standardized(self, x: Array, observed: Array) -> Standardized:
        return standardized(
            x,
            observed,
            ddof=unwrap(self.ddof),
            eps=unwrap(self.eps),
            eps_mode=unwrap(self.eps_mode),
        )

    def _mixed(self, fitted: Fitted, over_time: Array, over_channels: Array) -> Array:
        """Return the sum of both branches; with mlproject's weights scales run across them."""
        if self.variant == "mlproject":
            of_time = over_time * fitted["gamma1"][:, None] + fitted["beta1"][:, None]
            of_channels = over_channels * fitted["gamma2"] + fitted["beta2"]
            shares = fitted["lambda1"], fitted["lambda2"]
        else:
            of_time = over_time * fitted["gamma_feature"] + fitted["beta_feature"]
            scale, shift = fitted["gamma_time"][:, None], fitted["beta_time"][:, None]
            of_channels = over_channels * scale + shift
            shares = fitted["lambda_feature"], fitted["lambda_time"]
        return np.asarray(shares[0] * of_time + shares[1] * of_channels)
