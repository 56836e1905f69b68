"""Dish-TS: one learned level for the window, another for its forecast."""

from __future__ import annotations

from dataclasses import replace

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
from normalizers.series.base.forecasts import forecast_fields, restored_forecasts
from normalizers.series.learned.base.channel_affine import ChannelAffine
from normalizers.series.learned.base.channel_moments import ChannelMoments
from normalizers.series.learned.base.layer import WindowLayer

LEVELS, GAMMA, BETA = "reduce_mlayer", "gamma", "beta"
PAIRS = ("loc", "scale")
HORIZON = {"loc": "forecast_loc", "scale": "forecast_scale"}


class DishTs(WindowLayer):
    """Standardize windows about a learned level, and forecasts about another one.

    Two levels of each channel are learned combinations of its steps, ``phi = gelu(x' V)``, one of
    the window and one of what follows it. With the variances xi about them, divisor t - 1:
    ``y = gamma (x - phi_in) / sqrt(xi_in + eps) + beta``, and a forecast comes back as
    ``x = (y - beta) / gamma sqrt(xi_out + eps) + phi_out``.

    Notes
    -----
    The answer has ``loc`` and ``scale`` of the window, and ``forecast_loc`` and
    ``forecast_scale``, which the way back takes: it gives the forecast, not the window again. A
    window has as many steps as the weights. Missing values are refused: a level is made of all
    steps. A window without spread has a scale all the same, since its level is not its value.
    Ties need no rule. Cost O(N).

    GELU is exact (by erf) and makes negative levels collapse towards 0, so that for channels with
    negative means the level is far from the data by construction, in the authors' class as here.

    References
    ----------
    Fan et al., "Dish-TS: A General Paradigm for Alleviating Distribution Shift in Time Series
    Forecasting", AAAI 2023; weifantt/Dish-TS, whose state dict names the weights have.

    Examples
    --------
    >>> from normalizers import DishTs
    >>> weights = {
    ...     "reduce_mlayer": [[[0.5, 0.5], [0.5, 1.0]]], "gamma": [1.0], "beta": [0.0]
    ... }
    >>> layer = DishTs().fit_weights(weights)
    >>> answer = layer.apply_to([[[4.0], [6.0]]])
    >>> answer["loc"].round(4).tolist(), answer["forecast_loc"].round(4).tolist()
    ([[[5.0]]], [[[8.0]]])
    >>> layer.inverse_transform([[[0.0]]], **{
    ...     name: answer[name] for name in ("forecast_loc", "forecast_scale")
    ... }).round(4).tolist()
    [[[8.0]]]
    """

    name = "dish_ts"
    example = Example(
        weights={
            LEVELS: [[[0.4, 0.2], [0.3, 0.4], [0.3, 0.5]], [[0.3, 0.3], [0.3, 0.3], [0.4, 0.5]]],
            GAMMA: [1.1, 0.9],
            BETA: [0.1, -0.2],
        },
        input={
            "x": [[[1.0, 10.0], [2.0, 14.0], [4.0, 11.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]
        },
    )

    nan_policy = None  # a level is made of all steps
    inf_policy = None
    eps: float | None = param(
        default=None,
        default_value=1e-8,
        affects="answer",
        ge=0,
        help="the layer's epsilon, added to the variance about a level",
    )

    @property
    def takes(self) -> Fields:
        """Windows of the length that the weights have."""
        return Fields(x=series(ragged=False, help="windows as long as the weights say"))

    @property
    def gives(self) -> Fields:
        """Windows of the same shape, their levels, and those of a forecast."""
        return super().gives.with_fields(
            loc=_once("what was subtracted: the level of the window"),
            scale=_once("what divided, greater than 0"),
            forecast_loc=_once("the level of a forecast"),
            forecast_scale=_once("the scale of a forecast, greater than 0"),
        )

    @property
    def inverse_takes(self) -> Fields:
        """A forecast of any length with its level and scale, as the transform returned them."""
        return Fields(
            **{HORIZON.get(name, name): field for name, field in forecast_fields("1").items()}
        )

    @property
    def weight_fields(self) -> Fields:
        """The combinations that make the levels, and scale and shift of each channel."""
        return Fields(
            **{
                LEVELS: floats("c t 2", help="weight of each step in the level now, and after"),
                GAMMA: floats("c", help="what a normalized channel is multiplied by"),
                BETA: floats("c", help="what is added to it then"),
            }
        )

    def check_weights(self, weights: Batch, path: str) -> None:
        """Refuse weights that no window can be scaled, or led back, by."""
        if weights.array(LEVELS).shape[1] < 2:
            raise InvalidInput("a window has two steps or more", path=f"{path}.{LEVELS}")
        if not weights.array(GAMMA).all():
            raise InvalidInput("a gamma of 0 has no way back", path=f"{path}.{GAMMA}")

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return windows about their level, and what a forecast needs."""
        x = batch.array("x")
        moments = ChannelMoments.of(x, np.ones(x.shape, dtype=bool))
        found = [self._pair(x, moments, fitted[LEVELS][:, :, which].T) for which in (0, 1)]
        (loc, scale), (later_loc, later_scale) = found
        if not all(np.isfinite(numbers).all() for pair in found for numbers in pair):
            raise InvalidInput("a level or spread is too large for a float64", path="input.x")
        affine = ChannelAffine(fitted[GAMMA], fitted[BETA])
        answer = Answer(
            {
                "y": affine.apply(standardize(x, loc, scale)),
                "loc": loc,
                "scale": scale,
                "forecast_loc": later_loc,
                "forecast_scale": later_scale,
            }
        )
        answer = answer.flagged("constant", np.argwhere(moments.constant))
        return replace(answer, explain=moments.explained()) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a forecast about its own level."""
        named = {name: batch[HORIZON[name]] for name in PAIRS}
        affine = ChannelAffine(fitted[GAMMA], fitted[BETA])
        return Answer(restored_forecasts(affine.undone(batch.replace(**named))))

    def _pair(self, x: Array, moments: ChannelMoments, steps: Array) -> tuple[Array, Array]:
        """Return level and scale of each window, ``(n, 1, c)``; `steps` has a weight a step."""
        level = _gelu((x * steps).sum(axis=1))
        spread = moments.root_mean_square(level, 0.0)
        # The divisor is t - 1, that of the mean square t.
        spread = spread * np.sqrt(x.shape[1] / (x.shape[1] - 1))
        scale = np.hypot(spread, np.sqrt(unwrap(self.eps)))
        scale = np.where(scale == 0, 1.0, scale)
        return level[:, np.newaxis], scale[:, np.newaxis]


def _gelu(x: Array) -> Array:
    from scipy.special import ndtr

    return np.asarray(x * ndtr(x))


def _once(help: str) -> Field:
    return like("x", series("n 1 c", help=help))
