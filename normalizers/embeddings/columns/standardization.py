"""Standardization: every column with its mean subtracted, divided by its deviation."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias, cast

import numpy as np

from normalizers.bases.columns.scaled import ScaledColumnMap
from normalizers.bases.columns.scales import Measured
from normalizers.bases.weighted_fit import WeightedFit
from normalizers.contract import Example, Fields, param, unwrap
from normalizers.data.arrays import Array
from normalizers.embeddings.base.exported_columns import ExportedColumns
from normalizers.errors import FitError, InvalidParams
from normalizers.kernels.value_counts import mean_absolute_deviation, median_absolute_deviation
from normalizers.statistics import Moments, Quantiles

Scale: TypeAlias = Literal["std", "rms", "mean_abs_dev", "mad", "none"]
ROWS = {"x": [[0.1, 1.0], [0.9, 0.3], [0.4, 0.5], [0.2, 0.1]]}
# What needs the values themselves, not only their moments.
OF_VALUES = ("mean_abs_dev", "mad")


class Standardization(
    ExportedColumns[Moments | Quantiles], WeightedFit, ScaledColumnMap[Moments | Quantiles]
):
    r"""Standardize columns: y = (x - mean) / scale.

    The scale of a column is its deviation, sqrt(sum (x - mean)^2 / (n - ddof)); ``rms`` the root
    of the mean square, ``mean_abs_dev`` the mean distance to the mean, ``mad`` the median distance
    to the median (never multiplied by 1.4826).

    Notes
    -----
    Columns without spread beyond rounding, and those whose deviation is below `dead_rel` times the
    median one, are listed as ``dead_dims`` in the report: their scale is 1, and they are still
    centred. Ties need no rule; the map is monotone. ``mad`` and ``mean_abs_dev`` keep the values of
    every column, up to a limit exactly, and merge as long as that; the others keep moments.
    Cost O(n d).

    References
    ----------
    ``sklearn.preprocessing.StandardScaler``, whose bound on rounding is one of the two rules for
    columns without spread.

    Examples
    --------
    >>> from normalizers import Standardization
    >>> method = Standardization().fit([[1.0, 5.0], [3.0, 5.0]])
    >>> method.transform([[3.0, 6.0]]).tolist(), method.report_["dead_dims"]
    ([[1.0, 1.0]], [1])
    """

    name = "standardization"
    aliases = {"standard_scaling": {}, "channel_z_score": {}, "channel_standard": {}}
    examples: ClassVar[tuple[Example, ...]] = (
        Example(fit=ROWS, input={"x": [[0.5, 0.5]]}),
        Example(
            {"weight_kind": "reliability"},
            fit={**ROWS, "sample_weights": [1.0, 0.5, 2.0, 0.0]},
            input={"x": [[0.5, 0.5]]},
            name="weighted",
        ),
        Example(params={"scope": "request"}, input=ROWS, name="request"),
        Example(
            params={"scope": "group"},
            fit={**ROWS, "groups": ["de", "de", "en", "en"]},
            input={"x": [[0.5, 0.5]], "groups": ["en"]},
            name="group",
        ),
    )

    ddof: int | None = param(
        default=None,
        default_value=0,
        ge=0,
        affects="solution",
        help="a variance is the sum of squared deviations / (n - ddof)",
    )
    center: Literal["mean", "none"] | None = param(
        default=None, default_value="mean", affects="solution", help="what is subtracted"
    )
    scale: Scale | None = param(
        default=None, default_value="std", affects="statistics", help="what divides"
    )
    dead_rel: float | None = param(
        default=None,
        default_value=1e-6,
        ge=0,
        affects="solution",
        help="a column is dead whose scale is below this share of the median one",
    )

    def check(self, path: str) -> None:
        """Refuse weights that nothing would read."""
        if self.weight_sums.is_weighted and self.by_request:
            raise InvalidParams("weights are those of a fit", path=f"{path}.weight_kind")

    @property
    def fits(self) -> Fields:
        """Rows, with their groups and weights where there are some."""
        return self.with_weights(super().fits)

    @property
    def statistic(self) -> Moments | Quantiles:
        """Moments, or the values where a distance to a median or mean is asked for."""
        return Quantiles() if self.scale in OF_VALUES else Moments(weights=self.weight_sums)

    @property
    def least(self) -> int:
        """Values that a column needs."""
        if self.scale == "std":
            return max(2, unwrap(self.ddof) + 1)
        return 1 if self.scale == "none" else 2

    def measured(self, seen: Moments | Quantiles) -> Measured:
        """Return mean and scale of each column."""
        scale: Array | None
        if self.scale in OF_VALUES:
            mean, scale = _of_values(cast(Quantiles, seen), unwrap(self.scale))
        else:
            mean, scale = self._of_moments(cast(Moments, seen))
        loc = mean if self.center == "mean" else np.zeros_like(mean)
        constant = seen.constant
        if scale is not None and (~constant).any():
            # A relative rule beside that of rounding: no threshold is absolute.
            constant = constant | (scale < unwrap(self.dead_rel) * np.median(scale[~constant]))
        # The root mean square of equal values is their size, and divides.
        return Measured(loc, scale, constant, is_spread=self.scale != "rms")

    def _of_moments(self, seen: Moments) -> tuple[Array, Array | None]:
        if self.scale == "none":
            return seen.mean, None
        if self.scale == "rms":
            # sqrt(sum x^2 / n), as sum x^2 = m2 + n mean^2; hypot does not square what is large.
            return seen.mean, np.hypot(seen.std(0), seen.mean)
        return seen.mean, seen.std(unwrap(self.ddof))


def _of_values(seen: Quantiles, scale: Scale) -> tuple[Array, Array]:
    if not seen.mergeable:
        raise FitError(f"stored quantiles do not tell the mean and {scale}; post the values")
    deviation = mean_absolute_deviation if scale == "mean_abs_dev" else median_absolute_deviation
    found = [deviation(*seen.column(index)) for index in range(seen.width)]
    return np.array([mean for mean, _ in found]), np.array([spread for _, spread in found])
