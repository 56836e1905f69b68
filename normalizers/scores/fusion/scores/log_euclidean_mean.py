"""Log-Euclidean mean of similarity matrices, none of which dominates."""

from __future__ import annotations

import math

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
from normalizers.errors import InvalidInput, InvalidParams
from normalizers.normalizer import Normalizer
from normalizers.scores.fusion.runs.weights import NonNegative, check_weights

# Entries and their mirror images may differ by rounding, relative to the largest entry.
SYMMETRY = 1e-8
STANDARD_RIDGE = 1e-3
# Of a logarithm that is 0 but for rounding no norm can be taken.
ROUNDING = 16 * float(np.finfo(np.float64).eps)


class LogEuclideanMean(Normalizer):
    """Fuse similarity matrices of the same items: the mean of their logarithms, each of one norm.

    ``fused = exp(sum w L_i / sum w)`` with ``L_i = log(K_i + ridge I)``, scaled to the Frobenius
    norm ``target_norm``; eigenvalues of ``K_i + ridge I`` that are not above 0 contribute 0.

    Notes
    -----
    Experimental. The matrices are symmetric; a logarithm of 0 (an identity matrix without a ridge)
    has no direction and is refused. Missing entries are refused with their position. There are no
    ties and no constants to treat. Cost O(n^3) a matrix: keep n in the hundreds.

    References
    ----------
    Arsigny, Fillard, Pennec, Ayache, "Geometric means in a novel vector space structure on
    symmetric positive-definite matrices", SIAM Journal on Matrix Analysis and Applications, 2007;
    equal norms: Tangent Normalization, arXiv 2507.06654.

    Examples
    --------
    >>> from normalizers import LogEuclideanMean
    >>> first, second = [[4.0, 0.0], [0.0, 1.0]], [[9.0, 0.0], [0.0, 1.0]]
    >>> LogEuclideanMean(ridge=0.0).transform([first, second]).round(3).tolist()
    [[2.718, 0.0], [0.0, 1.0]]
    """

    name = "log_euclidean_mean"
    family = "scores"
    kinds = ("stateless",)
    traits = Traits(batch_invariant=False)
    example = Example(input={"kernels": [[[1.0, 0.5], [0.5, 1.0]], [[2.0, 0.1], [0.1, 3.0]]]})

    ridge: float | None = param(
        default=None,
        default_value=STANDARD_RIDGE,
        affects="answer",
        ge=0,
        help="what is added to the diagonal of each matrix",
    )
    target_norm: float | None = param(
        default=None,
        default_value=1.0,
        affects="answer",
        gt=0,
        help="Frobenius norm that every logarithm is scaled to",
    )
    weights: list[NonNegative] | None = param(
        default=None, resolves="1 for each matrix", affects="answer", help="weight of each matrix"
    )

    @property
    def takes(self) -> Fields:
        """Several matrices of the same items."""
        return Fields(kernels=floats("s n n", help="symmetric similarities, one matrix a source"))

    @property
    def gives(self) -> Fields:
        """One matrix."""
        return Fields(kernel=floats("n n", help="the mean matrix"))

    def check(self, path: str) -> None:
        """Refuse weights that are all 0."""
        check_weights(self.weights, path)

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the mean matrix."""
        kernels = batch.array("kernels")
        weights = self._weights(len(kernels))
        _check_symmetric(kernels)
        logarithms, norms = self._logarithms(kernels)
        scale = unwrap(self.target_norm) * weights / math.fsum(weights) / norms
        # By size: the sum of the same terms is the same, whichever source comes first.
        mean = np.sort(scale[:, None, None] * logarithms, axis=0).sum(axis=0)
        values, vectors = np.linalg.eigh(mean)
        exponentials = np.exp(values)
        if not np.isfinite(exponentials).all():
            raise InvalidInput("the mean matrix is too large; take a smaller target_norm")
        kernel = (vectors * exponentials) @ vectors.T
        parts = [
            {"weight": weight, "norm": norm}
            for weight, norm in zip(weights.tolist(), norms.tolist(), strict=True)
        ]
        return Answer({"kernel": kernel}, explain=parts if options.explain else None)

    def _weights(self, sources: int) -> Array:
        if not sources:
            raise InvalidInput("at least one matrix is needed", path="input.kernels")
        if self.weights is None:
            return np.ones(sources)
        if len(self.weights) != sources:
            raise InvalidParams(
                f"{len(self.weights)} weights, but {sources} matrices", path="params.weights"
            )
        return np.array(self.weights)

    def _logarithms(self, kernels: Array) -> tuple[Array, Array]:
        """Return the logarithm of every matrix and its Frobenius norm."""
        # Halved first: two large entries may overflow in their sum.
        symmetric = kernels / 2 + kernels.swapaxes(1, 2) / 2
        values, vectors = np.linalg.eigh(symmetric)
        values = values + unwrap(self.ridge)
        logs = np.log(np.where(values > 0, values, 1.0))
        # A symmetric matrix has the Frobenius norm of its eigenvalues.
        norms = np.sqrt(np.sum(logs * logs, axis=1))
        zero = np.flatnonzero(norms <= ROUNDING * max(kernels.shape[1], 1))
        if len(zero):
            raise InvalidInput(
                "the logarithm of this matrix is 0: it has no direction to average",
                path=f"input.kernels[{int(zero[0])}]",
            )
        return (vectors * logs[:, None, :]) @ vectors.swapaxes(1, 2), norms


def _check_symmetric(kernels: Array) -> None:
    largest = np.max(np.abs(kernels), axis=(1, 2), initial=0.0)
    apart = np.max(np.abs(kernels - kernels.swapaxes(1, 2)), axis=(1, 2), initial=0.0)
    wrong = np.flatnonzero(apart > SYMMETRY * largest)
    if len(wrong):
        raise InvalidInput(
            "a similarity matrix is symmetric", path=f"input.kernels[{int(wrong[0])}]"
        )
