"""Reversible instance normalization: windows standardized, with a trained affine map or without."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Literal, cast

import numpy as np

from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Options,
    Statistics,
    Traits,
    floats,
    param,
    unwrap,
)
from normalizers.contract.method import Kind
from normalizers.data.arrays import Array
from normalizers.data.batch import Value
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput
from normalizers.kernels import segments
from normalizers.kernels.epsilon import EpsMode
from normalizers.series.base.forecasts import restored_forecasts
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics
from normalizers.series.learned.base.channel_affine import ChannelAffine

# What neuralforecast adds to a weight that is cut at 0.
DECOUPLED_FLOOR = 1e-6
WINDOWS = [[[1.0, 10.0], [2.0, 12.0], [4.0, 11.0]], [[0.5, 3.0], [0.0, 5.0], [1.0, 4.0]]]


class Revin(WindowNormalizer):
    """Standardize windows, ``y = w (x - mean) / sqrt(var + eps) + b``, and lead forecasts back.

    Without `affine` w is 1 and b is 0, and nothing is imported. With it ``affine_weight`` and
    ``affine_bias`` are those of a trained layer, one number a channel. The way back is

    - ``original``: ``x = (y - b) / (w + eps^2) scale + loc``, as the authors' class;
    - ``fan``: ``x = (y - b) / w scale + loc``, the plain way back of FAN's copy (which has `ddof`
      1 and `eps` 1e-8, see the presets);
    - ``scale_decouple``: the affine map is left out of the way forward, and the way back is
      ``x = y scale (max(w, 0) + 1e-6) + loc + b``, as in neuralforecast.

    Notes
    -----
    A window's answer depends on that window and the weights alone; early steps depend on later
    ones of the same window. Missing and masked values are left out of the statistics and missing
    in the answer. A window without spread comes out as b, for `eps` keeps the divisor above 0, and
    is flagged ``constant``; with `eps` 0 `on_constant` decides. Ties need no rule. ``loc`` and
    ``scale`` are those before the affine map, ``scale`` with the epsilon inside. Cost O(N).

    The inverse takes values or a forecast of any length with the returned ``loc`` and ``scale``:
    points and quantiles as above, ``std`` times scale over the size of the weight, ``variance``
    by its square.

    The input step of the Non-stationary Transformer is this without `affine`; so are the RevIN of
    Leddam and FITS. TimesFM's copy is `window_z_score` with `eps` 1e-6 and `eps_mode`
    below_to_one.

    References
    ----------
    Kim et al., "Reversible Instance Normalization for Accurate Time-Series Forecasting against
    Distribution Shift", ICLR 2022; ts-kim/RevIN (MIT). Variants: wayne155/FAN (Apache-2.0),
    Nixtla/neuralforecast (Apache-2.0).

    Examples
    --------
    >>> from normalizers import Revin
    >>> weights = {"affine_weight": [2.0], "affine_bias": [0.5]}
    >>> layer = Revin(affine=True).fit_weights(weights)
    >>> answer = layer.apply_to(x=[1.0, 2.0, 3.0], layout="T")
    >>> answer["y"].round(3).tolist()
    [-1.949, 0.5, 2.949]
    >>> layer.inverse_transform(
    ...     [0.5, 4.5], loc=answer["loc"], scale=answer["scale"], layout="T"
    ... ).round(3).tolist()
    [2.0, 3.633]
    """

    name = "revin"
    kinds: ClassVar[tuple[Kind, ...]] = ("window", "learned")
    aliases = {"rev_in": {}}
    presets = {
        "fan": {"variant": "fan", "ddof": 1, "eps": 1e-8},
        "neuralforecast": {"affine": True, "variant": "scale_decouple"},
    }
    examples = (
        Example(input={"x": WINDOWS}),
        Example(
            name="affine",
            params={"affine": True},
            weights={"affine_weight": [1.1, 0.9], "affine_bias": [0.1, -0.2]},
            input={"x": WINDOWS},
        ),
    )

    affine: bool | None = param(
        default=None,
        default_value=False,
        affects="statistics",
        help="whether a trained weight and bias of each channel are applied; they are imported",
    )
    variant: Literal["original", "fan", "scale_decouple"] | None = param(
        default=None,
        default_value="original",
        affects="solution",
        help="how the affine map is led back",
    )
    eps: float | None = param(
        default=None,
        default_value=1e-5,
        resolves="0 with eps_mode: none",
        affects="answer",
        ge=0,
        le=1e6,
        help="the layer's epsilon",
    )
    eps_mode: EpsMode | None = param(
        default=None, default_value="add_var", affects="answer", help="where the epsilon goes"
    )
    ddof: int | None = param(
        default=None, default_value=0, affects="answer", ge=0, help="the divisor is n - ddof"
    )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """A trained weight may be negative."""
        return replace(WindowNormalizer.traits, monotone=not self.affine)

    @property
    def weight_fields(self) -> Fields:
        """Weight and bias of each channel, under the names of the authors' class."""
        if not self.affine:
            return NO_FIELDS
        return Fields(
            affine_weight=floats("c", help="what a normalized channel is multiplied by"),
            affine_bias=floats("c", help="what is added to it then"),
        )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """An epsilon that goes nowhere is none."""
        found = super().defaults(statistics)
        return {**found, "eps": 0.0} if self.eps_mode == "none" and self.eps is None else found

    def check_weights(self, weights: Batch, path: str) -> None:
        """Refuse a weight of 0 where the way back divides by it."""
        if self.variant == "fan" and not weights.array("affine_weight").all():
            raise InvalidInput(
                "a weight of 0 has no way back with variant 'fan'", path=f"{path}.affine_weight"
            )

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return mean and deviation of every list."""
        moments = segments.centred_moments(observed)
        return WindowStatistics(
            moments.n, moments.mean, moments.std(unwrap(self.ddof)), segments.constant(observed)
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return normalized windows with their loc and scale."""
        answer = super().apply(fitted, batch, options)
        if not self.affine or self.variant == "scale_decouple":
            return answer
        affine = ChannelAffine(fitted["affine_weight"], fitted["affine_bias"])
        return replace(answer, output={**answer.output, "y": affine.apply(answer.canonical("y"))})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return a forecast in the units of the window."""
        if not self.affine:
            return Answer(restored_forecasts(batch))
        weight, bias = fitted["affine_weight"], fitted["affine_bias"]
        if self.variant == "scale_decouple":
            factor = np.maximum(weight, 0.0) + DECOUPLED_FLOOR
            before = ChannelAffine(1 / factor, np.zeros_like(bias)).undone(batch)
            return Answer(restored_forecasts(before.replace(loc=_moved(batch["loc"], bias))))
        divisor = weight if self.variant == "fan" else weight + unwrap(self.eps) ** 2
        return Answer(restored_forecasts(ChannelAffine(divisor, bias).undone(batch)))


def _moved(loc: Value, bias: Array) -> Value:
    if isinstance(loc, Ragged):
        return loc.with_values(loc.values + bias)
    return cast(Array, loc) + bias
