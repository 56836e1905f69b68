"""Column maps that subtract a mean, and their directions: rows of length 1 on request."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from normalizers.bases.columns.column_map import ColumnMap
from normalizers.bases.columns.scales import Measured
from normalizers.bases.mapped_rows import SAMPLE_ROWS
from normalizers.bases.row_numbers import hub_skewness, row_lengths
from normalizers.bases.vectors import average_cosine, missing_rows
from normalizers.contract import (
    NO_FIELDS,
    Answer,
    Batch,
    Fields,
    Fitted,
    Options,
    param,
)
from normalizers.data.arrays import Array
from normalizers.data.labels import Labels
from normalizers.kernels.row_norms import ZERO_SHARES, row_norms, unit_rows
from normalizers.statistics import Moments


class CentredRows(ColumnMap[Moments]):
    """Base of the methods that subtract means.

    Notes
    -----
    With `post` ``l2`` the rows are brought to length 1: a row at the mean has no direction, gives
    zeros and is flagged ``zero_norm``, where what is left is below the rounding of the difference.
    That form has no way back.
    """

    statistic = Moments()

    post: Literal["none", "l2"] | None = param(
        default=None, default_value="none", affects="answer", help="length 1 in the end, or not"
    )

    @property
    def inverse_takes(self) -> Fields:
        """What the transform gave, unless the lengths are gone."""
        return NO_FIELDS if self.post == "l2" else super().inverse_takes

    def measured(self, seen: Moments) -> Measured:
        """Return the mean of each column."""
        return Measured(seen.mean)

    def report(self, batch: Batch, fitted: Fitted) -> dict[str, object]:
        """Return cosines of a sample of the rows, before and after; none of single columns."""
        x = batch.array("x")
        if x.ndim != 2 or x.shape[1] < 2 or not len(x):
            return {}
        places = np.arange(0, len(x), -(-len(x) // SAMPLE_ROWS))
        places = np.delete(places, missing_rows(x[places]))
        before = x[places]
        sample: dict[str, Array | Labels] = {"x": before}
        if self.by_group:
            sample["groups"] = batch.labels("groups").take(places)
        after = np.asarray(super().apply(fitted, Batch(sample), Options()).output["y"])
        return {
            "average_cosine": average_cosine(before),
            "hub_skewness": hub_skewness(before),
            "row_lengths": row_lengths(before),
            "outputs": {
                "n": len(after),
                "average_cosine": average_cosine(after),
                "hub_skewness": hub_skewness(after),
            },
        }

    def apply(self, fitted: Fitted, batch: Batch, options: Options) -> Answer:
        """Return the centred rows, or their directions."""
        answer = super().apply(fitted, batch, options)
        if self.post != "l2":
            return answer
        bits = 32 if batch.form("x").dtype in ("float32", "float16") else 64
        y, zero = _directions(batch.array("x"), np.asarray(answer.output["y"]), ZERO_SHARES[bits])
        answer = replace(answer, output={**answer.output, "y": y})
        return answer.flagged("zero_norm", np.flatnonzero(zero))


def _directions(x: Array, centred: Array, share: float) -> tuple[Array, Array]:
    """Return the directions of centred rows, and which rows have none."""
    # |x - mu| is rounding below a share of |x| + |mu|: it must not be blown up to length 1.
    reach = row_norms(x) + row_norms(x - centred)
    with np.errstate(invalid="ignore"):
        zero = row_norms(centred) <= share * reach
    return unit_rows(np.where(zero[:, None], 0.0, centred)), zero
