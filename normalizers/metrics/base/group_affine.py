"""Group methods of the form y = (x - loc) / scale, with a fixed answer where that has none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.bases.groups import UNKNOWN, GroupNormalizer
from normalizers.contract import Answer, Batch, Fitted, Options
from normalizers.data.arrays import Array
from normalizers.kernels.loc_scale import LocScale


class AffineGroupNormalizer(GroupNormalizer):
    """Base of the group methods that subtract a location and divide by a scale.

    Beside ``keys`` their fitted arrays hold ``loc``, ``scale``, ``fixed`` (the one answer of a
    group, where ``is_fixed`` is 1), ``insufficient`` and ``constant`` (0 or 1), of shape (g, c);
    ``unknown_loc`` and ``unknown_scale`` (c,); ``min`` and ``max`` (g, c) where the range is kept.
    """

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return aligned scores."""
        x = batch.array("x")
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        answer = Answer({"y": self._rows(fitted, index).apply(x)})
        for name, where in _flags(fitted, index, x).items():
            answer = answer.flagged(name, np.flatnonzero(where))
        return replace(answer, explain=self._parts(fitted, index)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from aligned scores; a group that gives one number gives its mean."""
        y = batch.array("y")
        index = self.located(fitted, batch.labels("groups"), "input.groups")
        answer = Answer({"x": self._rows(fitted, index).undo(y)})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _rows(self, fitted: Fitted, index: Array) -> LocScale:
        """Return location and scale of each row; -1 takes those of unknown groups."""
        unknown = fitted["unknown_loc"]
        loc = np.take(np.vstack([fitted["loc"], unknown]), index, axis=0)
        scale = np.take(np.vstack([fitted["scale"], fitted["unknown_scale"]]), index, axis=0)
        fixed = np.full((1, len(unknown)), np.nan)
        if fitted["is_fixed"].any():
            # Fitted arrays hold no NaN, so a mark of its own says where `fixed` counts.
            marked = np.where(fitted["is_fixed"], fitted["fixed"], np.nan)
            fixed = np.vstack([marked, fixed])[index]
        return LocScale(loc, scale if self.sign > 0 else -scale, fixed)

    def _parts(self, fitted: Fitted, index: Array) -> dict[str, object]:
        used = np.unique(index[index != UNKNOWN])
        groups = [
            {
                "keys": fitted["keys"][row].tolist(),
                "loc": fitted["loc"][row].tolist(),
                "scale": fitted["scale"][row].tolist(),
            }
            for row in used
        ]
        return {"reference_kind": self.reference_kind, "groups": groups}


def _flags(fitted: Fitted, index: Array, x: Array) -> dict[str, Array]:
    known_group = index != UNKNOWN
    flags = {"unknown_group": ~known_group}
    for name in ("insufficient", "constant"):
        if fitted[name].any():
            flags[name] = known_group & np.asarray(fitted[name].any(axis=1))[index]
    lower, upper = fitted.get("min"), fitted.get("max")
    if lower is not None and upper is not None:
        beyond = (x < np.take(lower, index, axis=0)) | (x > np.take(upper, index, axis=0))
        flags["out_of_range"] = known_group & beyond.any(axis=1)
    return flags
