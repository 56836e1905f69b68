"""Cluster isotropy: each vector without the mean and the main directions of its cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, cast

import numpy as np

from normalizers.contract import (
    Answer,
    Batch,
    Example,
    Fields,
    Fitted,
    Notice,
    Options,
    Statistics,
    integers,
    notice,
    param,
    unwrap,
)
from normalizers.data.arrays import Array
from normalizers.embeddings.base.removed_directions import (
    DirectionRemoval,
    vectors,
    whole_rows,
    without,
)
from normalizers.errors import FitError, InvalidParams
from normalizers.kernels.k_means import k_means, nearest
from normalizers.kernels.linalg import eigh_descending, keep_rank
from normalizers.statistics import Sample

# A direction that holds less of the variance than this share is rounding.
REL_FLOOR = 1e-12
STANDARD_CLUSTERS = 8


class ClusterIsotropy(DirectionRemoval):
    """Make clusters isotropic: z = x - mean_k, y = z - (z U_k) U_k^T, k the nearest cluster.

    U_k are the `n_remove` main directions of the cluster's vectors about their mean.

    Notes
    -----
    Clusters are found by k-means from `seed`, or are the `labels` of the fit with `clusters`
    ``given``; a vector belongs to the nearest mean, of several at one distance to the first. A
    cluster of fewer directions loses what it has, one of a single vector none, with a warning. No
    sums tell clusters: the fit keeps its rows, up to `sample_limit`. Ties need no rule.
    Cost O(n k d) a round of k-means and O(k d^3) for a fit, O(m k d) for a transform.

    See Also
    --------
    group_centering, language_removal : for groups that are known where they are applied.

    References
    ----------
    Rajaee, Pilehvar: A cluster-based approach for improving isotropy in contextual embedding
    space, 2021, which transforms its own fit; assigning new vectors is our rule.

    Examples
    --------
    >>> from normalizers import ClusterIsotropy
    >>> x = [[1.0, 0.0], [3.0, 0.0], [-8.0, 1.0], [-8.0, 3.0]]
    >>> method = ClusterIsotropy(clusters="given").fit(x, labels=[0, 0, 1, 1])
    >>> method.transform([[4.0, 5.0], [-7.0, 5.0]]).tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    """

    name = "cluster_isotropy"
    takes = Fields(x=vectors("m", "vectors"))
    examples = (
        Example(
            params={"n_clusters": 2},
            fit={"x": [[1.0, 0.1], [3.0, -0.1], [-8.0, 1.0], [-8.1, 3.0]]},
            input={"x": [[4.0, 5.0]]},
        ),
        Example(
            params={"clusters": "given"},
            fit={
                "x": [[1.0, 0.1], [3.0, -0.1], [-8.0, 1.0], [-8.1, 3.0]],
                "labels": [0, 0, 1, 1],
            },
            input={"x": [[4.0, 5.0]]},
            name="given",
        ),
    )

    clusters: Literal["k_means", "given"] | None = param(
        default=None,
        default_value="k_means",
        affects="statistics",
        help="found in the rows of the fit, or given by its labels",
    )
    n_clusters: int | None = param(
        default=None,
        resolves="8, or as many as the labels name",
        ge=1,
        affects="solution",
        help="how many clusters there are",
    )
    n_remove: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="directions of each cluster"
    )
    seed: int | None = param(
        default=None, default_value=0, ge=0, affects="solution", help="of the first centres"
    )
    sample_limit: int | None = param(
        default=None,
        default_value=Sample.ROW_LIMIT,
        affects="statistics",
        ge=1,
        help="rows that a fit keeps; more are refused",
    )

    @property
    def given(self) -> bool:
        """Whether the labels of the fit are the clusters."""
        return self.clusters == "given"

    @property
    def fits(self) -> Fields:
        """Vectors, and their clusters where these are given."""
        rows = Fields(x=vectors("n", "vectors to find clusters in"))
        if not self.given:
            return rows
        return rows.with_fields(labels=integers("n", help="the cluster of each row"))

    @property
    def keeps(self) -> Mapping[str, Sample]:
        """The rows, with their clusters where these are given."""
        fields = ("x", "labels") if self.given else ("x",)
        return {"sample": Sample(fields, self.sample_limit or Sample.ROW_LIMIT)}

    def check(self, path: str) -> None:
        """Refuse a number of clusters beside clusters that are given."""
        if self.given and self.n_clusters is not None:
            raise InvalidParams(
                "the labels say how many clusters there are", path=f"{path}.n_clusters"
            )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Keep the rows of a batch."""
        sample = cast(Sample, statistics["sample"])
        if not self.given:
            rows, _ = whole_rows(batch)
            return statistics.replace(sample=sample.update(rows))
        # A row that misses a value is left out of a sample.
        return statistics.replace(sample=sample.update(batch.array("x"), batch.array("labels")))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean and main directions of each cluster."""
        sample = cast(Sample, statistics["sample"])
        x = sample["x"].reshape(sample.n, -1)
        index, count = self._clusters(x, sample)
        wanted = unwrap(self.n_remove)
        centres = np.stack([x[index == place].mean(axis=0) for place in range(count)])
        found = [_directions(x[index == place] - centres[place], wanted) for place in range(count)]
        removed = np.array([np.count_nonzero(one.any(axis=0)) for one in found], dtype=np.int64)
        report = {
            "sizes": np.bincount(index, minlength=count).tolist(),
            "n_removed": removed.tolist(),
        }
        return Fitted(
            {"centers": centres, "directions": np.stack(found)},
            {"d": x.shape[1]},
            report,
            _fewer(removed, wanted),
        )

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the vectors without what is main in their clusters."""
        x = batch.array("x")
        centres = fitted["centers"]
        index, _ = nearest(x.astype(np.float64), centres)
        y = np.empty_like(x)
        for place in np.unique(index):
            rows = index == place
            centred = x[rows] - centres[place].astype(x.dtype)
            y[rows] = without(centred, fitted["directions"][place])
        answer = Answer({"y": y})
        parts = {"clusters": index.tolist(), "centers": centres.tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def _clusters(self, x: Array, sample: Sample) -> tuple[Array, int]:
        """Return the cluster of each row, and how many there are."""
        if self.given:
            distinct, index = np.unique(sample["labels"], return_inverse=True)
            return index, len(distinct)
        count = self.n_clusters or STANDARD_CLUSTERS
        distinct_rows = len(np.unique(x, axis=0))
        if distinct_rows < count:
            raise FitError(
                f"{distinct_rows} different rows make no {count} clusters", path="params.n_clusters"
            )
        return k_means(x, count, unwrap(self.seed)).labels, count


def _directions(centred: Array, wanted: int) -> Array:
    """Return the main directions of centred rows, (d, r); zeros where there is none."""
    directions = np.zeros((centred.shape[1], wanted))
    if len(centred) > 1 and wanted:
        # In units of the largest entry no square leaves the range.
        largest = float(np.max(np.abs(centred), initial=0.0)) or 1.0
        unit = centred / largest
        eigen = eigh_descending(unit.T @ unit)
        count = min(wanted, keep_rank(eigen.values, REL_FLOOR), len(centred) - 1)
        directions[:, :count] = eigen.vectors[:, :count]
    return directions


def _fewer(removed: Array, wanted: int) -> tuple[Notice, ...]:
    short = int(np.count_nonzero(removed < wanted))
    if not short:
        return ()
    told = f"{short} clusters have fewer than {wanted} directions: what they have is removed"
    return (notice("n_remove_clamped", told, clusters=short),)
