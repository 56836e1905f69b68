"""The words of a covariance that is softened before it is inverted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, cast

import numpy as np
from annotated_types import Ge, Le

from normalizers.bases.scatter_maps import ScatterMapNormalizer
from normalizers.contract import Statistics, param, unwrap
from normalizers.contract.spellings import Spelling
from normalizers.embeddings.base.regularized import RegularizedSpectrum
from normalizers.embeddings.base.shrinkage import chosen_shrinkage
from normalizers.embeddings.base.spectrum import Spectrum
from normalizers.errors import InvalidParams
from normalizers.statistics import Scatter, Statistic
from normalizers.statistics.base.higher_sums import HigherSums

ShrinkageRule: TypeAlias = Literal["none", "auto", "oas", "ledoit_wolf"]
STRENGTHS = frozenset({"eps", "eps_rel", "strength", "shrinkage", "eigen_power"})
# Soft by default: on contrastive models full whitening costs 1 to 5 points of rank correlation.
SOFT_EPS_REL = 3.0


def strength_of_power(value: float) -> float:
    """Return the strength of a power of eigenvalues, -2 p."""
    return -2 * value


class SoftenedCovariance(ScatterMapNormalizer):
    """Base of the maps that invert a covariance after shrinkage and eps."""

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
        help="mixing with m I: none, oas, ledoit_wolf, auto (oas below 10 rows a dim), or 0..1",
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
    eigen_power: Annotated[float, Ge(-0.5), Le(0)] | None = param(
        default=None,
        affects="solution",
        spells=Spelling("strength", strength_of_power),
        help="faiss's power of the eigenvalues, -strength / 2",
    )
    moments: Literal[2, 4] | None = param(
        default=None,
        resolves="4 with shrinkage ledoit_wolf, else 2",
        affects="statistics",
        help="what is kept of rows: second moments, or third and fourth too",
    )
    exclusive = (("eps", "eps_rel"),)

    def check(self, path: str) -> None:
        """Refuse ``ledoit_wolf`` without the moments that it needs, and weights of those."""
        if self.shrinkage == "ledoit_wolf" and self.moments == 2:
            raise InvalidParams(
                "shrinkage 'ledoit_wolf' needs third and fourth moments: moments 4",
                path=f"{path}.moments",
            )
        if self._kept_moments == 4 and self.weight_kind not in (None, "none"):
            raise InvalidParams(
                "third and fourth moments are not kept of weighted rows; use shrinkage 'oas'",
                path=f"{path}.weight_kind",
            )

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The scatter, with third and fourth moments where they are kept."""
        higher = HigherSums.zeros(0) if self._kept_moments == 4 else None
        return {"scatter": Scatter(weights=self.weight_sums, higher=higher)}

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Decide the default strength and what is kept."""
        decided: dict[str, object] = {"moments": self._kept_moments}
        if not self.explicit_params.keys() & STRENGTHS:
            decided["eps_rel"] = SOFT_EPS_REL
        return decided

    def inversion(self, spectrum: Spectrum) -> RegularizedSpectrum:
        """Return the eigenvalues that are inverted."""
        if self.eps_rel is None:
            # eps is in squared input units, the spectrum in units of 4^exponent.
            eps = float(np.ldexp(unwrap(self.eps), -2 * spectrum.exponent))
        else:
            eps = self.eps_rel * spectrum.mean_variance
        shrinkage = chosen_shrinkage(spectrum, cast("str | float", self.shrinkage))
        return RegularizedSpectrum(spectrum, shrinkage, eps, unwrap(self.rel_floor))

    @property
    def _kept_moments(self) -> int:
        return self.moments or (4 if self.shrinkage == "ledoit_wolf" else 2)
