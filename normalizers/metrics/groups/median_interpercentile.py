"""Median and interpercentile range: metrics of the systems of one language pair."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from normalizers.bases.by_column import by_column
from normalizers.contract import Answer, Batch, Example, Fitted, Options, Statistics, param, unwrap
from normalizers.data.arrays import Array
from normalizers.metrics.base.group_scales import ScaleRules
from normalizers.metrics.base.quantile_groups import QuantileGroups

QUARTER_AND_TOP = [25.0, 100.0]
EPS = 1e-9


class MedianInterpercentile(QuantileGroups):
    """Put every metric of a group on one scale: y = (x - median) / max(eps, Q_high - Q_low).

    Each column is a metric, each row a system of a group (a language pair); the percentiles are 25
    and 100 by default, so that very bad systems do not compress the others. With `flip` metrics
    where lower scores are better turn their sign, each by the name of its column.

    Notes
    -----
    Quantiles are linear between order statistics; `eps` is a floor and not added, so that equal
    scores give 0. Missing scores are left out of the statistics and missing in their place. Rows
    beyond the fitted scores are flagged ``out_of_range``, of groups without spread ``constant``.
    Ties stay ties. Cost O(n c log n) for a fit, O(m c) for a transform.

    See Also
    --------
    Autorank : What it is for.

    References
    ----------
    Findings of the WMT25 shared task, AutoRank (github.com/wmt-conference/wmt25-general-mt).

    Examples
    --------
    >>> from normalizers import MedianInterpercentile
    >>> fitted = MedianInterpercentile().fit([1.0, 2.0, 3.0, 5.0], groups=["en-ar"] * 4)
    >>> fitted.transform([2.5, 5.0], groups=["en-ar"] * 2).round(4).tolist()
    [0.0, 0.7692]
    """

    name = "median_interpercentile"
    example = Example(
        fit={
            "x": [[0.9, 2.1], [0.8, 2.9], [0.5, 4.2], [0.6, 3.0]],
            "groups": ["en-ar"] * 4,
        },
        input={"x": [[0.7, 2.5]], "groups": ["en-ar"]},
    )

    higher_is_better: bool | list[bool] | dict[str, bool] | None = param(  # type: ignore[assignment]
        default=None,
        default_value=True,
        affects="statistics",
        help="direction of the scores: one for all, a list, or an object by name of column",
    )
    eps: float | None = param(
        default=None, default_value=EPS, gt=0, affects="solution", help="the least that divides"
    )
    on_constant = None
    constant_value = None

    def defaults(self, statistics: Statistics | None) -> dict[str, object]:
        """Name the percentiles."""
        percentiles = self.quantile_range or QUARTER_AND_TOP
        return {**super().defaults(statistics), "quantile_range": percentiles}

    @property
    def rules(self) -> ScaleRules:
        """The floor leaves no scale of 0."""
        return ScaleRules(unwrap(self.on_few), "scale_one", eps=unwrap(self.eps), eps_mode="floor")

    @property
    def sign(self) -> float:
        """Signs go by column."""
        return 1.0

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scaled metrics."""
        answer = super().apply(fitted, batch, options)
        signs = self._signs(fitted, batch)
        return replace(answer, output={"y": answer.output["y"] * signs})

    def undo(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return scores from scaled metrics."""
        y = batch.array("y") * self._signs(fitted, batch)
        return super().undo(fitted, batch.replace(y=y), options)

    def _signs(self, fitted: Fitted, batch: Batch) -> Array:
        width = fitted.sizes["c"]
        given = unwrap(self.higher_is_better)
        better = by_column(given, width, batch.columns, "params.higher_is_better")
        return np.where(np.array(better) | (not self.flip), 1.0, -1.0)
