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
        index = self.located(fitted, batch.array("groups"), "input.groups")
        answer = Answer({"y": self._rows(fitted, index).apply(x)})
        for name, where in _flags(fitted, index, x).items():
            answer = answer.flagged(name, np.flatnonzero(where))
        return replace(answer, explain=self._parts(fitted, index)) if options.explain else answer

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from aligned scores; a group that gives one number gives its mean."""
        y = batch.array("y")
        index = self.located(fitted, batch.array("groups"), "input.groups")
        answer = Answer({"x": self._rows(fitted, index).undo(y)})
        return answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))

    def _rows(self, fitted: Fitted, index: Array) -> LocScale:
        """Return location and scale of each row; -1 takes those of unknown groups."""
        unknown = fitted["unknown_loc"]
        loc = np.vstack([fitted["loc"], unknown])[index]
        scale = np.vstack([fitted["scale"], fitted["unknown_scale"]])[index]
        # Fitted arrays hold no NaN, so a mark of its own says where `fixed` counts.
        fixed = np.where(fitted["is_fixed"], fitted["fixed"], np.nan)
        fixed = np.vstack([fixed, np.full_like(unknown, np.nan)])[index]
        return LocScale(loc, self.sign * scale, fixed)

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
    flags = {
        "unknown_group": ~known_group,
        "insufficient": known_group & _rowwise(fitted["insufficient"])[index],
        "constant": known_group & _rowwise(fitted["constant"])[index],
    }
    lower, upper = fitted.get("min"), fitted.get("max")
    if lower is not None and upper is not None:
        beyond = (x < lower[index]) | (x > upper[index])
        flags["out_of_range"] = known_group & beyond.any(axis=1)
    return flags


def _rowwise(marks: Array) -> Array:
    return np.asarray(np.any(marks, axis=1))
