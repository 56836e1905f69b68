"""Whitening: vectors with their mean removed and their directions given equal variance.

Long by what one solution depends on: softening, shrinkage, floor, rank, variant and both ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, TypeAlias, cast

import numpy as np
from annotated_types import Ge, Gt, Le, Lt

from normalizers.bases.scatter_maps import ScatterMapNormalizer
from normalizers.contract import (
    NORMWISE,
    Example,
    Fitted,
    Notice,
    Statistics,
    Traits,
    param,
    unwrap,
)
from normalizers.data.devices import CPU, CUDA
from normalizers.embeddings.base.regularized import RegularizedSpectrum
from normalizers.embeddings.base.spectrum import Spectrum, chosen_shrinkage
from normalizers.embeddings.base.whitening_report import (
    few_rows,
    lost_directions,
    report,
    softening,
    undetermined,
)
from normalizers.errors import InvalidParams, RankDeficient
from normalizers.kernels.linalg import Variant
from normalizers.statistics import Scatter

ShrinkageRule: TypeAlias = Literal["none", "auto", "oas"]
MAPS = ("W", "W_inverse")
STRENGTHS = frozenset({"eps", "eps_rel", "strength", "shrinkage"})
# Soft by default: on contrastive models full whitening costs 1 to 5 points of rank correlation.
SOFT_EPS_REL = 3.0


class Whitening(ScatterMapNormalizer):
    r"""Whiten vectors: y = (x - mean) W, W from the covariance C of the fit.

    With C = U L U^T: ``zca`` W = U L^(-1/2) U^T, symmetric and unique; ``pca`` W = U_k L_k^(-1/2),
    which reduces to k dims and is defined up to signs. Softer forms compose with both:
    `shrinkage` a puts (1 - a) C + a m I in place of C, `eps` (or `eps_rel` times m) is added to
    every eigenvalue, `strength` s uses L^(-s/2); m = trace(C)/d is the mean variance.

    Notes
    -----
    When none of `eps`, `eps_rel`, `strength` and `shrinkage` is named, `eps_rel` is 3: soft
    whitening. Shrinkage that is not named is OAS below 10 rows a dim. Directions whose inverted
    eigenvalue is below `rel_floor` times the largest are null: dropped, and counted in the
    report. Missing values: refused, or left out with ``omit``. Rows that do not differ cannot be
    whitened. For k below the rank the inverse is the projection on the kept directions.
    Cost O(n d^2 + d^3) for a fit, O(m d k) for a transform.

    References
    ----------
    Kessy, Lewin, Strimmer: Optimal whitening and decorrelation, 2018; Su et al.: Whitening
    sentence representations, 2021; Chen et al.: Shrinkage algorithms for MMSE covariance
    estimation, 2010.

    Examples
    --------
    >>> from normalizers import Whitening
    >>> rows = [[0.0, 1.0], [4.0, 0.0], [0.0, -1.0], [-4.0, 0.0]]
    >>> full = Whitening(eps=0, shrinkage="none", ddof=0).fit(rows)
    >>> full.transform([[4.0, 1.0]]).round(6).tolist()
    [[1.414214, 1.414214]]
    """

    name = "whitening"
    aliases = {
        "soft_zca": {"variant": "zca", "eps_rel": SOFT_EPS_REL, "shrinkage": "none"},
        "pca_whitening": {"variant": "pca"},
        "zca": {"variant": "zca"},
        "bert_whitening": {"variant": "pca", "eps": 0.0, "shrinkage": "none", "post": "l2"},
    }
    presets = {"bert_whitening": aliases["bert_whitening"]}
    example = Example(
        params={"eps_rel": 1.0},
        fit={"x": [[0.1, 1.0, 0.2], [0.9, 0.3, 0.1], [0.4, 0.5, 0.8], [0.2, 0.1, 0.4]]},
        input={"x": [[0.5, 0.5, 0.5]]},
    )

    variant: Variant | None = param(
        default=None,
        default_value="zca",
        resolves="zca, or pca when n_components is below the number of dims",
        affects="solution",
        help="which rotation the result keeps",
    )
    n_components: Annotated[int, Ge(1)] | Annotated[float, Gt(0), Lt(1)] | None = param(
        default=None,
        resolves="all that are above the floor",
        affects="solution",
        help="directions kept, as a number or as a share of the variance between 0 and 1",
    )
    ddof: int | None = param(
        default=None, default_value=1, ge=0, affects="solution", help="C = scatter / (n - ddof)"
    )
    eps: float | None = param(
        default=None,
        default_value=0.0,
        ge=0,
        affects="solution",
        help="added to every eigenvalue, in squared input units",
    )
    eps_rel: float | None = param(
        default=None,
        resolves="3 when no strength parameter is named",
        ge=0,
        affects="solution",
        help="the same in units of the mean variance",
    )
    strength: float | None = param(
        default=None, default_value=1.0, ge=0, le=1, affects="solution", help="0 centres, 1 whitens"
    )
    shrinkage: ShrinkageRule | Annotated[float, Ge(0), Le(1)] | None = param(
        default=None,
        default_value="auto",
        affects="solution",
        help="mixing with m I: none, oas, auto (oas below 10 rows a dim), or a weight 0..1",
    )
    rank_policy: Literal["drop", "error"] | None = param(
        default=None, default_value="drop", affects="solution", help="what null directions do"
    )
    rel_floor: float | None = param(
        default=None,
        default_value=1e-6,
        gt=0,
        lt=1,
        affects="solution",
        help="share of the largest inverted eigenvalue below which a direction is null",
    )
    exclusive = (("eps", "eps_rel"),)

    def check(self, path: str) -> None:
        """Refuse to cut what is not nested: the first columns of ``zca`` are no fit of theirs."""
        named = self.variant or ("pca" if self.n_components is not None else "zca")
        if self.truncate_to is not None and not named.startswith("pca"):
            raise InvalidParams(
                "truncate_to keeps the first columns of a pca form; name variant 'pca'",
                path=f"{path}.truncate_to",
            )

    @property
    def traits(self) -> Traits:  # type: ignore[override]
        """All but PCA use the rotation that stays closest to the input's columns."""
        return Traits(
            devices=(CPU, CUDA),
            same_bits=False,
            tolerance=NORMWISE,
            preserves_columns=self.variant != "pca",
        )

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the default strength and the variant."""
        decided: dict[str, object] = {}
        if not self.explicit_params.keys() & STRENGTHS:
            decided["eps_rel"] = SOFT_EPS_REL
        d = cast(Scatter, statistics["scatter"]).d if statistics else 0
        # zca needs all directions; with fewer its rows would have d columns of rank k.
        if self.n_components is not None and (not d or self.n_components < d):
            decided["variant"] = "pca"
        return decided

    def solve(self, statistics: Statistics) -> Fitted:
        """Return mean, W, its way back and the eigenvalues."""
        scatter = cast(Scatter, statistics["scatter"])
        inversion = self._inversion(Spectrum.of(scatter, unwrap(self.ddof)))
        k = self._components(inversion)
        matrices = inversion.matrices(k, unwrap(self.strength), unwrap(self.variant))
        eigenvalues = inversion.spectrum.unscaled(inversion.spectrum.eigen.values[:k])
        arrays = {
            "mean": scatter.mean,
            "W": np.asarray(matrices[0], order="C"),
            "W_inverse": np.asarray(matrices[1], order="C"),
            "eigenvalues": eigenvalues,
        }
        sizes = {"d": scatter.d, "k": matrices[0].shape[1]}
        return Fitted(arrays, sizes, self._report(inversion, k), self._warnings(inversion, k))

    def first_difference(
        self, found: Fitted, expected: Fitted, statistics: Statistics | None = None
    ) -> str | None:
        """Return the name of the first array that the scatter does not determine, or None.

        The columns of a ``pca`` form are compared up to what the scatter leaves open.
        """
        if self.variant == "zca" or statistics is None:
            # zca is unique; pca is so only up to signs and the rotation of equal eigenvalues, which
            # other processors choose otherwise.
            return super().first_difference(found, expected)
        left_open = {n: found[n] for n in MAPS if found[n].shape == expected[n].shape}
        spectrum = Spectrum.of(cast(Scatter, statistics["scatter"]), unwrap(self.ddof))
        settled = replace(expected, arrays={**expected.arrays, **left_open})
        name = super().first_difference(found, settled)
        if name is not None:
            return name
        there, back = (found[name] for name in MAPS)
        whitens = self._inversion(spectrum).is_whitening(there, back, unwrap(self.strength))
        return None if whitens else "W"

    def _inversion(self, spectrum: Spectrum) -> RegularizedSpectrum:
        if self.eps_rel is None:
            # eps is in squared input units, the spectrum in units of 4^exponent.
            eps = float(np.ldexp(unwrap(self.eps), -2 * spectrum.exponent))
        else:
            eps = self.eps_rel * spectrum.mean_variance
        shrinkage = chosen_shrinkage(spectrum, cast("str | float", self.shrinkage))
        return RegularizedSpectrum(spectrum, shrinkage, eps, unwrap(self.rel_floor))

    def _components(self, inversion: RegularizedSpectrum) -> int:
        wanted = self._wanted(inversion)
        if self.rank_policy == "error" and inversion.rank < wanted:
            raise RankDeficient(
                f"the rows span fewer directions than the {wanted} asked for",
                rank=inversion.rank,
                remedy="use rank_policy 'drop', shrinkage or eps, or fewer n_components",
                path="params.rank_policy",
            )
        return min(wanted, inversion.rank)

    def _wanted(self, inversion: RegularizedSpectrum) -> int:
        if self.n_components is None:
            return inversion.spectrum.d
        if isinstance(self.n_components, float):
            return inversion.count_for(self.n_components)
        return self.n_components

    def _report(self, inversion: RegularizedSpectrum, k: int) -> dict[str, object]:
        named = f"eps_rel is {SOFT_EPS_REL:g} when none of {', '.join(sorted(STRENGTHS))} is named"
        in_effect = softening(inversion, unwrap(self.strength))
        return {**report(inversion, k), "softening": {**in_effect, "note": named}}

    def _warnings(self, inversion: RegularizedSpectrum, k: int) -> tuple[Notice, ...]:
        return (
            *few_rows(inversion.spectrum),
            *lost_directions(inversion, self._wanted(inversion)),
            *undetermined(inversion.repeated_eigenvalues(k) if self.variant == "pca" else 0),
        )
