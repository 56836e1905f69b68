"""Squash: every number into a bounded range by a smooth curve."""

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
    Notice,
    Options,
    floats,
    notice,
    param,
    unwrap,
)
from normalizers.contract.traits import Traits
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams
from normalizers.normalizer import Normalizer

OF_CURVES = ("alpha", "gamma", "beta")
QUARTER = np.pi / 2


class Squash(Normalizer):
    """Squash numbers: y = gamma tanh(alpha x) + beta.

    `variant` ``erf`` is gamma erf(alpha x + s) + beta; ``log1p`` is sign(x) log(1 + |x|), which is
    not bounded; ``cos_sin`` gives for each z in 0..1 the pair cos(pi z / 2), sin(pi z / 2) of
    length 1, all cosines before all sines.

    Notes
    -----
    Missing values: refused, or missing in their place. Ties need no rule; all but ``cos_sin`` are
    monotone where gamma is positive. On the way back a number beyond the range has no input: it is
    missing and flagged ``out_of_range``. Numbers outside 0..1 wrap around with ``cos_sin``, which a
    warning tells. Cost O(m d).

    References
    ----------
    Zhu et al.: Transformers without normalization, 2025 (``dyt``, whose layer begins at
    alpha = 0.5); its successor with the error function (``derf``).

    Examples
    --------
    >>> from normalizers import Squash
    >>> Squash(alpha=1.0).transform([[0.0, 1.0, 30.0]]).round(4).tolist()
    [[0.0, 0.7616, 1.0]]
    """

    name = "squash"
    family = "embeddings"
    kinds = ("stateless",)
    presets = {
        "dyt": {"variant": "tanh", "alpha": 0.5},
        "derf": {"variant": "erf", "alpha": 0.5, "s": 0.0},
    }
    takes = Fields(x=floats("m d", flat="row", leading=True, help="rows of numbers"))
    example = Example(input={"x": [[0.0, 1.0], [-2.0, 0.5]]})

    variant: Literal["tanh", "erf", "log1p", "cos_sin"] | None = param(
        default=None, default_value="tanh", affects="answer", help="which curve"
    )
    alpha: float | None = param(
        default=None, resolves="0.5 for tanh and erf", gt=0, affects="answer", help="steepness"
    )
    gamma: float | None = param(
        default=None, resolves="1 for tanh and erf", affects="answer", help="half of the range"
    )
    beta: float | None = param(
        default=None, resolves="0 for tanh and erf", affects="answer", help="middle of the range"
    )
    s: float | None = param(
        default=None, resolves="0 for erf", affects="answer", help="added before the curve"
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="reject",
        affects="answer",
        help="a missing number: refused, or missing in its place",
    )

    def check(self, path: str) -> None:
        """Refuse parameters of another curve, and a range of nothing."""
        if self.gamma == 0:
            raise InvalidParams("gamma 0 leaves no range", path=f"{path}.gamma")
        curve = self.variant or "tanh"
        used = {"tanh": OF_CURVES, "erf": (*OF_CURVES, "s")}.get(curve, ())
        for name in {*OF_CURVES, "s"} - set(used):
            if getattr(self, name) is not None:
                raise InvalidParams(f"variant '{curve}' has no {name}", path=f"{path}.{name}")

    def defaults(self, statistics: object) -> dict[str, object]:
        """Return the numbers of the curve."""
        if self.variant in ("log1p", "cos_sin"):
            return {}
        curve: dict[str, object] = {"alpha": 0.5, "gamma": 1.0, "beta": 0.0}
        return {**curve, "s": 0.0} if self.variant == "erf" else curve

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """A pair stands for each number with ``cos_sin``."""
        pairs = self.variant == "cos_sin"
        return Traits(flag_axes=(0, 1), preserves_columns=not pairs)

    @property
    def gives(self) -> Fields:
        """As many numbers, or twice as many."""
        columns = "k" if self.variant == "cos_sin" else "d"
        return Fields(y=floats(f"m {columns}", flat="row", leading=True, help="squashed numbers"))

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave."""
        return self.gives

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the squashed numbers."""
        x = batch.array("x")
        answer = Answer({"y": self._forward(x)}, warnings=self._warnings(x))
        parts = {name: getattr(self, name) for name in ("variant", *OF_CURVES, "s")}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the numbers behind squashed ones."""
        y = batch.array("y")
        x = self._backward(y)
        lost = np.isnan(x) & ~np.isnan(y) if x.shape == y.shape else np.isnan(x)
        return Answer({"x": x}).flagged("out_of_range", np.flatnonzero(lost.any(axis=1)))

    def _forward(self, x: Array) -> Array:
        if self.variant == "log1p":
            return np.asarray(np.copysign(np.log1p(np.abs(x)), x))
        if self.variant == "cos_sin":
            return np.concatenate([np.cos(QUARTER * x), np.sin(QUARTER * x)], axis=1)
        if self.variant == "erf":
            from scipy.special import erf

            curve = erf(unwrap(self.alpha) * x + unwrap(self.s))
        else:
            curve = np.tanh(unwrap(self.alpha) * x)
        return np.asarray(unwrap(self.gamma) * curve + unwrap(self.beta))

    def _backward(self, y: Array) -> Array:
        if self.variant == "log1p":
            return np.asarray(np.copysign(np.expm1(np.abs(y)), y))
        if self.variant == "cos_sin":
            half = y.shape[1] // 2
            return np.asarray(np.arctan2(y[:, half:], y[:, :half]) / QUARTER)
        inside = (y - unwrap(self.beta)) / unwrap(self.gamma)
        inside = np.where(np.abs(inside) < 1, inside, np.nan)
        if self.variant == "erf":
            from scipy.special import erfinv

            return np.asarray((erfinv(inside) - unwrap(self.s)) / unwrap(self.alpha))
        return np.asarray(np.arctanh(inside) / unwrap(self.alpha))

    def _warnings(self, x: Array) -> tuple[Notice, ...]:
        if self.variant != "cos_sin":
            return ()
        with np.errstate(invalid="ignore"):
            outside = int(np.count_nonzero((x < 0) | (x > 1)))
        if not outside:
            return ()
        told = "numbers outside 0..1 share their pair with others"
        return (notice("outside_unit_interval", told, count=outside),)
