"""All but the top: vectors centred, without their few strongest directions."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.bases.scatter_maps import ScatterMapNormalizer
from normalizers.contract import (
    NO_FIELDS,
    Example,
    Fitted,
    Notice,
    Statistics,
    notice,
    param,
    unwrap,
)
from normalizers.embeddings.base.spectrum import covariance_with_spread
from normalizers.kernels.linalg import eigh_descending
from normalizers.statistics import Scatter

# The paper removes about one direction in a hundred.
DIMS_PER_DIRECTION = 100
# An eigenvalue below this share of the largest is rounding: nothing stands in its direction.
REL_FLOOR = 1e-12


class AllButTheTop(ScatterMapNormalizer):
    r"""Remove the mean and the strongest directions: z = x - mean, y = z - sum_i (u_i . z) u_i.

    u_i are the first `n_remove` eigenvectors of the covariance; with 0 it is centring.

    See Also
    --------
    centering, whitening, group_span_removal

    Notes
    -----
    By default one direction is removed for every 100 dims, and at least one. Directions with one
    eigenvalue are removed together or their span is arbitrary: `n_remove` says how many.
    No more directions are removed than the rows span, which a warning tells; there is no way back.
    Ties need no rule. Cost O(n d^2 + d^3) for a fit, O(m d^2) for a transform.

    References
    ----------
    Mu, Viswanath: All-but-the-top, 2018 (our definition of its formula).

    Examples
    --------
    >>> from normalizers import AllButTheTop
    >>> rows = [[9.0, 1.0], [-9.0, 1.0], [9.0, -1.0], [-9.0, -1.0]]
    >>> (AllButTheTop().fit(rows).transform([[5.0, 3.0]]) + 0.0).tolist()
    [[0.0, 3.0]]
    """

    name = "all_but_the_top"
    aliases = {"abtt": {}}
    inverse_takes = NO_FIELDS
    example = Example(
        params={"n_remove": 1},
        fit={"x": [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8], [0.2, 0.1, 0.4]]},
        input={"x": [[0.5, 0.5, 0.5]]},
    )

    n_remove: int | None = param(
        default=None,
        resolves="one for every 100 dims, at least 1",
        ge=0,
        affects="solution",
        help="directions that are removed",
    )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Remove one direction for every 100 dims."""
        if not statistics:
            return {}
        return {"n_remove": max(1, round(_scatter(statistics).d / DIMS_PER_DIRECTION))}

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the mean, the projection on what is left, and the eigenvalues."""
        scatter = _scatter(statistics)
        covariance, _ = covariance_with_spread(scatter, 0)
        values, vectors = eigh_descending(covariance)
        rank = int(np.count_nonzero(values > REL_FLOOR * values[0]))
        wanted = unwrap(self.n_remove)
        count = min(wanted, rank)
        top = vectors[:, :count]
        arrays = {
            "mean": scatter.mean,
            "W": np.eye(scatter.d) - top @ top.T,
            "eigenvalues": values,
        }
        variance = float(np.sum(np.maximum(values, 0.0)))
        report = {
            "n_removed": count,
            "removed_variance_share": float(np.sum(values[:count])) / variance,
        }
        sizes = {"d": scatter.d, "k": scatter.d}
        return Fitted(arrays, sizes, report, _fewer(count, wanted))


def _scatter(statistics: Statistics) -> Scatter:
    return cast(Scatter, statistics["scatter"])


def _fewer(count: int, wanted: int) -> tuple[Notice, ...]:
    if count == wanted:
        return ()
    message = f"the rows span {count} directions, not {wanted}"
    return (notice("n_remove_clamped", message, n_remove=count),)
