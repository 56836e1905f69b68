"""Isotropic standardization: every dim of unit variance by one rotation and one number."""

from __future__ import annotations

from typing import Literal, cast

import numpy as np

from normalizers.bases.scatter_maps import ScatterMapNormalizer
from normalizers.contract import Example, Fitted, Notice, Statistics, notice, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.spectrum import Spectrum, diagnostics
from normalizers.errors import FitError
from normalizers.kernels.hadamard import hadamard_factors, rotate
from normalizers.kernels.orthogonal import random_orthogonal
from normalizers.statistics import Scatter

TOLERANCE = 1e-6  # what another processor's last bits change is far below


class IsotropicStandardization(ScatterMapNormalizer):
    """Give every dim the variance 1 and keep the shape (PHI-S): y = (x - mean) U H^T / sqrt(m).

    C = U L U^T, m the mean eigenvalue, H an orthogonal Hadamard matrix: the diagonal of H L H^T is
    m in every place.

    See Also
    --------
    whitening, hadamard_rotation

    Notes
    -----
    A similarity: all distances are multiplied by one number, and cosines are those of centred
    rows. Rankings equal those of plain centring; what it buys is equal dims, for quantization and
    for losses. Where no Hadamard matrix is constructed, `inexact` refuses, or takes a rotation of
    the seed, with a warning. Missing values: refused, or left out with ``omit``. Constant rows are
    refused; signs and equal eigenvalues move the coordinates, never the distances.
    Cost O(n d^2 + d^3) for a fit, O(m d^2) for a transform.

    References
    ----------
    ``NVlabs/RADIO`` examples/common/phi_s.py.

    Examples
    --------
    >>> from normalizers import IsotropicStandardization
    >>> rows = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.0]]
    >>> y = IsotropicStandardization(ddof=0).fit(rows).transform(rows)
    >>> y.var(axis=0).round(9).tolist()
    [1.0, 1.0]
    """

    name = "isotropic_standardization"
    aliases = {"phi_s": {}}
    example = Example(
        fit={"x": [[0.1, 1.0], [0.9, 0.3], [0.4, 0.5], [0.2, 0.1]]}, input={"x": [[0.5, 0.5]]}
    )

    ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="C = scatter / (n - ddof)"
    )
    inexact: Literal["refuse", "fallback"] | None = param(
        default=None,
        default_value="refuse",
        affects="solution",
        help="where no Hadamard matrix is constructed: refused, or a rotation of the seed",
    )
    seed: int | None = param(
        default=None, default_value=0, ge=0, affects="solution", help="which rotation then"
    )
    truncate_to = None

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean, W, its way back and the eigenvalues."""
        scatter = cast(Scatter, statistics["scatter"])
        spectrum = Spectrum.of(scatter, unwrap(self.ddof))
        mixing, warnings = self._mixing(scatter.d)
        turned = spectrum.eigen.vectors @ mixing.T
        scalar = np.ldexp(np.sqrt(spectrum.mean_variance), spectrum.exponent)
        arrays = {
            "mean": scatter.mean,
            "W": turned / scalar,
            "W_inverse": turned.T * scalar,
            "eigenvalues": spectrum.unscaled(spectrum.eigen.values),
            "scalar": np.asarray(1 / scalar),
        }
        report = {**diagnostics(spectrum), "scalar": float(1 / scalar), "exact": not warnings}
        return Fitted(arrays, {"d": scatter.d, "k": scatter.d}, report, warnings)

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Return the name of the first array that the scatter does not determine, or None.

        Signs and rotations of eigenvectors are left open: W must be a similarity of that scale
        with equal variances.
        """
        name = super().first_difference(found, expected, statistics)
        if name not in ("W", "W_inverse") or statistics is None:
            return name
        matrix, scalar = found["W"], float(expected["scalar"])
        if matrix.shape != expected["W"].shape:
            return name
        tilt = matrix.T @ matrix / scalar**2 - np.eye(len(matrix))
        back = found["W_inverse"] @ matrix - np.eye(len(matrix))
        straight = np.max(np.abs(tilt)) < TOLERANCE and np.max(np.abs(back)) < TOLERANCE
        return None if straight else name

    def _mixing(self, d: int) -> tuple[Array, tuple[Notice, ...]]:
        factors = hadamard_factors(d)
        if factors is not None:
            return rotate(np.eye(d), factors), ()
        if self.inexact == "refuse":
            raise FitError(
                f"no Hadamard matrix is constructed for {d} dims; inexact 'fallback' takes another "
                "rotation, whose dims have nearly equal variances",
                path="params.inexact",
            )
        message = "no Hadamard matrix is constructed for this number of dims: another rotation"
        return random_orthogonal(d, unwrap(self.seed)), (
            notice("inexact_rotation", message, dims=d),
        )
