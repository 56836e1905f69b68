"""Whitenings that depend on the order or the scale of the dims: Cholesky and correlation forms."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from scipy.linalg import solve_triangular

from normalizers.data.arrays import Array
from normalizers.kernels.linalg import Eigen, eigh_descending, inverse_root, keep_rank, root

WhiteningVariant: TypeAlias = Literal[
    "pca", "zca", "cholesky", "cholesky_prec", "pca_cor", "zca_cor"
]
OTHER_VARIANTS = frozenset({"cholesky", "cholesky_prec", "pca_cor", "zca_cor"})


def other_root(
    covariance: Array, variant: WhiteningVariant, strength: float, k: int
) -> tuple[Array, Array]:
    """Return W in row form and its way back, of a covariance of full rank.

    Parameters
    ----------
    covariance : array of shape (d, d)
        C, after shrinkage and eps.
    variant : str
        ``cholesky`` W = (L^-1)^T with C = L L^T; ``cholesky_prec`` W = M with C^-1 = M M^T;
        ``pca_cor`` W = V^(-1/2) G T^(-1/2), ``zca_cor`` W = V^(-1/2) P^(-1/2) with V the variances
        and P = G T G^T the correlations.
    strength : float
        s; C^s is in place of C in the Cholesky forms, V^s and T^s in the others.
    k : int
        Directions kept by the correlation forms.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.embeddings.base.other_roots import other_root
    >>> other_root(np.array([[4.0, 0.0], [0.0, 1.0]]), "cholesky", 1.0, 2)[0].round(6).shape
    (2, 2)
    """
    if variant in ("cholesky", "cholesky_prec"):
        return _triangular(_power(covariance, strength), variant)
    deviations = np.sqrt(np.diagonal(covariance))
    whole = _correlations(covariance)
    kept = Eigen(whole.values[:k], whole.vectors[:, :k])
    form: Literal["pca", "zca"] = "pca" if variant == "pca_cor" else "zca"
    lengths = deviations**strength
    there = inverse_root(kept, strength, form) / lengths[:, None]
    return there, root(kept, strength, form) * lengths


def correlation_rank(covariance: Array, rel_floor: float) -> int:
    """Return how many directions of the correlations exceed this share of the largest."""
    return keep_rank(_correlations(covariance).values, rel_floor)


def _correlations(covariance: Array) -> Eigen:
    deviations = np.sqrt(np.diagonal(covariance))
    return eigh_descending(covariance / deviations / deviations[:, None])


def _triangular(covariance: Array, variant: WhiteningVariant) -> tuple[Array, Array]:
    if variant == "cholesky":
        lower = np.linalg.cholesky(covariance)
        identity = np.eye(len(lower))
        return solve_triangular(lower, identity, lower=True).T, lower.T
    # C^-1 = M M^T with M lower: C = M^-T M^-1, and M^-T is the upper factor of C in the order from
    # the last dim, so that C itself is factored and never inverted.
    upper = np.linalg.cholesky(covariance[::-1, ::-1])[::-1, ::-1]
    inverse = solve_triangular(upper, np.eye(len(upper)), lower=False)
    return inverse.T, upper.T


def _power(covariance: Array, strength: float) -> Array:
    if strength == 1:
        return covariance
    return root(eigh_descending(covariance), 2 * strength, "zca")
