"""Row norms followed by a weight and a bias of each column, as layers of models have them."""

from __future__ import annotations

import numpy as np

from normalizers.bases.row_norms import RowNormalizer
from normalizers.contract import NO_FIELDS, Fields, param
from normalizers.data.arrays import Array, namespace
from normalizers.errors import ShapeError


class WeightedRows(RowNormalizer):
    """Base of the row norms whose columns have weights: y = norm(x) weight.

    Notes
    -----
    A `weight` of 0 has no way back.
    """

    weight: list[float] | None = param(
        default=None, affects="answer", min_length=1, help="what multiplies each column"
    )

    @property
    def inverse_takes(self) -> Fields:
        """Rows with their scales, unless a weight of 0 lost a column."""
        return NO_FIELDS if self.weight and 0.0 in self.weight else super().inverse_takes

    def moved(self, y: Array) -> Array:
        """Return the rows times the weights."""
        if self.weight is None:
            return y
        y *= _column_numbers(self.weight, y, "weight")
        return y

    def returned(self, y: Array) -> Array:
        """Return the rows before the weights."""
        return y if self.weight is None else y / _column_numbers(self.weight, y, "weight")


class AffineRows(WeightedRows):
    """Base of the row norms whose columns have a bias too: y = norm(x) weight + bias."""

    bias: list[float] | None = param(
        default=None, affects="answer", min_length=1, help="what is added to each column"
    )

    def moved(self, y: Array) -> Array:
        """Return the rows times the weights, plus the biases."""
        weighted = super().moved(y)
        if self.bias is None:
            return weighted
        weighted += _column_numbers(self.bias, y, "bias")
        return weighted

    def returned(self, y: Array) -> Array:
        """Return the rows before weights and biases."""
        return super().returned(
            y if self.bias is None else y - _column_numbers(self.bias, y, "bias")
        )


def _column_numbers(numbers: list[float], rows: Array, name: str) -> Array:
    """Return one number a column, in the type of the rows and where they are."""
    if len(numbers) != rows.shape[1]:
        raise ShapeError(
            f"{name} has {len(numbers)} numbers, but rows have {rows.shape[1]} columns",
            path=f"params.{name}",
        )
    xp = namespace(rows)
    if xp is np:
        return np.asarray(numbers, dtype=rows.dtype)
    found: Array = xp.asarray(numbers, dtype=rows.dtype, device=rows.device)
    return found
