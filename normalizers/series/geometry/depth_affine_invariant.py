"""Depth maps without their unknown shift and scale."""

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
    Traits,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.contract.fields import mask
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

AXES_OF_A_MAP = (1, 2)


class DepthAffineInvariant(Normalizer):
    """Subtract the median of a depth map, divide by the mean distance from it.

    For the observed pixels of each map: y = (x - m) / (s + eps), m the lower median,
    s = mean |x - m|.

    Notes
    -----
    Missing and masked pixels are left out, and missing in the answer. A map without spread comes
    out as 0 and is flagged ``constant``; one without observed pixels has location 0, scale 1 and
    the flag ``empty``. Two maps that differ by a positive factor and a shift give one answer, but
    for `eps`. ``loc`` is the median and ``scale`` what divided, with the epsilon. Cost O(h w) a
    map.

    References
    ----------
    Ranftl et al., "Towards Robust Monocular Depth Estimation", 2020; ``YvanYin/Metric3D``,
    ``HDNL.py``.

    Examples
    --------
    >>> from normalizers import DepthAffineInvariant
    >>> DepthAffineInvariant(eps=0.0).transform([[[1.0, 2.0, 3.0, 6.0]]]).tolist()
    [[[-0.6666666666666666, 0.0, 0.6666666666666666, 2.6666666666666665]]]
    """

    name = "depth_affine_invariant"
    family = "series"
    kinds = ("window",)
    traits = Traits(preserves_columns=False)
    takes = Fields(
        x=floats("n h w", flat="item", help="depth maps"),
        mask=optional(mask("n h w", flat="item")),
    )
    gives = Fields(
        y=floats("n h w", flat="item", help="normalized maps"),
        loc=floats("n", help="median of each map"),
        scale=floats("n", help="what divided each map"),
    )
    inverse_takes = Fields(
        y=floats("n h w", flat="item", help="normalized maps"),
        loc=floats("n", help="median of each map"),
        scale=floats("n", help="what divided each map"),
    )
    example = Example(input={"x": [[[1.0, 2.0, 3.0], [4.0, 10.0, 2.5]]]})

    eps: float | None = param(
        default=None, default_value=1e-8, ge=0, affects="answer", help="added to the distance"
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a missing pixel: refused, or left out and missing in its place",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the maps with their location and scale."""
        x = batch.array("x")
        observed = ~np.isnan(x)
        if "mask" in batch:
            observed &= batch.array("mask").astype(bool)
        found = [_median_and_distance(one[seen]) for one, seen in zip(x, observed, strict=True)]
        loc, distance = (np.array([each[k] for each in found], dtype=np.float64) for k in (0, 1))
        count = observed.sum(axis=AXES_OF_A_MAP)
        flat, empty = (distance == 0) & (count > 0), count == 0
        scale = np.where(distance > 0, distance + unwrap(self.eps), 1.0)
        y = (x - loc[:, None, None]) / scale[:, None, None]
        answer = Answer({"y": np.where(observed, y, np.nan), "loc": loc, "scale": scale})
        answer = answer.flagged("constant", np.flatnonzero(flat))
        answer = answer.flagged("empty", np.flatnonzero(empty))
        parts = {"loc": loc.tolist(), "scale": scale.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``."""
        loc, scale = batch.array("loc")[:, None, None], batch.array("scale")[:, None, None]
        return Answer({"x": loc + scale * batch.array("y")})


def _median_and_distance(values: Array) -> tuple[float, float]:
    """Return the lower median of some pixels and the mean distance from it."""
    if not len(values):
        return 0.0, 0.0
    middle = float(np.partition(values, (len(values) - 1) // 2)[(len(values) - 1) // 2])
    return middle, float(np.mean(np.abs(values - middle)))
