"""Linear maps that follow from the mean and the scatter of rows."""

from __future__ import annotations

from typing import cast

import numpy as np

from normalizers.bases.linear_maps import LinearMapNormalizer
from normalizers.bases.mapped_rows import MappedRows
from normalizers.bases.vectors import Step, average_cosine, fit_rows, prepared
from normalizers.contract.fields import Fields, floats, optional
from normalizers.contract.fitted import Fitted
from normalizers.data.batch import Batch
from normalizers.data.devices import CPU_DEVICE
from normalizers.statistics import Scatter, Statistics


class ScatterMapNormalizer(LinearMapNormalizer):
    """Base of the linear maps that are solved from second moments: a method writes `solve` alone.

    Notes
    -----
    Missing values are refused; with ``omit`` the fit leaves the row out and the transform gives
    a missing row. Statistics, solution and fitted arrays are float64, and a fit is computed by
    NumPy.
    """

    kinds = ("fitted",)
    fits = Fields(
        x=floats("n d", flat="row", native=True, help="rows are vectors"),
        validation=optional(
            floats("v d", native=True, help="other rows, which the report of a whole fit measures")
        ),
    )
    keeps = {"scatter": Scatter()}

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the scatter."""
        scatter, pre = cast(Scatter, statistics["scatter"]), cast(Step, self.pre)
        for rows in fit_rows(batch.array("x"), self.nan_policy == "omit"):
            taken = rows if pre == "none" else prepared(rows.astype(np.float64), pre)
            scatter = scatter.update(taken)
        return statistics.replace(scatter=scatter)

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return what only the rows know: cosines and spread before and after."""
        x = batch.array("x")
        there = self.maps(fitted).forward(np.dtype(np.float64), CPU_DEVICE)
        mapped = MappedRows(there, cast(Step, self.pre))
        told: dict[str, object] = {
            "average_cosine": average_cosine(x),
            "outputs": mapped.outputs(x),
        }
        if "validation" in batch:
            told["validation"] = mapped.validation(x, batch.array("validation"))
        return told
