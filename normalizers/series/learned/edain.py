"""Extended deep adaptive input normalization: outliers, shift, scale and power of each channel."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    floats,
    param,
    series,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.kernels.logspace import sigmoid
from normalizers.kernels.power import yeo_johnson, yeo_johnson_back
from normalizers.series.learned.base.channel_moments import ChannelMoments
from normalizers.series.learned.base.layer import WindowLayer, observed_values

# Where the published class keeps what it calls otherwise: by layer, and again in a list of them.
SPELLINGS = {
    "outlier_removal.log_cutoff": "log_cutoff",
    "outlier_removal.alpha": "alpha",
    "outlier_removal.running_mean": "running_mean",
    "shift.shift": "shift",
    "scale.log_scale": "log_scale",
    "power_transform.lambd": "lambda",
    "bijector.0.log_cutoff": "log_cutoff",
    "bijector.0.alpha": "alpha",
    "bijector.1.shift": "shift",
    "bijector.2.log_scale": "log_scale",
    "bijector.3.lambd": "lambda",
}
WINDOWS = [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]
WEIGHTS = {
    "log_cutoff": [1.3, 2.0],
    "shift": [0.2, -0.1],
    "log_scale": [0.1, 0.4],
    "lambda": [1.2, 0.8],
}
CENTRED = {**WEIGHTS, "running_mean": [1.5, 8.0]}


class Edain(WindowLayer):
    """Cut outliers, shift, scale and bend each channel by trained numbers.

    With b the cutoff, `min_beta` plus exp or softplus of ``log_cutoff``, and a = sigmoid(alpha):

    1. ``x <- (1 - a) x + a (b tanh((x - mu) / b) + mu)``; without `residual` a is 1;
    2. ``x <- x - shift``;
    3. ``x <- x exp(-log_scale)``;
    4. the map of Yeo and Johnson with the channel's lambda.

    That is variant ``global``, where mu is ``running_mean``, the mean over the training data. In
    variant ``local`` mu is the mean of the window, 2 subtracts ``(1 + shift)`` means of the window
    as it is then, and 3 divides by ``exp(log_scale) sqrt(mean x^2 + eps)`` of the window.

    Published versions of the class disagree on the signs of shift and log_scale: `sign` is
    ``minus`` as above, or ``plus`` where steps 2 and 3 are ``x + shift`` and ``x exp(log_scale)``.
    Nothing in the weights tells, so it is required.

    Notes
    -----
    Windows may be of any length. Missing and masked values are left out of the statistics of
    ``local`` and missing in the answer; a window without observed values is flagged ``empty``, one
    without spread ``constant``. Ties need no rule. Cost O(N).

    ``running_mean`` is no parameter of the published class, so its state dict lacks it: add it by
    that name. Its other names (``outlier_removal.log_cutoff``, ``bijector.0.log_cutoff`` and so
    on) are known, and must agree. The way back exists for ``global`` without `residual`; what lies
    beyond the reach of the tanh or of the power has none and is missing.

    References
    ----------
    September, Sanna Passino, Goldmann, Hinel, "Extended Deep Adaptive Input Normalization for
    Preprocessing Time Series Data for Neural Networks", arXiv:2310.14720; marcusGH/edain_paper.

    Examples
    --------
    >>> from normalizers import Edain
    >>> weights = {
    ...     "log_cutoff": [999.0], "running_mean": [1.0], "shift": [1.0], "log_scale": [0.0],
    ...     "lambda": [1.0],
    ... }
    >>> layer = Edain(variant="global", sign="minus").fit_weights(weights)
    >>> layer.transform([[[1.0], [3.0]]]).round(4).tolist()
    [[[0.0], [2.0]]]
    """

    name = "edain"
    examples: ClassVar[tuple[Example, ...]] = (
        Example(
            params={"variant": "global", "sign": "minus"}, weights=CENTRED, input={"x": WINDOWS}
        ),
        Example(
            name="local",
            params={"variant": "local", "sign": "minus", "residual": True},
            weights={**WEIGHTS, "alpha": [0.3, -0.2]},
            input={"x": WINDOWS},
        ),
    )

    variant: Literal["global", "local"] | None = param(
        default=None,
        default_value="global",
        affects="statistics",
        help="whether the training data or the window itself say what is shifted and scaled by",
    )
    sign: Literal["minus", "plus"] | None = param(
        default=None,
        resolves="required",
        affects="solution",
        help="the sign that shift and log_scale have in the class that was trained",
    )
    residual: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        help="whether the outlier step is mixed with its input, by alpha",
    )
    cutoff: Literal["softplus", "exp"] | None = param(
        default=None,
        default_value="softplus",
        affects="solution",
        help="what makes the cutoff of log_cutoff",
    )
    min_beta: float | None = param(
        default=None, default_value=1.0, affects="solution", gt=0, help="the smallest cutoff"
    )
    eps: float | None = param(
        default=None,
        default_value=1e-8,
        affects="answer",
        ge=0,
        help="the layer's epsilon, added to the mean square of a window",
    )

    def check(self, path: str) -> None:
        """Refuse a layer whose signs nobody said."""
        if self.sign is None:
            raise InvalidParams(
                "say sign: 'minus' (x - shift) or 'plus' (x + shift): published classes differ",
                path=f"{path}.sign",
            )
        if self.variant == "local" and self.sign == "plus":
            raise InvalidParams(
                "no published class of variant 'local' adds; say sign: 'minus'", path=f"{path}.sign"
            )

    @property
    def weight_fields(self) -> Fields:
        """What each channel learned."""
        fields = Fields(log_cutoff=floats("c", help="makes the cutoff of outliers"))
        if self.residual:
            fields = fields.with_fields(alpha=floats("c", help="makes the share that is cut"))
        if self.variant != "local":
            mean = floats("c", help="mean of the training data, the centre of the cutoff")
            fields = fields.with_fields(running_mean=mean)
        return fields.with_fields(
            shift=floats("c", help="what is subtracted, or the share of a mean beyond 1"),
            log_scale=floats("c", help="logarithm of what divides"),
            **{"lambda": floats("c", help="power of Yeo and Johnson")},
        )

    @property
    def weight_spellings(self) -> dict[str, str]:
        """The names of the published class."""
        return SPELLINGS

    @property
    def ignored_weights(self) -> frozenset[str]:
        """A layer may carry a running mean that variant local does not use."""
        names = {"running_mean", "running_n", "min_beta"}
        names |= {f"outlier_removal.{name}" for name in names}
        used = {name for name in names if SPELLINGS.get(name, name) in self.weight_fields}
        return frozenset(names - used)

    @property
    def inverse_takes(self) -> Fields:
        """Normalized windows or forecasts of any length, where every step can be undone."""
        if self.variant == "local" or self.residual:
            return NO_FIELDS
        return Fields(y=series("n h c", ragged=False, help="normalized values of any length"))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the windows after all four steps."""
        x, observed = batch.array("x"), observed_values(batch)
        before = ChannelMoments.of(x, observed)
        cut = self._cut(x, fitted, before.mean[:, np.newaxis])
        scaled = self._global(cut, fitted) if self.variant == "global" else None
        if scaled is None:
            scaled = self._local(cut, observed, fitted)
        y = np.where(observed, yeo_johnson(scaled, fitted["lambda"]), np.nan)
        answer = Answer({"y": y}).flagged("constant", np.argwhere(before.constant))
        answer = answer.flagged("empty", np.argwhere(before.n == 0))
        return replace(answer, explain=before.explained()) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the values that come out as these; missing where none does."""
        y = batch.array("y")
        scaled = yeo_johnson_back(y, fitted["lambda"])
        sign = self._sign
        cut = scaled * np.exp(sign * fitted["log_scale"]) + sign * fitted["shift"]
        beta, centre = self._cutoff(fitted), fitted["running_mean"]
        inside = (cut - centre) / beta
        within = np.abs(inside) < 1
        x = beta * np.arctanh(np.where(within, inside, 0.0)) + centre
        lost = ~within & ~np.isnan(y)
        x = np.where(within, x, np.nan)
        places = np.argwhere(lost.any(axis=1))
        return Answer({"x": x}).flagged("out_of_range", places)

    @property
    def _sign(self) -> float:
        return 1.0 if self.sign == "minus" else -1.0

    def _cutoff(self, fitted: Fitted) -> Array:
        log = fitted["log_cutoff"]
        made = np.exp(log) if self.cutoff == "exp" else np.logaddexp(0.0, log)
        return np.asarray(unwrap(self.min_beta) + made)

    def _cut(self, x: Array, fitted: Fitted, mean: Array) -> Array:
        beta = self._cutoff(fitted)
        centre = fitted["running_mean"] if self.variant == "global" else mean
        soft = beta * np.tanh((x - centre) / beta) + centre
        if not self.residual:
            return soft
        share = sigmoid(fitted["alpha"])
        return np.asarray((1 - share) * x + share * soft)

    def _global(self, x: Array, fitted: Fitted) -> Array:
        sign = self._sign
        return np.asarray((x - sign * fitted["shift"]) * np.exp(-sign * fitted["log_scale"]))

    def _local(self, x: Array, observed: Array, fitted: Fitted) -> Array:
        moments = ChannelMoments.of(x, observed)
        loc = (1 + fitted["shift"]) * moments.mean
        spread = moments.root_mean_square(loc, unwrap(self.eps))
        spread = np.where(spread == 0, 1.0, spread) * np.exp(fitted["log_scale"])
        return np.asarray((x - loc[:, np.newaxis]) / spread[:, np.newaxis])
