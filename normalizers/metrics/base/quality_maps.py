"""What maps from the scores of groups to a quality have in common."""

from __future__ import annotations

from typing import Literal

import numpy as np

from normalizers.bases.group_labels import UNKNOWN
from normalizers.bases.groups import GroupNormalizer
from normalizers.bases.weighted_fit import WeightedFit
from normalizers.contract import (
    Answer,
    Batch,
    Fields,
    Fitted,
    Notice,
    Traits,
    floats,
    labels,
    notice,
    param,
)
from normalizers.data.arrays import Array
from normalizers.errors import InvalidInput
from normalizers.kernels.monotone import OutOfBounds
from normalizers.messages import quoted_key
from normalizers.metrics.base.self_alignment import alignment_notices

# Below so many labelled anchors a group's own line is worse than one that leans on all groups
# (MLQE: mean error 19.0 against 16.5 with 5 anchors, less than 0.1 apart from 20 on).
FEW = 20


class QualityMap(WeightedFit, GroupNormalizer):
    """Base of the maps from one column of scores to the quality of labelled anchors.

    Among the fitted arrays stand ``min`` and ``max`` (g,), the range of the anchors of each group;
    where `unknown_group` is ``global`` a last row of all arrays is that of all groups together.
    """

    traits = Traits(same_bits=True)
    gives = Fields(y=floats("m 1", flat="column", help="quality of each score"))

    flip = None

    unknown_group: Literal["error", "global"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, or the map of all groups together",
    )

    @property
    def fits(self) -> Fields:  # type: ignore[override]
        """Anchors with their groups and qualities, and weights where their kind is named."""
        fields = Fields(
            x=floats("n 1", flat="column", help="scores of the anchors"),
            groups=labels("n j", help="the group of each anchor, one label or several"),
            qualities=floats("n", help="known quality of each anchor, higher is better"),
        )
        return self.with_weights(fields)

    @property
    def takes(self) -> Fields:  # type: ignore[override]
        """Scores with their groups."""
        return Fields(
            x=floats("m 1", flat="column", help="scores"),
            groups=labels("m j", help="the group of each score"),
        )

    @property
    def sign_of_scores(self) -> int:
        """1 where quality grows with the score, -1 where it falls."""
        return 1 if self.higher_is_better else -1

    def told_of(self, groups: list[dict[str, object]]) -> dict[str, object]:
        """Return the fit report of groups of which this is known."""
        return {
            "group_by": list(self.group_names or ("group",)),
            "reference_kind": self.reference_kind,
            "higher_is_better": self.higher_is_better,
            **self.provenance,
            "groups": [{**told, "reference_kind": self.reference_kind} for told in groups],
        }

    def notices_of(self, keys: Array, n: Array, advice: str) -> tuple[Notice, ...]:
        """Return what a reader must know of these groups with `n` anchors each."""
        few = np.flatnonzero(n < FEW)
        told = alignment_notices(self.reference_kind)
        if not len(few):
            return told
        first = quoted_key(keys[few[0]].tolist())
        message = f"{len(few)} of {len(n)} groups have fewer than {FEW} anchors, {first} among them"
        return (*told, notice("few_anchors", f"{message}; {advice}", count=len(few)))

    def beyond(self, fitted: Fitted, index: Array, x: Array) -> Array:
        """Return which scores lie beyond the anchors of their group."""
        return np.asarray((x < fitted["min"][index]) | (x > fitted["max"][index]))

    def flagged(
        self, answer: Answer, index: Array, beyond: Array, out_of_bounds: OutOfBounds
    ) -> Answer:
        """Return the answer with its flags, or refuse scores beyond the anchors if that is asked.

        Raises
        ------
        InvalidInput
            A score is beyond the anchors of its group, and `out_of_bounds` is ``error``.
        """
        count = int(np.count_nonzero(beyond))
        if count and out_of_bounds == "error":
            row = int(np.argmax(beyond))
            raise InvalidInput(
                "a score beyond the anchors of its group, and out_of_bounds is 'error'",
                path=f"input.x[{row}]",
            )
        answer = answer.flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        answer = answer.flagged("out_of_range", np.flatnonzero(beyond))
        if not count or out_of_bounds != "clip":
            return answer
        told = notice(
            "beyond_anchors",
            f"{count} of {len(beyond)} scores lie beyond the anchors of their group and get the "
            "quality of the last one; out_of_bounds 'linear' goes on",
            count=count,
        )
        return answer.flagged("clipped", np.flatnonzero(beyond)).warned(told)

    def places(self, fitted: Fitted, batch: Batch) -> Array:
        """Return the row of the fitted arrays for each row of a request, -1 for unknown groups."""
        return self.located(fitted, batch.labels("groups"), "input.groups")
