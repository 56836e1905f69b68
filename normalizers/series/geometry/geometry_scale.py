"""Points in space over time, in units that a scene tells of itself."""

from __future__ import annotations

from collections.abc import Mapping
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
    Traits,
    floats,
    optional,
    param,
    unwrap,
)
from normalizers.contract.fields import mask
from normalizers.data.arrays import Array
from normalizers.errors import InvalidParams, ShapeError
from normalizers.normalizer import Normalizer

DIMS = 3
DEPTH = 2
# Time and the two axes of an image.
SCENE = (1, 2, 3)
# One scene, two of its frames, each of one row of two pixels.
POINTS = [[[[[1.0, 0.5, 2.0], [3.0, 1.5, 4.0]]], [[[1.5, 0.5, 2.5], [3.0, 2.0, 4.5]]]]]
BY_PIXEL = frozenset({"first_frame_range", "depth_relative"})


class GeometryScale(Normalizer):
    """Bring the points ``x (n, t, h, w, 3)`` of scenes to one size: y = (x - loc) / scale.

    ``centroid``: loc is the mean of the valid points of all frames, scale the mean of their
    distances from it, plus `eps`. ``camera``: loc is 0, scale the mean depth z, at least `eps`.
    ``first_frame_range``: loc is the first frame, scale the largest of its three coordinate
    ranges. ``depth_relative``: loc is the first frame, scale (z / fx, z / fy, z) at each of its
    pixels.

    Notes
    -----
    Invalid and missing points are left out, and missing in the answer. A scene without valid
    points has location 0 and scale 1 and is flagged ``empty``; one whose scale would be 0 has
    scale 1 and the flag ``constant``. A first frame with a depth that is missing or 0 has scale 1
    there, and its scene the flag ``degenerate``; with `max_range` a scene of a larger range is
    flagged ``out_of_range``. Each scene depends on itself alone. Ties stay ties. Cost O(points).

    References
    ----------
    MotionCrafter, arXiv:2602.08961, ``TencentARC/MotionCrafter`` (``centroid``, ``camera``);
    MoRe4D, arXiv:2512.05044, ``Zhangyr2022/MoRe4D`` (``depth_relative``, ``first_frame_range``).

    Examples
    --------
    >>> from normalizers import GeometryScale
    >>> scene = [[[[[1.0, 0.0, 2.0], [3.0, 0.0, 2.0]]]]]
    >>> answer = GeometryScale(variant="centroid", eps=0.0).apply_to(scene)
    >>> answer["y"].tolist(), answer["loc"].tolist(), answer["scale"].tolist()
    ([[[[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]]], [[2.0, 0.0, 2.0]], [1.0])
    """

    name = "geometry_scale"
    family = "series"
    kinds = ("window",)
    traits = Traits(preserves_columns=False)
    takes = Fields(
        x=floats("n t h w k", flat="item", help="points x, y, z"),
        mask=optional(mask("n t h w", flat="item")),
    )
    examples = tuple(
        Example({"variant": variant}, input={"x": POINTS}, name=name)
        for variant, name in (
            ("centroid", ""),
            ("camera", "camera"),
            ("first_frame_range", "range"),
            ("depth_relative", "relative"),
        )
    )

    variant: Literal["centroid", "camera", "depth_relative", "first_frame_range"] | None = param(
        default=None, default_value="centroid", affects="answer", help="what scenes are measured by"
    )
    eps: float | None = param(
        default=None,
        default_value=1e-8,
        ge=0,
        affects="answer",
        help="added to the distance, or the least depth",
    )
    reshift: bool | None = param(
        default=None, resolves="true for centroid", affects="answer", help="centroid: subtract it"
    )
    rescale: bool | None = param(
        default=None,
        resolves="true for centroid",
        affects="answer",
        help="centroid: divide by the distance",
    )
    fx: float | None = param(
        default=None,
        resolves="1 for depth_relative",
        gt=0,
        affects="answer",
        help="focal length along x",
    )
    fy: float | None = param(
        default=None,
        resolves="1 for depth_relative",
        gt=0,
        affects="answer",
        help="focal length along y",
    )
    max_range: float | None = param(
        default=None, resolves="no bound", gt=0, affects="answer", help="largest range not flagged"
    )
    nan_policy: Literal["reject", "omit"] | None = param(
        default=None,
        default_value="omit",
        affects="answer",
        help="a point with a missing coordinate: refused, or left out and missing in its place",
    )

    def check(self, path: str) -> None:
        """Refuse words of another variant."""
        owners = {"reshift": "centroid", "rescale": "centroid", "max_range": "first_frame_range"}
        owners |= {"fx": "depth_relative", "fy": "depth_relative"}
        for name, variant in owners.items():
            if getattr(self, name) is not None and self._variant != variant:
                raise InvalidParams(
                    f"'{name}' belongs to variant '{variant}'", path=f"{path}.{name}"
                )

    def defaults(self, statistics: object) -> dict[str, object]:
        """Return the words of the variant."""
        if self._variant == "centroid":
            return {"reshift": True, "rescale": True}
        return {"fx": 1.0, "fy": 1.0} if self._variant == "depth_relative" else {}

    @property
    def gives(self) -> Fields:
        """The points, with what was subtracted and what divided."""
        return Fields(y=floats("n t h w k", flat="item", help="points in units"), **self._scales())

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave."""
        return self.gives

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the points in units of their scenes."""
        # Sums go by places in memory: another layout must not change a bit.
        x = np.ascontiguousarray(batch.array("x"))
        if x.shape[-1] != DIMS and x.size:
            raise ShapeError(f"points have {DIMS} coordinates, not {x.shape[-1]}", path="input.x")
        valid = np.asarray(~np.isnan(x).any(axis=-1))
        if "mask" in batch:
            valid &= batch.array("mask").astype(bool)
        points = np.where(valid[..., None], x, np.nan)
        loc, scale, flags = self._measured(points, valid)
        y = (points - self._spread(loc, x.ndim)) / self._spread(scale, x.ndim)
        answer = Answer({"y": y, "loc": loc, "scale": scale})
        for name, scenes in flags.items():
            answer = answer.flagged(name, np.flatnonzero(scenes))
        parts = {"variant": self._variant}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return ``loc + scale y``."""
        y = batch.array("y")
        loc, scale = (self._spread(batch.array(name), y.ndim) for name in ("loc", "scale"))
        return Answer({"x": loc + scale * y})

    @property
    def _variant(self) -> str:
        return self.variant or "centroid"

    def _scales(self) -> dict[str, Field]:
        of_scenes = {"loc": "n k", "scale": "n"}
        of_pixels = {"first_frame_range": "n", "depth_relative": "n h w k"}
        if self._variant in BY_PIXEL:
            of_scenes = {"loc": "n h w k", "scale": of_pixels[self._variant]}
        about = {"loc": "what was subtracted", "scale": "what divided"}
        return {
            name: floats(shape, flat="item" if shape == "n h w k" else None, help=about[name])
            for name, shape in of_scenes.items()
        }

    def _spread(self, values: Array, axes: int) -> Array:
        """Return numbers of scenes, coordinates or pixels beside points."""
        if values.ndim == axes - 1:
            return values[:, None]
        ones = (1,) * (axes - 1)
        if values.ndim == 1:
            return values.reshape(len(values), *ones)
        return values.reshape(len(values), *ones[1:], values.shape[-1])

    def _measured(self, x: Array, valid: Array) -> tuple[Array, Array, Mapping[str, Array]]:
        empty = np.asarray(~valid.any(axis=SCENE))
        if self._variant == "centroid":
            return self._of_centroid(x, valid, empty)
        if self._variant == "camera":
            depth = _mean(x[..., DEPTH], valid)
            scale = np.where(empty, 1.0, np.maximum(depth, unwrap(self.eps)))
            flat = (scale == 0) & ~empty
            loc = np.zeros((len(x), x.shape[-1]))
            return loc, np.where(flat, 1.0, scale), {"empty": empty, "constant": flat}
        first = x[:, 0] if x.shape[1] else np.zeros((len(x), *x.shape[2:]))
        if self._variant == "depth_relative":
            return self._of_depths(first, empty)
        loc = np.nan_to_num(first)
        ranges = _ranges(first)
        flat = (ranges == 0) & ~empty
        scale = np.where(ranges > 0, ranges, 1.0)
        large = ranges > (np.inf if self.max_range is None else self.max_range)
        return loc, scale, {"empty": empty, "constant": flat, "out_of_range": large}

    def _of_centroid(
        self, x: Array, valid: Array, empty: Array
    ) -> tuple[Array, Array, Mapping[str, Array]]:
        loc = np.stack([_mean(x[..., k], valid) for k in range(x.shape[-1])], axis=-1)
        distances = np.sqrt(np.sum((x - loc[:, None, None, None]) ** 2, axis=-1))
        distance = _mean(distances, valid)
        flat = (distance == 0) & ~empty
        scale = np.where(distance > 0, distance + unwrap(self.eps), 1.0)
        shifted = loc if self.reshift else np.zeros_like(loc)
        scaled = scale if self.rescale else np.ones_like(scale)
        return shifted, scaled, {"empty": empty, "constant": flat}

    def _of_depths(self, first: Array, empty: Array) -> tuple[Array, Array, Mapping[str, Array]]:
        depth = first[..., DEPTH] if first.size else np.zeros(first.shape[:-1])
        wrong = ~np.isfinite(depth) | (depth == 0)
        known = np.where(wrong, 1.0, depth)
        scale = np.stack([known / unwrap(self.fx), known / unwrap(self.fy), known], axis=-1)
        degenerate = np.asarray(wrong.any(axis=(1, 2)) & ~empty)
        return np.nan_to_num(first), scale, {"empty": empty, "degenerate": degenerate}


def _mean(values: Array, valid: Array) -> Array:
    """Return the mean of the valid values of each scene, 0 where there are none."""
    count = valid.sum(axis=SCENE)
    total = np.sum(np.where(valid, values, 0.0), axis=SCENE)
    return np.asarray(total / np.maximum(count, 1))


def _ranges(first: Array) -> Array:
    """Return the largest range of a coordinate of each first frame, 0 where it has no points."""
    count = first.shape[1] * first.shape[2]
    flat = first.reshape(len(first), count, first.shape[-1])
    lower = np.min(np.where(np.isnan(flat), np.inf, flat), axis=1, initial=np.inf)
    upper = np.max(np.where(np.isnan(flat), -np.inf, flat), axis=1, initial=-np.inf)
    widths = np.where(upper >= lower, upper - lower, 0.0)
    return np.asarray(np.max(widths, axis=1, initial=0.0))
