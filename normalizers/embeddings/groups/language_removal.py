"""Language removal: the strongest directions of each language taken out of its vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.bases.group_labels import UNKNOWN, group_of_rows
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Options,
    Statistics,
    labels,
    notice,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.embeddings.base.removed_directions import (
    GroupDirectionRemoval,
    vectors,
    without,
)
from normalizers.kernels.linalg import eigh_descending, keep_rank
from normalizers.statistics import Grouped, Scatter

# A direction that holds less of the second moment than this share is rounding.
REL_FLOOR = 1e-12


class LanguageRemoval(GroupDirectionRemoval):
    """Remove from each row the strongest directions of its group: y = x - (x C) C^T.

    C are the `n_remove` first left singular vectors of the group's vectors, not centred: the
    directions of its second moment, S + n mu mu^T.

    Notes
    -----
    With one direction it is nearly the same as centring each group. Where a group has fewer
    directions than shall be removed, all it has are, with a warning. An unknown group is refused;
    `unknown_group` ``global`` takes the directions of all rows together, ``pass`` none. Ties need
    no rule. Cost O(n d^2 + g d^3) for a fit, O(m d r) for a transform.

    See Also
    --------
    group_centering : a mean for each group.
    group_span_removal : needs no groups where it is applied.

    References
    ----------
    Yang et al.: A simple and effective method to eliminate the self language bias in multilingual
    representations, 2021.

    Examples
    --------
    >>> from normalizers import LanguageRemoval
    >>> x = [[3.0, 0.0], [-2.0, 0.0], [0.0, 1.0]]
    >>> method = LanguageRemoval().fit(x, groups=["de", "de", "en"])
    >>> method.transform([[5.0, 2.0], [5.0, 2.0]], groups=["de", "en"]).tolist()
    [[0.0, 2.0], [5.0, 0.0]]
    """

    name = "language_removal"
    aliases = {"lir": {}}
    takes = Fields(
        x=vectors("m", "vectors"),
        groups=labels("m j", help="the group of each row"),
    )
    example = Example(
        fit={"x": [[3.0, 0.1], [2.0, -0.1], [0.2, 1.0]], "groups": ["de", "de", "en"]},
        input={"x": [[5.0, 2.0], [5.0, 2.0]], "groups": ["de", "en"]},
    )

    unknown_group: Literal["error", "global", "pass"] | None = param(
        default=None,
        default_value="error",
        affects="solution",
        help="a group the fit does not know: refused, directions of all rows, or none",
    )
    n_remove: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="directions of each group"
    )

    @property
    def keeps(self) -> dict[str, Grouped[Scatter]]:
        """The scatter of each group."""
        return {"scatter": Grouped(Scatter(), self.group_by)}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the directions of each group, and of all."""
        kept = _scatters(statistics)
        keys = kept.table
        found = [self._directions(kept[key]) for key in kept]
        unknown = np.zeros_like(found[0])
        if self.unknown_group == "global":
            unknown = self._directions(kept.pooled())
        counts = np.array([np.count_nonzero(one.any(axis=0)) for one in found], dtype=np.int64)
        arrays = {"keys": keys, "directions": np.stack(found), "unknown_directions": unknown}
        sizes = {"d": found[0].shape[0], "j": keys.shape[1]}
        report = {"n_removed": counts.tolist()}
        return Fitted(arrays, sizes, report, _fewer(counts, unwrap(self.n_remove)))

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the rows without the directions of their groups."""
        x = batch.array("x")
        groups = batch.labels("groups")
        index = group_of_rows(self, fitted, groups, "input.groups")
        y = np.empty_like(x)
        for group in np.unique(index):
            rows = index == group
            known = group != UNKNOWN
            directions = fitted["directions"][group] if known else fitted["unknown_directions"]
            y[rows] = without(x[rows], directions)
        answer = Answer({"y": y}).flagged("unknown_group", np.flatnonzero(index == UNKNOWN))
        return replace(answer, explain=_parts(fitted, index)) if options.explain else answer

    def _directions(self, kept: Scatter) -> Array:
        """Return the strongest directions about zero, (d, r); zeros where there are fewer."""
        wanted = unwrap(self.n_remove)
        directions = np.zeros((kept.d, wanted))
        eigen = eigh_descending(_second_moment(kept))
        count = min(wanted, keep_rank(eigen.values, REL_FLOOR))
        directions[:, :count] = eigen.vectors[:, :count]
        return directions


def _second_moment(kept: Scatter) -> Array:
    """Return S + n mu mu^T, or the same over n where it is not known."""
    if kept.uncounted is None:
        return np.asarray(kept.scatter + kept.n * np.outer(kept.mean, kept.mean))
    return np.asarray(kept.covariance(kept.uncounted.ddof or 0) + np.outer(kept.mean, kept.mean))


def _parts(fitted: Fitted, index: Array) -> dict[str, object]:
    """Return the directions of the groups that rows have."""
    used = np.unique(index[index != UNKNOWN]).tolist()
    return {
        "groups": [
            {"keys": fitted["keys"][row].tolist(), "directions": fitted["directions"][row].tolist()}
            for row in used
        ]
    }


def _scatters(statistics: Statistics) -> Grouped[Scatter]:
    return cast("Grouped[Scatter]", statistics["scatter"])


def _fewer(counts: Array, wanted: int) -> tuple[Notice, ...]:
    short = int(np.count_nonzero(counts < wanted))
    if not short:
        return ()
    told = f"{short} groups have fewer than {wanted} directions: what they have is removed"
    return (notice("n_remove_clamped", told, groups=short),)
