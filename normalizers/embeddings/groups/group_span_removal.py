"""Group span removal: the directions in which the means of groups differ taken out of vectors."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from normalizers.bases.affine_maps import AffineMaps
from normalizers.bases.exported_maps import exported_map
from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Options,
    Statistics,
    notice,
    param,
    unwrap,
)
from normalizers.contract.exports import FAISS, NPZ, ONNX, Export
from normalizers.embeddings.base.removed_directions import (
    GroupDirectionRemoval,
    vectors,
    without,
)
from normalizers.errors import FitError
from normalizers.kernels.linalg import with_sign_rule
from normalizers.statistics import Grouped, Moments

# A singular value below this share of the largest is rounding.
REL_FLOOR = 1e-10


class GroupSpanRemoval(GroupDirectionRemoval):
    """Remove what sets groups apart: z = x - mean, y = z - (z U) U^T.

    U are the `n_remove` strongest directions of the differences between the groups' means and the
    mean of all rows, the left singular vectors of {mean_g - mean}.

    Notes
    -----
    Groups are needed in the fit alone: rows of any group, or of none, are transformed alike. By
    default all directions go, one fewer than there are groups; more than the means span cannot be
    removed, which a warning tells. Equal means have no direction. Ties need no rule.
    Cost O(n d + g^2 d) for a fit, O(m d g) for a transform.

    See Also
    --------
    group_centering, language_removal : need the group of every row.

    References
    ----------
    Our definition; mixed-language retrieval rises as much as by a mean for each language, with no
    language told at query time (measured).

    Examples
    --------
    >>> from normalizers import GroupSpanRemoval
    >>> x = [[1.0, 0.0], [1.0, 2.0], [-1.0, 0.0], [-1.0, 2.0]]
    >>> method = GroupSpanRemoval().fit(x, groups=["de", "de", "en", "en"])
    >>> method.transform([[5.0, 3.0]]).tolist()
    [[0.0, 2.0]]
    """

    name = "group_span_removal"
    takes = Fields(x=vectors("m", "vectors"))
    example = Example(
        fit={
            "x": [[1.0, 0.0], [1.0, 2.0], [-1.0, 0.5], [-1.0, 1.5]],
            "groups": ["de", "de", "en", "en"],
        },
        input={"x": [[5.0, 3.0]]},
    )

    n_remove: int | None = param(
        default=None,
        resolves="one fewer than groups",
        ge=0,
        affects="solution",
        help="directions that are removed",
    )

    @property
    def keeps(self) -> dict[str, Grouped[Moments]]:
        """The moments of each group."""
        return {"moments": Grouped(Moments(), self.group_by)}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Remove all that the groups differ in."""
        named = super().defaults(statistics)
        if not statistics:
            return named
        return {**named, "n_remove": max(len(_moments(statistics)) - 1, 0)}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean of all rows, and the directions of the groups' means about it."""
        kept = _moments(statistics)
        if len(kept) < 2:
            raise FitError("one group differs from no other: two are needed", path="fit.groups")
        mean = kept.pooled().mean
        differences = np.stack([kept[key].mean for key in kept]) - mean
        _, lengths, found = np.linalg.svd(differences, full_matrices=False)
        rank = int(np.count_nonzero(lengths > REL_FLOOR * max(float(lengths[0]), _size(mean))))
        count = min(unwrap(self.n_remove), rank)
        directions = with_sign_rule(found[:count].T)
        report = {"n_removed": count, "lengths": lengths[:rank].tolist()}
        return Fitted(
            {"mean": mean, "directions": directions},
            {"d": len(mean)},
            report,
            _fewer(count, unwrap(self.n_remove)),
        )

    @property
    def exports(self) -> tuple[str, ...]:
        """The arrays, and the map itself: rows need no group where it is applied."""
        return (NPZ, ONNX, FAISS)

    def export(self, fitted: Fitted, name: str) -> Export:
        """Return the map of a fit for another engine, in float32 but for the arrays."""
        if name == NPZ:
            return super().export(fitted, name)
        mean, directions = fitted["mean"], fitted["directions"]
        left = np.eye(len(mean)) - directions @ directions.T
        # Without a spread no mean is short beside it, so that it is subtracted first.
        return exported_map(AffineMaps(mean, left, None, 0.0), name)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the centred rows without the directions."""
        x = batch.array("x")
        mean, directions = fitted["mean"], fitted["directions"]
        answer = Answer({"y": without(x - mean.astype(x.dtype), directions)})
        parts = {"mean": mean.tolist(), "directions": directions.tolist()}
        return replace(answer, explain=parts) if options.explain else answer


def _moments(statistics: Statistics) -> Grouped[Moments]:
    return cast("Grouped[Moments]", statistics["moments"])


def _size(mean: object) -> float:
    """Return what the rounding of means about this size is a share of."""
    return float(np.max(np.abs(np.asarray(mean)), initial=0.0)) * 1e-3


def _fewer(count: int, wanted: int) -> tuple[Notice, ...]:
    if count == wanted:
        return ()
    told = f"the means of the groups span {count} directions, not {wanted}"
    return (notice("n_remove_clamped", told, n_remove=count),)
