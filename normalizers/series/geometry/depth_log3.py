"""Depth maps in metres as three channels: far, near and relative."""

from __future__ import annotations

from dataclasses import replace

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
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer

# Of the three channels over the training images, as published.
CHANNEL_MEAN = np.array([0.248880, 0.495620, 0.492858])
CHANNEL_STD = np.array([0.139357, 0.271314, 0.297177])
AXES_OF_A_MAP = (1, 2)


class DepthLog3(Normalizer):
    """Make three channels of depth maps ``x (n, h, w)`` in metres: ``y (n, h, w, 3)``.

    With L = log(1 + clip(x, 0, c1)) they are L / log(1 + c1), clip(L / log(1 + c2), 0, 1), and
    (L - min L) / (max L - min L) over the map; c1 and c2 are `max_depth_c1` and `max_depth_c2`.

    Notes
    -----
    Missing and infinite depths become 0, as the published code has it; their maps are flagged
    ``missing`` and the report counts them. A map without spread is 0 in the third channel, and
    flagged ``constant``. Each map depends on itself alone. There is no way back: depths are
    clipped. Ties stay ties. Cost O(n h w).

    `max_depth_c2` is 9 and not 10: the weights of the model were trained with log(10) for the
    middle channel, and log(1 + 9) is that.

    References
    ----------
    DeFM, arXiv:2601.18923; ``leggedrobotics/defm`` (Apache-2.0), ``convert_to_3channel_metric``.

    Examples
    --------
    >>> from normalizers import DepthLog3
    >>> DepthLog3().transform([[[0.0, 9.0]]])[..., 1].tolist()
    [[[0.0, 1.0]]]
    """

    name = "depth_log3"
    family = "series"
    kinds = ("stateless",)
    traits = Traits(preserves_columns=False)
    takes = Fields(x=floats("n h w", flat="item", screened=False, help="depths in metres"))
    gives = Fields(y=floats("n h w k", flat="item", help="far, near and relative depth"))
    example = Example(input={"x": [[[0.0, 0.5, 1.0], [5.0, 20.0, 150.0]]]})

    max_depth_c1: float | None = param(
        default=None, default_value=100.0, gt=0, affects="answer", help="largest depth, in metres"
    )
    max_depth_c2: float | None = param(
        default=None,
        default_value=9.0,
        gt=0,
        affects="answer",
        help="depth that is 1 in the middle channel, in metres",
    )
    standardize: bool | None = param(
        default=None,
        default_value=False,
        affects="answer",
        help="subtract the published mean of each channel and divide by its deviation",
    )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the three channels."""
        x = batch.array("x")
        finite = np.isfinite(x)
        logarithm = np.log1p(np.clip(np.where(finite, x, 0.0), 0.0, unwrap(self.max_depth_c1)))
        relative, flat = _of_its_range(logarithm)
        far = logarithm / np.log1p(unwrap(self.max_depth_c1))
        near = np.clip(logarithm / np.log1p(unwrap(self.max_depth_c2)), 0.0, 1.0)
        y = np.stack([far, near, relative], axis=-1)
        if self.standardize:
            y = (y - CHANNEL_MEAN) / CHANNEL_STD
        report = {"missing": int(np.count_nonzero(~finite))}
        answer = Answer({"y": y}, report=report)
        answer = answer.flagged("missing", np.flatnonzero(~finite.all(axis=AXES_OF_A_MAP)))
        answer = answer.flagged("constant", np.flatnonzero(flat))
        return replace(answer, explain={"channels": 3}) if options.explain else answer


def _of_its_range(maps: Array) -> tuple[Array, Array]:
    """Return each map between its own ends, and which have none between."""
    if not maps.size:
        return maps, np.zeros(len(maps), dtype=bool)
    lower = maps.min(axis=AXES_OF_A_MAP, keepdims=True)
    spread = maps.max(axis=AXES_OF_A_MAP, keepdims=True) - lower
    flat = spread == 0
    return (maps - lower) / np.where(flat, 1.0, spread), flat.ravel()
