"""Linear maps that follow from the mean and the scatter of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import numpy as np

from normalizers.bases.linear_maps import LinearMapNormalizer
from normalizers.bases.mapped_rows import SAMPLE_ROWS, MappedRows
from normalizers.bases.row_numbers import evenly, hub_skewness, row_lengths
from normalizers.bases.vectors import Step, average_cosine, fit_rows, missing_rows, prepared
from normalizers.bases.weighted_fit import WEIGHTS, WeightedFit, weights_of
from normalizers.contract.fields import Fields, floats, optional
from normalizers.contract.fitted import Fitted
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU_DEVICE
from normalizers.statistics import Scatter, Statistic, Statistics


class ScatterMapNormalizer(WeightedFit, LinearMapNormalizer):
    """Base of the linear maps that are solved from second moments: a method writes `solve` alone.

    Notes
    -----
    Missing values are refused; with ``omit`` the fit leaves the row out and the transform gives
    a missing row. Statistics, solution and fitted arrays are float64, and a fit is computed by
    NumPy.
    """

    kinds = ("fitted",)

    @property
    def fits(self) -> Fields:
        """Rows, their weights where they have some, and rows for the report alone."""
        vectors = floats("n d", flat="row", leading=True, native=True, help="rows are vectors")
        rows = Fields(x=vectors)
        other = floats("v d", native=True, help="other rows, measured by the report of a whole fit")
        return self.with_weights(rows).with_fields(validation=optional(other))

    @property
    def keeps(self) -> Mapping[str, Statistic]:
        """The scatter of the rows."""
        return {"scatter": Scatter(weights=self.weight_sums)}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the scatter."""
        scatter, pre = cast(Scatter, statistics["scatter"]), cast(Step, self.pre)
        for rows, *weights in self._parts(batch):
            taken = rows if pre == "none" else prepared(rows.astype(np.float64), pre)
            scatter = scatter.update(taken, *weights)
        return statistics.replace(scatter=scatter)

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return what only the rows know: cosines and spread before and after."""
        x = batch.array("x")
        there = self.maps(fitted).forward(np.dtype(np.float64), CPU_DEVICE)
        mapped = MappedRows(there, cast(Step, self.pre))
        told: dict[str, object] = {
            "average_cosine": average_cosine(x),
            "hub_skewness": hub_skewness(x),
            "row_lengths": row_lengths(evenly(x, SAMPLE_ROWS)),
            "outputs": mapped.outputs(x),
        }
        if "validation" in batch:
            told["validation"] = mapped.validation(x, batch.array("validation"))
        return told

    def _parts(self, batch: Batch) -> Iterator[tuple[Array, ...]]:
        """Yield rows in blocks, with their weights where they have some, without missing ones."""
        x, omit = batch.array("x"), self.nan_policy == "omit"
        if WEIGHTS not in batch:
            yield from ((rows,) for rows in fit_rows(x, omit))
            return
        weights, lost = weights_of(batch), missing_rows(x)
        if omit and len(lost):
            x, weights = np.delete(x, lost, axis=0), np.delete(weights, lost)
        start = 0
        for rows in fit_rows(x, omit=False):
            yield rows, weights[start : start + len(rows)]
            start += len(rows)
