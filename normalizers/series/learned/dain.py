"""Deep adaptive input normalization: shift, scale and gate of a window by trained matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Field,
    Fields,
    Fitted,
    Options,
    floats,
    like,
    param,
    series,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels.loc_scale import standardize
from normalizers.kernels.logspace import sigmoid
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.learned.base.channel_affine import ChannelAffine
from normalizers.series.learned.base.channel_moments import ChannelMoments, linear
from normalizers.series.learned.base.layer import WindowLayer, observed_values

# A scale that is not above this counts as 1, negative ones too, as in the authors' class.
SMALLEST_SCALE = 1e-8
MEAN, SCALING = "mean_layer.weight", "scaling_layer.weight"
GATE, BIAS = "gating_layer.weight", "gating_layer.bias"
WINDOWS = [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]
WEIGHTS = {
    MEAN: [[0.9, 0.1], [0.0, 1.1]],
    SCALING: [[1.0, -0.1], [0.2, 0.9]],
    GATE: [[0.3, -0.2], [0.1, 0.4]],
    BIAS: [0.2, -0.1],
}


class Dain(WindowLayer):
    """Shift, scale and gate windows by linear maps of their own statistics.

    With a the means over time of the channels of a window: ``x <- x - W_a a``; with b the root
    mean squares of what remains, ``sqrt(mean x^2 + eps)``: ``x <- x / d``, ``d = W_b b``, where
    entries that are not above 1e-8 count as 1; with e the means of that:
    ``y = x sigmoid(W_c e + bias)``. `variant` says how far it goes: ``adaptive_avg`` (the shift),
    ``adaptive_scale`` (shift and scale), ``full``.

    Notes
    -----
    The matrices tie the channels to the order that they had in training; a window may be of any
    length. Missing and masked values are left out of the statistics and missing in the answer; a
    window with a channel without any observed value has no statistics: it is missing as a whole
    and flagged ``empty``. A constant channel is flagged ``constant`` and is 0 where W_a is the
    identity. Ties need no rule. Cost O(N + n c^2).

    The answer has ``loc`` and ``scale``, which the way back takes for points, spreads and
    quantiles of a forecast, and in ``full`` the ``gate`` too. The layer without training (``avg``
    of the authors' class) is `window_z_score` with ``scale: none``.

    References
    ----------
    Passalis, Tefas, Kanniainen, Gabbouj, Iosifidis, "Deep Adaptive Input Normalization for Time
    Series Forecasting", arXiv:1902.07892; passalis/dain, whose state dict names the weights have.

    Examples
    --------
    >>> from normalizers import Dain
    >>> layer = Dain(variant="adaptive_avg").fit_weights({"mean_layer.weight": [[1.0]]})
    >>> layer.transform([[[1.0], [2.0], [6.0]]]).tolist()
    [[[-2.0], [-1.0], [3.0]]]
    """

    name = "dain"
    examples = (
        Example(weights=WEIGHTS, input={"x": WINDOWS}),
        Example(
            name="adaptive_scale",
            params={"variant": "adaptive_scale"},
            weights={name: WEIGHTS[name] for name in (MEAN, SCALING)},
            input={"x": WINDOWS},
        ),
    )

    variant: Literal["full", "adaptive_scale", "adaptive_avg"] | None = param(
        default=None,
        default_value="full",
        affects="statistics",
        help="shift, scale and gate; or without the gate; or the shift alone",
    )
    eps: float | None = param(
        default=None,
        default_value=1e-8,
        affects="answer",
        ge=0,
        help="the layer's epsilon, added to the mean square",
    )

    @property
    def weight_fields(self) -> Fields:
        """The matrices that the variant uses, by the names of the authors' state dict."""
        fields = Fields(**{MEAN: floats("c c", help="what the means are multiplied by")})
        if self.variant == "adaptive_avg":
            return fields
        scaling = floats("c c", help="what the root mean squares are multiplied by")
        fields = fields.with_fields(**{SCALING: scaling})
        if self.variant == "adaptive_scale":
            return fields
        gate = floats("c c", help="what the means of the scaled values are multiplied by")
        return fields.with_fields(**{GATE: gate, BIAS: floats("c", help="bias of the gate")})

    @property
    def ignored_weights(self) -> frozenset[str]:
        """The class has all matrices, whatever its mode uses."""
        return frozenset({MEAN, SCALING, GATE, BIAS}) - self.weight_fields.keys()

    @property
    def gives(self) -> Fields:
        """Windows of the same shape, and what undoing needs."""
        gives = super().gives.with_fields(
            loc=like("x", series("n 1 c", help="what was subtracted")),
            scale=like("x", series("n 1 c", help="what divided, greater than 0")),
        )
        return gives.with_fields(gate=self._gate_field) if self._is_gated else gives

    @property
    def inverse_takes(self) -> Fields:
        """Windows or forecasts of any length, with what the answer has beside them."""
        fields = forecast_fields("1")
        return fields.with_fields(gate=self._gate_field) if self._is_gated else fields

    @property
    def _is_gated(self) -> bool:
        return self.variant in (None, "full")

    @property
    def _gate_field(self) -> Field:
        return like("x", series("n 1 c", help="what multiplied, between 0 and 1"))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return adapted windows with their loc and scale."""
        x, observed = batch.array("x"), observed_values(batch)
        moments = ChannelMoments.of(x, observed)
        empty = (moments.n == 0).any(axis=1)
        loc = np.where(empty[:, None], 0.0, linear(moments.mean, fitted[MEAN]))
        scale = np.ones_like(loc)
        if self.variant != "adaptive_avg":
            scale = linear(moments.root_mean_square(loc, unwrap(self.eps)), fitted[SCALING])
            scale = np.where(empty[:, None] | ~(scale > SMALLEST_SCALE), 1.0, scale)
        if not np.isfinite(scale).all() or not np.isfinite(loc).all():
            raise InvalidInput("a shift or scale is too large for a float64", path="input.x")
        y = standardize(x, _of_window(loc), _of_window(scale))
        output = {"loc": _of_window(loc), "scale": _of_window(scale)}
        if self._is_gated:
            means = standardize(moments.mean, loc, scale)
            gate = sigmoid(linear(means, fitted[GATE]) + fitted[BIAS])
            y, output["gate"] = y * _of_window(gate), _of_window(gate)
        y = np.where(observed & ~empty[:, None, None], y, np.nan)
        answer = Answer({"y": y, **output})
        answer = answer.flagged("constant", np.argwhere(moments.constant))
        answer = answer.flagged("empty", np.argwhere(moments.n == 0))
        return replace(answer, explain=moments.explained()) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a forecast in the units of the window."""
        if not self._is_gated:
            return Answer(restored_forecasts(batch))
        gate = batch.array("gate")
        if not (gate > 0).all():
            raise InvalidInput("a gate is greater than 0", path="input.gate")
        affine = ChannelAffine(gate, np.zeros_like(gate))
        return Answer(restored_forecasts(affine.undone(batch)))


def _of_window(numbers: Array) -> Array:
    return numbers[:, np.newaxis]
