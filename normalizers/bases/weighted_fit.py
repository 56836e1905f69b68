"""What methods share whose fits may take weights of the rows."""

from __future__ import annotations

from normalizers.contract.fields import Fields, floats
from normalizers.contract.parameters import param, unwrap
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.normalizer import Normalizer
from normalizers.statistics.base.weights import WeightKind, WeightSums, checked_weights

WEIGHTS = "sample_weights"
WEIGHT_OF_ROW = "weight of each row, 0 for none; see weight_kind"


class WeightedFit(Normalizer):
    """Base of the methods whose fits may take weights, mixed in before another base.

    What is kept depends on `weight_kind`, never on which fields came: parts with and without
    weights do not merge. Statistics are made with ``weights=self.weight_sums`` and updated with
    ``*rows_of(batch, x)``.

    Notes
    -----
    With `weight_kind` the rows of a fit have `sample_weights`: ``frequency`` says how often a row
    occurs (a variance divides by W - ddof), ``reliability`` how far it is trusted (by
    W - ddof W2 / W). A row of weight 0 is no row.
    """

    weight_kind: WeightKind | None = param(
        default=None,
        default_value="none",
        affects="statistics",
        help="what sample_weights say: nothing, how often a row occurs, or how far it is trusted",
    )

    @property
    def weight_sums(self) -> WeightSums:
        """The sums of weights of no rows."""
        return WeightSums(unwrap(self.weight_kind) if self.weight_kind else "none")

    def with_weights(self, fields: Fields, symbol: str = "n") -> Fields:
        """Return the fields of a fit, with weights where their kind is named."""
        if not self.weight_sums.is_weighted:
            return fields
        return fields.with_fields(**{WEIGHTS: floats(symbol, screened=False, help=WEIGHT_OF_ROW)})


def rows_of(batch: Batch, x: Array) -> tuple[Array, ...]:
    """Return the rows and, where there are some, their weights, as statistics take them."""
    return (x, weights_of(batch)) if WEIGHTS in batch else (x,)


def weights_of(batch: Batch) -> Array:
    """Return the weights of the rows, refused by the row as it was sent."""
    return checked_weights(batch.array(WEIGHTS))
