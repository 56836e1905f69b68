"""What rows look like after a linear map: for the report of a fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from normalizers.bases.affine_maps import LinearMap
from normalizers.bases.row_numbers import evenly, hub_skewness
from normalizers.bases.vectors import Step, average_cosine, prepared
from normalizers.data.arrays import Array

# So many rows, evenly spaced, tell of all: a report must cost little beside its fit.
SAMPLE_ROWS = 4096
# A direction whose variance grows this much on other rows was fitted to chance.
OVERFIT_RATIO = 2.0


@dataclass(frozen=True)
class MappedRows:
    """Rows through the map of a fit, a sample of them.

    Parameters
    ----------
    there : LinearMap
        In float64, on the CPU.
    pre : {'none', 'l2', 'layer_norm'}
        What is done to the rows first.
    """

    there: LinearMap
    pre: Step

    def outputs(self, x: Array) -> dict[str, object]:
        """Return length of the mean, variances and average cosine of the mapped rows."""
        y = self._mapped(x)
        if len(y) < 2:
            return {"n": len(y)}
        variances = y.var(axis=0, ddof=1)
        return {
            "n": len(y),
            "mean_norm": float(np.linalg.norm(y.mean(axis=0))),
            "smallest_variance": float(np.min(variances)),
            "mean_variance": float(np.mean(variances)),
            "largest_variance": float(np.max(variances)),
            "average_cosine": average_cosine(y),
            "hub_skewness": hub_skewness(y),
        }

    def validation(self, x: Array, other: Array) -> dict[str, object]:
        """Return the same of other rows, and how their variance by direction compares.

        A direction is one that the map stretches by one factor: a singular vector of its matrix.
        """
        y, told = self._mapped(other), self.outputs(other)
        told["average_cosine_before"] = average_cosine(other)
        if len(y) < 2:
            return told
        directions = np.linalg.svd(self.there.matrix, full_matrices=False)[2].T
        fitted = (self._mapped(x) @ directions).var(axis=0, ddof=1)
        found = (y @ directions).var(axis=0, ddof=1)
        ratios = np.divide(found, fitted, out=np.ones_like(found), where=fitted > 0)
        return {
            **told,
            "variance_ratios": ratios.tolist(),
            "largest_variance_ratio": float(np.max(ratios)),
            "overfit_directions": int(np.count_nonzero(ratios > OVERFIT_RATIO)),
        }

    def _mapped(self, x: Array) -> Array:
        return self.there(prepared(evenly(x, SAMPLE_ROWS), self.pre))
