"""A covariance made invertible: shrunk, softened, cut to its rank, and turned into a whitening."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from normalizers.contract import NORMWISE
from normalizers.contract.tolerance import RTOL, agree
from normalizers.data.arrays import Array
from normalizers.embeddings.base.other_roots import (
    OTHER_VARIANTS,
    WhiteningVariant,
    correlation_rank,
    other_root,
)
from normalizers.embeddings.base.shrinkage import Shrinkage
from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.errors import FitError, RankDeficient
from normalizers.kernels.linalg import THIN, Eigen, Variant, inverse_root, keep_rank, root

# An eigenvalue is off by some d eps times the largest one; a whitened direction that misses its
# variance by 1e-6 has fewer than six digits left.
SELF_CHECK_TOLERANCE = 1e-6
# Rounding turns an eigenvector by eps over the relative gap to its neighbour: at sqrt(eps), half of
# the digits are gone.
EQUAL_EIGENVALUES = 1e-8  # relative: eigenvectors of values this close are not determined


@dataclass(frozen=True)
class RegularizedSpectrum:
    """The eigenvalues that are inverted, in the units of their spectrum.

    Parameters
    ----------
    spectrum : Spectrum
        Of the rows.
    shrinkage : Shrinkage
        In effect.
    eps : float
        Added to every eigenvalue after shrinkage, in the spectrum's units.
    rel_floor : float
        Directions below this share of the largest eigenvalue are null.
    """

    spectrum: Spectrum
    shrinkage: Shrinkage
    eps: float
    rel_floor: float

    @cached_property
    def added(self) -> float:
        """What is added to the shrunken covariance's diagonal altogether."""
        return self.shrinkage.weight * self.spectrum.mean_variance + self.eps

    @cached_property
    def values(self) -> Array:
        """All eigenvalues after shrinkage and eps, shape (d,), descending."""
        return (1 - self.shrinkage.weight) * self.spectrum.eigen.values + self.added

    @cached_property
    def rank(self) -> int:
        """Directions above the floor."""
        return keep_rank(self.values, self.rel_floor)

    def rank_of(self, variant: WhiteningVariant) -> int:
        """Return the directions above the floor: of the correlations, where those are whitened."""
        if variant not in ("pca_cor", "zca_cor"):
            return self.rank
        variances = np.diagonal(self.inverted)
        return correlation_rank(self.inverted, self.rel_floor) if variances.all() else self.rank

    @property
    def inverted(self) -> Array:
        """The covariance after shrinkage and eps, shape (d, d)."""
        mixed = (1 - self.shrinkage.weight) * self.spectrum.covariance
        np.einsum("ii->i", mixed)[:] += self.added
        return mixed

    @property
    def condition_number(self) -> float | None:
        """Largest over smallest eigenvalue that is inverted; None where none is."""
        if not self.rank:
            return None
        return float(self.values[0] / self.values[self.rank - 1])

    def leading(self, k: int) -> Eigen:
        """Return the first `k` eigenpairs."""
        return Eigen(self.values[:k], self.spectrum.eigen.vectors[:, :k])

    def count_for(self, share: float) -> int:
        """Return how many directions hold `share` of the variance of the rows."""
        held = np.cumsum(self.spectrum.eigen.values)
        # Over the last sum, not the trace: a share near 1 is then reached in spite of rounding.
        return min(int(np.searchsorted(held / held[-1], share)) + 1, self.spectrum.d)

    def repeated_eigenvalues(self, k: int) -> int:
        """Return how many of the first `k` eigenvalues equal the one before."""
        values = self.values[:k]
        return int(np.count_nonzero(values[:-1] - values[1:] <= EQUAL_EIGENVALUES * values[1:]))

    def matrices(self, k: int, strength: float, variant: WhiteningVariant) -> tuple[Array, Array]:
        """Return W and its way back in the units of the input, checked at full strength.

        Raises
        ------
        FitError
            Whitened rows would not have unit covariance.
        """
        unit = self._unit(strength)
        if variant in OTHER_VARIANTS:
            there, back = self._other(k, strength, variant)
            return there / unit, back * unit
        kept = cast(Variant, variant)
        if not k:
            return _nothing(self.spectrum.d, kept)
        eigen = self.leading(k)
        self._check(eigen)
        whitening = inverse_root(eigen, strength, kept) / unit
        return whitening, root(eigen, strength, kept) * unit

    def _other(self, k: int, strength: float, variant: WhiteningVariant) -> tuple[Array, Array]:
        """Return W and its way back of a variant that needs all directions."""
        rank = self.rank_of(variant)
        if rank < self.spectrum.d:
            raise RankDeficient(
                f"variant '{variant}' needs all directions",
                rank=rank,
                remedy="use variant 'zca' with rank_policy 'drop', or shrinkage or eps",
                path="params.variant",
            )
        mixed = self.inverted
        there, back = other_root(mixed, variant, 1.0, k)
        missed = there.T @ (mixed @ there) - np.eye(there.shape[1])
        if k == self.spectrum.d or variant == "pca_cor":
            self._refuse(float(np.max(np.abs(missed))))
        return (there, back) if strength == 1 else other_root(mixed, variant, strength, k)

    def is_whitening(self, matrix: Array, way_back: Array, strength: float) -> bool:
        """Return whether this is a W of orthogonal columns with its way back, whatever its bits.

        Signs, and rotations among equal eigenvalues, are left open.
        """
        values = self.values[: matrix.shape[1]]
        lengths = values ** (strength / 2) * self._unit(strength)
        with np.errstate(over="ignore", invalid="ignore"):
            vectors = matrix * lengths
            tilt = float(np.max(np.abs(vectors.T @ vectors - np.eye(len(values)))))
            missed = self._missed(Eigen(values, vectors))
        # NaN and infinity compare false: a matrix beyond range is none of ours.
        straight = tilt < RTOL and missed < SELF_CHECK_TOLERANCE
        return straight and agree(way_back, (vectors * lengths).T, NORMWISE)

    def _unit(self, strength: float) -> float:
        # The spectrum is in units of 2^exponent, so W is too small by that to the power of
        # strength.
        return float(2.0 ** (strength * self.spectrum.exponent))

    def _missed(self, eigen: Eigen) -> float:
        """Return the largest deviation of whitened rows from unit covariance, in any rotation."""
        inverted = self.inverted
        # Another variant is this matrix times an orthogonal one, which turns the deviation and
        # keeps its norm; pca needs the fewest products.
        kept = inverse_root(eigen, 1.0, "pca")
        missed = kept.T @ (inverted @ kept)
        np.einsum("ii->i", missed)[:] -= 1.0
        return float(max(np.max(missed), -np.min(missed)))

    def _bound(self, eigen: Eigen) -> float:
        """Return a bound of `_missed` for orthogonal vectors of which few have a variance.

        Whitened, ``C - U_r L_r U_r^T`` is divided by no less than the smallest inverted value,
        and no entry of a matrix in another basis exceeds its Frobenius norm.
        """
        variances = self.spectrum.eigen.values
        few = eigen.vectors[:, : int(np.count_nonzero(variances))]
        if few.shape[1] * THIN > len(variances):
            return np.inf
        left = self.spectrum.covariance - (few * variances[: few.shape[1]]) @ few.T
        weight = (1 - self.shrinkage.weight) / eigen.values[-1]
        return float(weight * np.linalg.norm(left)) if np.isfinite(weight) else np.inf

    def _check(self, eigen: Eigen) -> None:
        if self._bound(eigen) < SELF_CHECK_TOLERANCE:
            return
        self._refuse(self._missed(eigen))

    @staticmethod
    def _refuse(error: float) -> None:
        if not error < SELF_CHECK_TOLERANCE:
            raise FitError(
                f"whitened rows would miss unit covariance by {error:.1e}: the smallest kept "
                "eigenvalues are rounding noise; raise rel_floor, or use shrinkage or eps",
                path="params.rel_floor",
            )


def _nothing(d: int, variant: Variant) -> tuple[Array, Array]:
    """Return the maps of dims without a direction: zeros of the form of the variant."""
    k = d if variant == "zca" else 0
    return np.zeros((d, k)), np.zeros((k, d))
