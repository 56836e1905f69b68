"""Symmetric eigenproblems with a sign rule, roots of a covariance, shrinkage."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, cast

import numpy as np
from scipy.linalg import qr
from scipy.linalg.lapack import dpstrf

from normalizers.data.arrays import Array

Variant: TypeAlias = Literal["pca", "zca"]

# A rank of so many times less than d is worth a thin factor; rounding may add to it once more.
THIN = 8
ROUNDING = 4.0
SIGN_TIE = 1e-8  # relative: entries of an eigenvector this close share the largest size


class Eigen(NamedTuple):
    """Eigenvalues in descending order, shape (d,), and eigenvectors as columns, (d, d)."""

    values: Array
    vectors: Array


def eigh_descending(matrix: Array, rank: int | None = None) -> Eigen:
    """Return eigenvalues and eigenvectors of a symmetric semidefinite matrix.

    Parameters
    ----------
    matrix : array of shape (d, d)
        Symmetric. It is scaled by a power of two first, so its size does not matter.
    rank : int, optional
        What its rank is at most, but for rounding. Far below d, a thin factor is decomposed.

    Returns
    -------
    Eigen
        Descending; negative rounding is clipped to 0. The entry of largest size of every
        eigenvector is positive, among entries within 1e-8 of it the one of lowest index.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.linalg import eigh_descending
    >>> eigh_descending(np.diag([1.0, 4.0])).values.tolist()
    [4.0, 1.0]
    """
    exponent = np.frexp(np.max(np.abs(matrix), initial=0.0))[1]
    scaled = np.ldexp(matrix, -exponent)
    thin = rank is not None and 0 < rank * THIN <= len(matrix)
    found = _of_thin_factor(scaled, cast(int, rank)) if thin else None
    if found is None:
        ascending, vectors = np.linalg.eigh(scaled)
        found = Eigen(np.maximum(ascending[::-1], 0.0), vectors[:, ::-1])
    return Eigen(np.ldexp(found.values, exponent), with_sign_rule(found.vectors))


def _of_thin_factor(matrix: Array, rank: int) -> Eigen | None:
    """Return the eigenpairs by a pivoted Cholesky factor of a few columns; None if it needs more.

    The vectors are those of its left singular vectors, so they are orthogonal to the last bit
    whatever the condition; any basis of what is left spans the null space. Cost O(d^2 rank).
    """
    tolerance = ROUNDING * rank * np.finfo(np.float64).eps * float(np.max(np.diagonal(matrix)))
    upper, pivots, found, _ = dpstrf(matrix, tol=tolerance, lower=0)
    if not 0 < found * THIN <= 2 * len(matrix):
        return None
    factor = np.empty((len(matrix), found))
    factor[pivots - 1] = np.triu(upper[:found]).T
    rotation, triangle = qr(factor, mode="full")
    left, singular, _ = np.linalg.svd(triangle[:found])
    rotation[:, :found] = rotation[:, :found] @ left
    values = np.zeros(len(matrix))
    values[:found] = singular * singular
    return Eigen(values, rotation)


def with_sign_rule(vectors: Array) -> Array:
    """Return the columns with the sign that makes the entry of largest size positive."""
    if not vectors.size:
        return vectors
    size = np.abs(vectors)
    decisive = np.argmax(size >= size.max(axis=0) * (1 - SIGN_TIE), axis=0)
    signs = np.sign(np.take_along_axis(vectors, decisive[None, :], axis=0))
    return np.asarray(vectors * np.where(signs == 0, 1.0, signs))


def keep_rank(eigenvalues: Array, rel_floor: float) -> int:
    """Return how many of the descending `eigenvalues` exceed `rel_floor` times the first."""
    if not len(eigenvalues) or eigenvalues[0] <= 0:
        return 0
    return int(np.count_nonzero(eigenvalues > rel_floor * eigenvalues[0]))


def inverse_root(eigen: Eigen, strength: float = 1.0, variant: Variant = "zca") -> Array:
    """Return the row form W of a whitening: U L^(-s/2), or U L^(-s/2) U^T for ``zca``.

    Parameters
    ----------
    eigen : Eigen
        Positive eigenvalues (k,) and vectors (d, k).
    strength : float
        The s, 0 none to 1 full.
    variant : {"pca", "zca"}
        Which rotation the result keeps.

    Returns
    -------
    array of shape (d, k) or (d, d)

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.linalg import eigh_descending, inverse_root
    >>> inverse_root(eigh_descending(np.diag([4.0, 1.0]))).tolist()
    [[0.5, 0.0], [0.0, 1.0]]
    """
    lengths = eigen.values ** (-strength / 2)
    return eigen.vectors * lengths if variant == "pca" else _spectral(eigen.vectors, lengths)


def root(eigen: Eigen, strength: float = 1.0, variant: Variant = "zca") -> Array:
    """Return the way back of :func:`inverse_root`: L^(s/2) U^T, or U L^(s/2) U^T for ``zca``."""
    lengths = eigen.values ** (strength / 2)
    return (eigen.vectors * lengths).T if variant == "pca" else _spectral(eigen.vectors, lengths)


def _spectral(vectors: Array, lengths: Array) -> Array:
    """Return ``U diag(lengths) U^T``.

    Where most lengths of a whole basis are one number t, as those of directions that no row has,
    it is ``t I + U_r diag(lengths_r - t) U_r^T`` of the few others: O(d^2 r) in place of O(d^3).
    """
    count, tail = len(vectors), lengths[-1]
    others = int(np.argmax(lengths == tail))
    if vectors.shape[1] < count or others * THIN > count or np.any(lengths[others:] != tail):
        return _symmetric((vectors * lengths) @ vectors.T)
    few = vectors[:, :others]
    matrix = _symmetric((few * (lengths[:others] - tail)) @ few.T)
    np.einsum("ii->i", matrix)[:] += tail
    return matrix


def oas(n: float, covariance0: Array) -> float:
    """Return the weight alpha of oracle approximating shrinkage, scikit-learn's form.

    ``C -> (1 - alpha) C + alpha m I`` with m = tr C/d, a = sum C^2/d^2 and
    ``alpha = min(1, (a + m^2) / ((n + 1)(a - m^2/d)))``, without the paper's 2/d term.

    Parameters
    ----------
    n : int
        Rows behind the covariance.
    covariance0 : array of shape (d, d)
        Covariance with ``ddof`` 0.

    References
    ----------
    Chen et al.: Shrinkage algorithms for MMSE covariance estimation, 2010;
    ``sklearn.covariance.oas``.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers.kernels.linalg import oas
    >>> oas(9, np.diag([3.0, 1.0]))
    1.0
    """
    exponent = np.frexp(np.max(np.abs(covariance0), initial=0.0))[1]
    scaled = np.ldexp(covariance0, -exponent)
    d = len(scaled)
    mean_square = float(np.mean(scaled * scaled))
    mean_variance = float(np.trace(scaled)) / d
    spread = (n + 1) * (mean_square - mean_variance**2 / d)
    return 1.0 if spread <= 0 else min(1.0, (mean_square + mean_variance**2) / spread)


def _symmetric(matrix: Array) -> Array:
    return (matrix + matrix.T) / 2
