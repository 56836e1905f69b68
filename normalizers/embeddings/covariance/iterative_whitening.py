"""Iterative whitening: C^(-1/2) by a few Newton steps, without an eigendecomposition."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.bases.scatter_maps import ScatterMapNormalizer
from normalizers.contract import Example, Fitted, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.blocks import block_diagonal, blocks
from normalizers.embeddings.base.spectrum import covariance_with_spread
from normalizers.errors import FitError
from normalizers.statistics import Scatter


class IterativeWhitening(ScatterMapNormalizer):
    r"""Whiten vectors softly by Newton's iteration (IterNorm): y = (x - mean) P_T / sqrt(tr S).

    S = C + eps I, S_N = S / tr S, P_0 = I, P_t = (3 P_{t-1} - P_{t-1}^3 S_N) / 2. Few iterations
    leave small eigenvalues partly unwhitened by design: `iterations` is the strength.

    See Also
    --------
    whitening

    Notes
    -----
    Computed in the coupled form Y <- Y M, P <- M P with M = (3 I - P Y) / 2, which is exact at any
    number of iterations; the recurrence as published diverges from about 12 on. After 5 iterations
    rows are not fully white. Missing values: refused, or left out with ``omit``. Rows that do not
    differ cannot be whitened. `eps` is absolute, in squared input units, as in the layer. Averages
    of W over batches are not the W of all rows: parts merge by their scatter.
    Cost O(n d^2 + T d^3) for a fit, products of matrices alone; O(m d^2) for a transform.

    References
    ----------
    Huang et al.: Iterative normalization, 2019; ``huangleiBuaa/IterNorm``.

    Examples
    --------
    >>> from normalizers import IterativeWhitening
    >>> rows = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.0]]
    >>> IterativeWhitening(iterations=20).fit(rows).transform([[4.0, 1.0]]).round(3).tolist()
    [[1.414, 1.414]]
    """

    name = "iterative_whitening"
    aliases = {"iter_norm": {}, "iternorm": {}, "newton_schulz": {}}
    example = Example(
        params={"iterations": 3},
        fit={"x": [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8], [0.2, 0.1, 0.4]]},
        input={"x": [[0.5, 0.5, 0.5]]},
    )

    iterations: int | None = param(
        default=None,
        default_value=5,
        ge=0,
        le=100,
        affects="solution",
        help="Newton steps; 0 divides by sqrt(tr S)",
    )
    eps: float | None = param(
        default=None,
        default_value=1e-5,
        ge=0,
        affects="solution",
        help="added to the diagonal of C, in squared input units",
    )
    ddof: int | None = param(
        default=None, default_value=0, ge=0, affects="solution", help="C = scatter / (n - ddof)"
    )
    dim_group_size: int | None = param(
        default=None,
        resolves="all dims together",
        ge=1,
        affects="solution",
        help="whiten consecutive groups of so many dims each by itself; the last may be smaller",
    )
    truncate_to = None

    def spread(self, fitted: Fitted) -> float:
        """Return the root of the summed variance of the rows of the fit."""
        return float(np.sqrt(fitted["total_variance"]))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean, W, its inverse and the trace of the covariance."""
        scatter = cast(Scatter, statistics["scatter"])
        covariance, _ = covariance_with_spread(scatter, unwrap(self.ddof))
        parts = [
            self._whitened(block) for block in blocks(covariance, self.dim_group_size or scatter.d)
        ]
        matrix = block_diagonal([part[0] for part in parts])
        way_back = block_diagonal([part[1] for part in parts])
        arrays = {
            "mean": scatter.mean,
            "W": matrix,
            "W_inverse": way_back,
            "total_variance": np.asarray(np.trace(covariance)),
        }
        report = {"d": scatter.d, **_missed(covariance, matrix)}
        return Fitted(arrays, {"d": scatter.d, "k": scatter.d}, report)

    def _whitened(self, covariance: Array) -> tuple[Array, Array]:
        """Return the whitening matrix of one group of dims, and its inverse."""
        exponent = _half_exponent(covariance)
        # In units of a power of 4, so that no product leaves the range: W is in units of its root.
        scaled = np.ldexp(covariance, -2 * exponent)
        np.einsum("ii->i", scaled)[:] += np.ldexp(unwrap(self.eps), -2 * exponent)
        trace = float(np.trace(scaled))
        if not trace > 0:
            raise FitError(
                "a group of dims has no spread and eps is 0: nothing to whiten", path="params.eps"
            )
        shares, identity = scaled / trace, np.eye(len(scaled))
        whitener = identity
        for _ in range(unwrap(self.iterations)):
            step = (3 * identity - whitener @ shares) / 2
            shares, whitener = shares @ step, step @ whitener
        # Symmetric but for rounding: all factors are polynomials of one symmetric matrix.
        whitener = (whitener + whitener.T) / 2 / np.sqrt(trace)
        return np.ldexp(whitener, -exponent), np.ldexp(np.linalg.inv(whitener), exponent)


def _half_exponent(covariance: Array) -> int:
    return int(np.frexp(np.max(np.abs(covariance), initial=0.0))[1]) // 2


def _missed(covariance: Array, matrix: Array) -> dict[str, object]:
    """Return by how much whitened rows miss unit covariance."""
    left = matrix.T @ covariance @ matrix - np.eye(len(covariance))
    return {"largest_deviation_from_white": float(np.max(np.abs(left)))}
