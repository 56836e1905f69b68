"""The spectrum of a covariance, and what follows from it: rank, softening, diagnostics."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import entr, ndtr

from normalizers.data.arrays import Array
from normalizers.errors import NotEnoughData, RankDeficient
from normalizers.kernels.linalg import Eigen, eigh_descending
from normalizers.kernels.row_norms import row_norms
from normalizers.statistics import Scatter
from normalizers.statistics.base.magnitude import MACHINE_EPSILON, rounding_bound

DEAD_RATIO = 1e-6  # a dim with less than this share of the median deviation is dead
VARIANCE_SHARES = {"90": 0.9, "95": 0.95, "99": 0.99}


@dataclass(frozen=True)
class Spectrum:
    """Mean, covariance and eigenpairs of rows, in units of a power of two.

    Parameters
    ----------
    n : float or None
        Rows behind them, of weighted rows as many equal ones as say the same, (sum w)^2 / sum w^2;
        None where that is not known.
    biased_share : float
        What turns the covariance into the one with ``ddof`` 0; 1 where n is not known.
    exponent : int
        Lengths are in units of ``2 ** exponent``, so that their squares stay ordinary numbers.
    mean : array of shape (d,)
        In those units.
    covariance : array of shape (d, d)
        In squares of those units.
    dead : array of int
        Dims without spread: below the rounding of their mean, or 1e-6 of the median deviation.
    constant : array of int
        Those of them whose values are equal but for rounding.
    fourth : float, optional
        Sum of the fourth powers of the centred rows' lengths, in those units; with ``moments: 4``.
    """

    n: float | None
    biased_share: float
    exponent: int
    mean: Array
    covariance: Array
    dead: Array
    constant: Array
    fourth: float | None = None

    @classmethod
    def of(cls, scatter: Scatter, ddof: int) -> Spectrum:
        """Return the spectrum of stored second moments.

        Raises
        ------
        NotEnoughData
            Fewer than two rows, or none beyond `ddof`.
        RankDeficient
            No dim has any spread.
        """
        covariance, noise = covariance_with_spread(scatter, ddof)
        n, freedom = _rows_behind(scatter, ddof)
        variance = np.diagonal(covariance)
        deviation = np.sqrt(np.maximum(variance, 0.0))
        # In units of the largest deviation every entry is within 1 in size, whatever the input's.
        exponent = int(np.frexp(np.max(deviation))[1])
        constant = variance <= noise
        dead = constant | (deviation < DEAD_RATIO * np.median(deviation))
        higher = scatter.higher
        return cls(
            n,
            freedom,
            exponent,
            np.ldexp(scatter.mean, -exponent),
            np.ldexp(covariance, -2 * exponent),
            np.flatnonzero(dead),
            np.flatnonzero(constant),
            None if higher is None else float(np.ldexp(higher.fourth, -4 * exponent)),
        )

    def blocks(self, size: int) -> list[Spectrum]:
        """Return the spectra of consecutive groups of `size` dims, each by itself."""
        whole = range(0, self.d, size)
        return [self] if len(whole) == 1 else [self._block(slice(at, at + size)) for at in whole]

    def _block(self, dims: slice) -> Spectrum:
        dead, constant = (
            one[(one >= dims.start) & (one < dims.stop)] - dims.start
            for one in (self.dead, self.constant)
        )
        return replace(
            self,
            mean=self.mean[dims],
            covariance=self.covariance[dims, dims],
            dead=dead,
            constant=constant,
            fourth=None,
        )

    @cached_property
    def d(self) -> int:
        """Number of dims."""
        return len(self.mean)

    @cached_property
    def mean_variance(self) -> float:
        """Trace of the covariance over d."""
        return float(np.trace(self.covariance)) / self.d

    @property
    def rows_per_dim(self) -> float | None:
        """Rows over dims, None where n is not known."""
        return None if self.n is None else self.n / self.d

    @cached_property
    def eigen(self) -> Eigen:
        """Eigenvalues, descending, and eigenvectors of the covariance."""
        # n rows about their mean span at most n - 1 directions.
        return eigh_descending(self.covariance, None if self.n is None else math.ceil(self.n) - 1)

    def unscaled(self, variances: Array) -> Array:
        """Return variances in the units of the input."""
        return np.asarray(np.ldexp(variances, 2 * self.exponent))


def _rows_behind(scatter: Scatter, ddof: int) -> tuple[float | None, float]:
    """Return how many equal rows say the same, and (n - ddof) / n."""
    if not scatter.mergeable:
        return None, 1.0
    rows, sums = np.asarray(scatter.n), scatter.weights
    mass, freedom = float(sums.mass(rows)), float(sums.freedom(rows, ddof))
    if sums.kind == "reliability":
        return mass / float(sums.sum_w2) * mass, freedom / mass
    return (scatter.n if not sums.is_weighted else mass), freedom / mass


def covariance_with_spread(scatter: Scatter, ddof: int) -> tuple[Array, Array]:
    """Return the covariance, and the variance of each dim that is rounding of its mean.

    Raises
    ------
    NotEnoughData
        Fewer than two rows, or none beyond `ddof`.
    RankDeficient
        No dim has more variance than rounding.
    """
    if scatter.mergeable and scatter.n < 2:
        raise NotEnoughData(
            f"a covariance needs at least 2 rows, and there is one row of {scatter.d} dims"
        )
    covariance = scatter.covariance(ddof)
    n = scatter.n if scatter.mergeable else None
    # Divided as the scatter is; without n the covariance is that of one row's rounding.
    noise = rounding_bound(n or 1, scatter.mean) / (1 if n is None else n - ddof)
    if np.all(np.diagonal(covariance) <= noise):
        raise RankDeficient("the rows do not differ", rank=0, remedy="there is nothing to whiten")
    return covariance, np.asarray(noise)


def diagnostics(spectrum: Spectrum) -> dict[str, object]:
    """Return the numbers of the fit report that follow from the mean and the spectrum.

    ``participation_ratio`` is (sum l)^2 / sum l^2, ``isoscore`` (PR - 1)/(d - 1),
    ``entropy_effective_rank`` exp(H(l / sum l)), ``condition_number`` l_1/l_d,
    ``mean_energy_fraction`` the share of the mean in the mean squared length and ``sign_entropy``
    the bits that the signs of the dims hold, were each normal; undefined is None.
    """
    values = spectrum.eigen.values
    share = values / values.sum()
    participation = float(1 / np.sum(share * share))
    positive = share[share > 0]
    reached = np.cumsum(share) / np.cumsum(share)[-1]
    return {
        "d": spectrum.d,
        "n_over_d": spectrum.rows_per_dim,
        "participation_ratio": participation,
        "isoscore": (participation - 1) / (spectrum.d - 1) if spectrum.d > 1 else None,
        "entropy_effective_rank": float(np.exp(-np.sum(positive * np.log(positive)))),
        "condition_number": _condition_number(values),
        "mean_energy_fraction": _mean_energy_fraction(spectrum),
        "sign_entropy": _sign_entropy(spectrum),
        "dims_for_variance": {
            name: int(np.searchsorted(reached, wanted)) + 1
            for name, wanted in VARIANCE_SHARES.items()
        },
        "dead_dims": spectrum.dead.tolist(),
        "constant_dims": spectrum.constant.tolist(),
        "spectrum": spectrum.unscaled(values).tolist(),
    }


def unbiased_isoscore(spectrum: Spectrum) -> float | None:
    """Return (PR - 1)/(d - 1) of the unbiased participation ratio; None for one dim.

    ``PR = (tr C)^2 / T``, ``T = m^2/((m - 1)(m + 2)) (tr C^2 - (tr C)^2/m)``, m = n - 1. The plain
    ratio of a sample is at most n - 1; without n, or with too few rows for T, it is what is known.
    """
    values = spectrum.eigen.values
    if spectrum.d == 1:
        return None
    share = values / values.sum()
    squares = float(np.sum(share * share))
    m = 0 if spectrum.n is None else spectrum.n - 1
    if m > 1:
        squares = m / (m - 1) * m / (m + 2) * (squares - 1 / m)
    # T may fall to 0 or below by chance: then nothing speaks for unequal directions.
    ratio = spectrum.d if squares * spectrum.d <= 1 else 1 / squares
    return (max(ratio, 1.0) - 1) / (spectrum.d - 1)


def _condition_number(values: Array) -> float | None:
    smallest = float(values[-1])
    # Below d eps times the largest an eigenvalue is rounding, and the ratio any number.
    resolved = smallest > MACHINE_EPSILON * len(values) * float(values[0])
    return float(values[0]) / smallest if resolved else None


def _sign_entropy(spectrum: Spectrum) -> float:
    """Return sum_j H(P(x_j > 0)) in bits, P(x_j > 0) = Phi(mean_j / deviation_j)."""
    variance = np.diagonal(spectrum.covariance) * spectrum.biased_share
    deviation = np.sqrt(np.maximum(variance, 0.0))
    deviation[spectrum.constant] = 0.0
    # A dim without spread has one sign throughout: no bit.
    ratio = np.divide(
        spectrum.mean, deviation, out=np.full(spectrum.d, np.inf), where=deviation > 0
    )
    positive = ndtr(ratio)
    return float(np.sum(entr(positive) + entr(1 - positive)) / math.log(2))


def _mean_energy_fraction(spectrum: Spectrum) -> float:
    length = float(row_norms(spectrum.mean[None, :])[0])
    if length == 0:
        return 0.0
    spread = np.sqrt(spectrum.d * spectrum.mean_variance * spectrum.biased_share)
    # |mean|^2 / (|mean|^2 + trace), by a quotient of lengths: neither is squared alone.
    return float(1 / (1 + (spread / length) ** 2))
